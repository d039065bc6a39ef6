import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { packageVersion } from '@secateur/base/runtime/package-version.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import { cutPolicyOf, leastSizeOf } from './cut-settings.ts';
import type { HookConfig } from './hook-parts.ts';
import { type OwnProgram, ownProgram, shellLine } from './own-program.ts';

/**
 * Directory in which servers that a client runs anyway (`secateur mcp focus`) take its hooks' events: one
 * socket each, for their own user.
 */
export function socketFolder({ dataDir }: Config['recovery']): string {
  return join(dataDir, 'sockets');
}

export const SOCKET_NAME = /^hook-\d+\.sock$/;

/** The variables that move the folders of clients: a server with others would open other transcripts. */
export const CLIENT_FOLDERS = [
  'CLAUDE_CONFIG_DIR',
  'CLAUDE_CODE_TMPDIR',
  'CODEX_HOME',
  'COPILOT_HOME',
  'XDG_DATA_HOME',
];

/** The one setting that `connect` puts in a hook's line, so that a script may hand it to a server. */
export const RECOVER_TOOL = 'SECATEUR_HOOK_RECOVER_TOOL';

export const DIGEST_HEADER = 'x-secateur-settings';

/** Only what a hook's own process would do: its store, its log, and no lines sent to another machine. */
export function mayUseSocket({ recovery, hook, pruner }: HookConfig, { origin }: OwnProgram): boolean {
  if (origin.platform === 'win32') return false;
  return recovery.store === 'embedded' && hook.log === 'file' && pruner.backend === 'heuristic';
}

/** Hashes everything that decides an answer: processes with equal digests give the same one. */
export function settingsDigest({ hook, pruner, recovery, audit }: HookConfig, own: OwnProgram): string {
  const { maxInputChars, structure } = pruner;
  const deciding = {
    version: packageVersion(),
    program: shellLine(ownProgram(own)),
    home: own.origin.homeDir,
    folders: CLIENT_FOLDERS.map((name) => own.origin.env[name] ?? ''),
    audit: audit.level,
    pruner: { ...leastSizeOf(pruner), ...cutPolicyOf(pruner), maxInputChars, structure },
    hook,
    recovery,
  };
  return createHash('sha256').update(JSON.stringify(deciding)).digest('hex');
}
