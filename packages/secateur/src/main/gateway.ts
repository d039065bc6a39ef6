import { homedir } from 'node:os';
import {
  type LibraryGateway,
  applyObservationMasking as maskObservation,
  openLibraryGateway,
} from '../cli/gateway-library.ts';

/**
 * The gateway as a library, `secateur/gateway`:
 *
 *     import { applyObservationMasking, closeGateway, handleRpc } from 'secateur/gateway';
 *     const answer = await handleRpc('files', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
 *     await closeGateway();
 */
export const applyObservationMasking: typeof maskObservation = maskObservation;

export interface GatewayOptions {
  /** Folder whose `config.toml` is read. Default: the working directory. */
  readonly cwd?: string;
  /** Environment variables with settings, which stdio servers inherit. Default: those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Opens the servers that `config.toml` and the environment name. Rejects with `config_invalid` if a value is invalid. */
export function openGateway(options: GatewayOptions = {}): Promise<LibraryGateway> {
  const { cwd = process.cwd(), env = process.env } = options;
  return openLibraryGateway({ env, cwd, platform: process.platform, homeDir: env.HOME ?? homedir() });
}

/** Gateway of this process. It is shared, because the specified functions have no parameter for a gateway. */
const shared = openedOnFirstUse(openGateway);

/** Forwards a JSON-RPC message to the named server and returns its answer, shortened as over HTTP. */
export const handleRpc: LibraryGateway['handleRpc'] = async (serverName, request) =>
  (await shared.open()).handleRpc(serverName, request);

/** Forwards a JSON-RPC message to the named server and returns its answer without masking. */
export const forwardJsonrpc: LibraryGateway['forwardJsonrpc'] = async (serverName, request) =>
  (await shared.open()).forwardJsonrpc(serverName, request);

/** Closes the gateway that `handleRpc` and `forwardJsonrpc` opened. The next call opens it again. */
export const closeGateway = (): Promise<void> => shared.close();

/** Opens a resource on first use, once for concurrent callers. Opens it again after `close` or a failure. */
function openedOnFirstUse<Opened extends { close(): Promise<void> }>(open: () => Promise<Opened>) {
  let opened: Promise<Opened> | undefined;
  return {
    open: (): Promise<Opened> => {
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    close: async (): Promise<void> => {
      const closing = opened;
      opened = undefined;
      await (await closing)?.close();
    },
  };
}
