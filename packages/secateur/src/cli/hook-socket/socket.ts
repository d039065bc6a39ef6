import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, rmSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '@secateur/base/runtime/domain-error.ts';
import { packageVersion } from '@secateur/base/runtime/loading.ts';
import type { Deadline } from '@secateur/base/runtime/time.ts';
import { type Fields, parsedFields } from '@secateur/base/text/json.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import { postToSocket } from '@secateur/serving/wire/socket.ts';
import { NO_CHANGE } from '../../servers/hooks/client.ts';
import { cutLimitsOf } from '../cut-settings.ts';
import type { HookConfig } from '../hook-deps.ts';
import { type OwnProgram, ownProgram, shellLine } from '../own-program.ts';

/** Returns the directory of the sockets. The server of each client has one, for hooks of the same user. */
export function socketFolder({ dataDir }: Config['recovery']): string {
  return join(dataDir, 'sockets');
}

const SOCKET_NAME = /^hook-\d+\.sock$/;

/** Variables that set folders of clients. A server with other values would look for transcripts elsewhere. */
export const CLIENT_FOLDERS =
  'CLAUDE_CONFIG_DIR CLAUDE_CODE_TMPDIR CODEX_HOME COPILOT_HOME XDG_DATA_HOME'.split(' ');

/** The only setting that `connect` puts into a hook's shell line. The script may send it to a server. */
export const RECOVER_TOOL = 'SECATEUR_HOOK_RECOVER_TOOL';

export const DIGEST_HEADER = 'x-secateur-settings';

/** Whether a server may answer in place of the hook: both use the same store and log, and no lines are sent to other machines. */
export function mayUseSocket({ recovery, hook, pruner }: HookConfig, { origin }: OwnProgram): boolean {
  if (origin.platform === 'win32') return false;
  return recovery.store === 'embedded' && hook.log === 'file' && pruner.backend === 'heuristic';
}

/** Hashes all settings that affect an answer. Two processes with the same hash give the same answer. */
export function settingsDigest({ hook, pruner, recovery, audit }: HookConfig, own: OwnProgram): string {
  const { maxInputChars, structure } = pruner;
  const deciding = {
    version: packageVersion(),
    program: shellLine(ownProgram(own)),
    home: own.origin.homeDir,
    folders: CLIENT_FOLDERS.map((name) => own.origin.env[name] ?? ''),
    audit: audit.level,
    pruner: { ...cutLimitsOf(pruner), maxInputChars, structure },
    hook,
    recovery,
  };
  return createHash('sha256').update(JSON.stringify(deciding)).digest('hex');
}

export interface HookQuestion {
  readonly client: string;
  readonly event: Buffer;
  /** Deadline after which the agent no longer waits. */
  readonly until: Deadline;
}

const MAX_TRIES = 4;

/** Share of the time in which a server must accept the event. The rest suffices to cut in this process. */
const SHARE_TO_BE_ACCEPTED = 0.25;

/** Sends the event to the servers with the same settings, one after the other. `undefined` if none answers. */
export async function askServers(
  question: HookQuestion,
  config: HookConfig,
  own: OwnProgram,
): Promise<Fields | undefined> {
  const { until, event: body } = question;
  // A small event needs no engine, and a server would refuse invalid UTF-8.
  if (body.length < config.pruner.minChars || !isUtf8(body) || !mayUseSocket(config, own)) return undefined;
  const sockets = newestSockets(socketFolder(config.recovery)).slice(0, MAX_TRIES);
  if (sockets.length === 0) return undefined;
  const headers = { [DIGEST_HEADER]: settingsDigest(config, own) };
  const path = `/hooks/${question.client}`;
  const leftAtLeastMs = until.remainingMs() * (1 - SHARE_TO_BE_ACCEPTED);
  for (const socketPath of sockets) {
    const acceptedWithinMs = until.remainingMs() - leftAtLeastMs;
    const reply = await postToSocket({ socketPath, path, headers, body, acceptedWithinMs, until });
    if (reply.kind === 'answered') return parsedFields(reply.body);
    // The time is up, so nothing is cut, as after any other timeout.
    if (reply.kind === 'late') return NO_CHANGE;
    // The event may have crashed the server, so it is not sent to another one.
    if (reply.kind === 'broken') return undefined;
    if (reply.kind === 'gone') attempt(() => rmSync(socketPath, { force: true }));
  }
  return undefined;
}

/** Returns the sockets, newest first. Only this user can create them, because events contain what the agent reads. */
function newestSockets(folder: string): readonly string[] {
  const names = attempt(() => (isOwnersOnly(lstatSync(folder)) ? readdirSync(folder) : []));
  const sockets = (names ?? []).flatMap((name) => {
    const path = join(folder, name);
    const found = SOCKET_NAME.test(name) ? attempt(() => lstatSync(path)) : undefined;
    return found?.isSocket() && isOwnersOnly(found) ? [{ path, at: found.mtimeMs }] : [];
  });
  return sockets.sort((left, right) => right.at - left.at).map(({ path }) => path);
}

const OTHERS = 0o077;

function isOwnersOnly({ uid, mode }: Stats): boolean {
  return uid === process.getuid?.() && (mode & OTHERS) === 0;
}
