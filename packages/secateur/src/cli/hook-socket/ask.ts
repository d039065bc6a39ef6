import { isUtf8 } from 'node:buffer';
import { lstatSync, readdirSync, rmSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Deadline } from '@secateur/base/runtime/deadline.ts';
import { type Fields, isFields } from '@secateur/base/text/json-value.ts';
import { postToSocket } from '@secateur/serving/wire/socket-post.ts';
import { NO_CHANGE } from '../../servers/hooks/client.ts';
import type { HookConfig } from '../hook-parts.ts';
import { DIGEST_HEADER, mayUseSocket, SOCKET_NAME, settingsDigest, socketFolder } from '../hook-socket.ts';
import type { OwnProgram } from '../own-program.ts';

export interface HookQuestion {
  readonly client: string;
  readonly event: Buffer;
  /** The agent waits no longer. */
  readonly until: Deadline;
}

const MAX_TRIES = 4;

/** A server that has not asked for the event by then is busy or stopped, and the rest of the time is enough for a cut here. */
const SHARE_TO_BE_ACCEPTED = 0.25;

/** Asks a server with the same settings. Returns `undefined` if none answers. */
export async function askServers(
  question: HookQuestion,
  config: HookConfig,
  own: OwnProgram,
): Promise<Fields | undefined> {
  if (!isWorthAsking(question, config) || !mayUseSocket(config, own)) return undefined;
  const sockets = newestSockets(socketFolder(config.recovery)).slice(0, MAX_TRIES);
  if (sockets.length === 0) return undefined;
  const headers = { [DIGEST_HEADER]: settingsDigest(config, own) };
  const { until, event: body } = question;
  const path = `/hooks/${question.client}`;
  const leftAtLeastMs = until.remainingMs() * (1 - SHARE_TO_BE_ACCEPTED);
  for (const socketPath of sockets) {
    const acceptedWithinMs = until.remainingMs() - leftAtLeastMs;
    const reply = await postToSocket({ socketPath, path, headers, body, acceptedWithinMs, until });
    if (reply.kind === 'answered') return objectIn(reply.body);
    // As any cut that takes too long.
    if (reply.kind === 'late') return NO_CHANGE;
    // Whatever broke one server must not break the next.
    if (reply.kind === 'broken') return undefined;
    if (reply.kind === 'gone') remove(socketPath);
  }
  return undefined;
}

/** Events too small to be cut need no engine; servers refuse invalid UTF-8. */
function isWorthAsking({ event }: HookQuestion, { pruner }: HookConfig): boolean {
  return event.length >= pruner.minChars && isUtf8(event);
}

/** Lists the sockets that only this account can have made and can open: an event holds what the agent reads. */
function newestSockets(folder: string): readonly string[] {
  try {
    if (!isOwnersOnly(lstatSync(folder))) return [];
    return readdirSync(folder)
      .filter((name) => SOCKET_NAME.test(name))
      .map((name) => join(folder, name))
      .flatMap((path) => {
        const found = lstatSync(path, { throwIfNoEntry: false });
        return found?.isSocket() && isOwnersOnly(found) ? [{ path, at: found.mtimeMs }] : [];
      })
      .sort((left, right) => right.at - left.at)
      .map(({ path }) => path);
  } catch {
    return [];
  }
}

const OTHERS = 0o077;

function isOwnersOnly({ uid, mode }: Stats): boolean {
  return uid === process.getuid?.() && (mode & OTHERS) === 0;
}

function objectIn(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return;
  }
}
