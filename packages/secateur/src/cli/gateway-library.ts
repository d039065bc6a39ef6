import { silentLog } from '@secateur/base/runtime/event-log.ts';
import { loadConfig } from '@secateur/serving/config/load.ts';
import type { LaunchContext } from '@secateur/serving/config/values.ts';
import { applyObservationMasking as maskObservation } from '../masking/mask.ts';
import type { InProcessCalls } from '../servers/gateway/respond.ts';
import { createConfiguredGateway } from './commands/gateway.ts';
import { openServerDeps } from './server-deps.ts';

export const applyObservationMasking = maskObservation;

/** The gateway without HTTP, which programs import from `secateur/gateway`. */
export interface LibraryGateway extends InProcessCalls {
  /** Ends child processes, and closes connections and stores. */
  close(): Promise<void>;
}

/** Opens the servers that `config.toml` and the environment name. Rejects with `config_invalid` if a value is invalid. */
export async function openLibraryGateway(origin: LaunchContext): Promise<LibraryGateway> {
  const sections = ['gateway', 'pruner', 'recovery', 'audit', 'wire'] as const;
  const { config } = loadConfig(sections, { origin, flags: new Map(), readsWorkingDirectory: true });
  const parts = await openServerDeps(config, silentLog);
  try {
    const created = await createConfiguredGateway(config, parts, origin.env);
    const { handleRpc, forwardJsonrpc, ...gateway } = created;
    return { handleRpc, forwardJsonrpc, close: () => gateway.close().finally(() => parts.close()) };
  } catch (error) {
    await parts.close();
    throw error;
  }
}
