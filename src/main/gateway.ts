import { homedir } from 'node:os';
import {
  type GatewayService,
  applyObservationMasking as maskObservation,
  openServiceAt,
} from '../cli/gateway-service.ts';

/**
 * The gateway as a library, `secateur/gateway`:
 *
 *     import { applyObservationMasking, closeGateway, handleRpc } from 'secateur/gateway';
 *     const answer = await handleRpc('files', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
 *     await closeGateway();
 */
export const applyObservationMasking = maskObservation;

export interface GatewayServiceOptions {
  /** Folder whose `config.toml` is read. Default: the working directory. */
  readonly cwd?: string;
  /** Environment variables with settings; stdio servers inherit them. Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Opens the servers that `config.toml` and the environment name. Rejects with `config_invalid` for a bad value. */
export function openGatewayService(options: GatewayServiceOptions = {}): Promise<GatewayService> {
  const { cwd = process.cwd(), env = process.env } = options;
  const origin = { env, cwd, platform: process.platform, homeDir: env.HOME ?? homedir() };
  return openServiceAt(origin);
}

/** One service per process: the functions of the specification have no other parameter that could name one. */
let shared: Promise<GatewayService> | undefined;

function sharedService(): Promise<GatewayService> {
  shared ??= openGatewayService().catch((error: unknown) => {
    shared = undefined;
    throw error;
  });
  return shared;
}

/** Forwards one JSON-RPC message to the server of this name and returns its answer, shortened as over HTTP. */
export const handleRpc: GatewayService['handleRpc'] = async (serverName, request) =>
  (await sharedService()).handleRpc(serverName, request);

/** Forwards one JSON-RPC message to the server of this name and returns its answer without masking. */
export const forwardJsonrpc: GatewayService['forwardJsonrpc'] = async (serverName, request) =>
  (await sharedService()).forwardJsonrpc(serverName, request);

/** Closes what `handleRpc` and `forwardJsonrpc` opened; the next call opens it again. */
export async function closeGateway(): Promise<void> {
  const opened = shared;
  shared = undefined;
  await (await opened)?.close();
}
