import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isSecretVariable } from '@secateur/base/redaction/redact.ts';
import type { ProcessWatchdog } from '@secateur/base/runtime/process-watchdog.ts';
import { boundaryAfter, boundaryBefore, utf8Prefix } from '@secateur/base/text/characters.ts';
import { firstErrorLine } from '@secateur/base/text/failure-words.ts';
import type { PipeSupply } from './output-pipes.ts';
import { type ChildRequest, runChild } from './run-program.ts';

/** A command to run. Its directory must exist inside the root, as checked by the caller. */
export interface CommandRequest
  extends Pick<ChildRequest, 'cwd' | 'env' | 'timeoutMs' | 'signal' | 'clock' | 'slots'> {
  command: string;
  /** Environment of the server. Variables that look like secrets are removed. */
  ownEnv: Readonly<Record<string, string | undefined>>;
  /** Maximum bytes of stdout and stderr together. */
  maxOutputBytes: number;
  watchdog: ProcessWatchdog;
  pipes: PipeSupply;
}

export type CommandOutcome = Awaited<ReturnType<typeof runCommand>>;

/** Runs a shell command and returns its output, however the command ends. Uses limited memory. */
export async function runCommand(request: CommandRequest) {
  const stdout = new HeadAndTail(request.maxOutputBytes);
  const stderr = new HeadAndTail(request.maxOutputBytes);
  const end = await runChild({
    ...request,
    ...shell(request),
    env: commandEnvironment(request.ownEnv, request.env),
    onStdout: (chunk) => stdout.push(chunk),
    onStderr: (chunk) => stderr.push(chunk),
  });
  request.pipes.prepare();
  const share = shareBytes(request.maxOutputBytes, stdout.bytes, stderr.bytes);
  const out = stdout.text(share.stdout);
  const err = stderr.text(share.stderr);
  return { end, stdout: out.text, stderr: err.text, truncated: out.truncated || err.truncated };
}

/** Waits for a line, which is sent when the watchdog watches the process. Without a line the server has exited. */
const AFTER_A_LINE = 'read -r _ && exec "$0" -lc "$1" </dev/null';

function shell({ command, ownEnv }: CommandRequest): Pick<ChildRequest, 'file' | 'args' | 'awaitsLine'> {
  if (process.platform === 'win32') return { file: 'cmd.exe', args: ['/d', '/s', '/c', command] };
  const bash = findBash(ownEnv.PATH ?? '');
  if (bash === undefined) return { file: 'bash', args: ['-lc', command] };
  return { file: '/bin/sh', args: ['-c', AFTER_A_LINE, bash, command], awaitsLine: true };
}

/** Returns bash from the server's PATH. The PATH of a call is meant for its command and may not contain bash. */
function findBash(path: string): string | undefined {
  const places = path.split(':').filter((folder) => isAbsolute(folder));
  return places.map((folder) => join(folder, 'bash')).find((file) => existsSync(file));
}

/** Divides the bytes between two streams. Each gets what the other leaves, and at least half if both need more. */
function shareBytes(maxBytes: number, stdout: number, stderr: number): { stdout: number; stderr: number } {
  const half = Math.floor(maxBytes / 2);
  const forStderr = Math.min(stderr, Math.max(half, maxBytes - stdout));
  return { stdout: maxBytes - forStderr, stderr: forStderr };
}

/** Returns the environment of a command: that of the server without secrets, and the variables of the call. */
function commandEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  named: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && !isSecretVariable(name, value)) environment[name] = value;
  }
  return { ...environment, ...named };
}

/** Keeps the beginning and the end of a stream, and the first error line between them, in limited memory. */
export class HeadAndTail {
  private readonly headLimit: number;
  private readonly tailLimit: number;
  private head = new GrowingBuffer();
  private tail = new GrowingBuffer();
  private droppedBytes = 0;
  private droppedLines = 0;
  private droppedError: string | undefined;

  constructor(maxBytes: number) {
    this.headLimit = Math.floor(maxBytes / 2);
    this.tailLimit = maxBytes - this.headLimit;
  }

  get bytes(): number {
    return this.head.length + this.tail.length + this.droppedBytes;
  }

  push(chunk: Buffer): void {
    const room = Math.min(this.headLimit - this.head.length, chunk.length);
    this.head.append(chunk.subarray(0, room));
    this.tail.append(chunk.subarray(room));
    // Bytes are dropped in large steps, so that each byte is copied only about once.
    if (this.tail.length > 2 * this.tailLimit + 65_536) this.drop(this.tail.length - this.tailLimit);
  }

  private drop(most: number): void {
    const tail = this.tail.bytes();
    const gone = tail.subarray(0, lineBefore(tail, boundaryBefore(tail, most)));
    this.droppedBytes += gone.length;
    this.droppedLines += countNewlines(gone);
    this.droppedError ??= errorIn(gone);
    this.tail.dropStart(gone.length);
  }

  /** Returns the text: all of it if it fits, otherwise the beginning, a notice with the number of removed bytes, and the end. */
  text(maxBytes: number): { text: string; truncated: boolean } {
    const kept = Buffer.concat([this.head.bytes(), this.tail.bytes()]);
    const text = kept.toString('utf8');
    if (this.droppedBytes === 0 && Buffer.byteLength(text) <= maxBytes) return { text, truncated: false };
    return { text: this.cutText(kept, maxBytes), truncated: true };
  }

  private cutText(kept: Buffer, maxBytes: number): string {
    const room = Math.min(NOTICE_BYTES, Math.ceil(maxBytes / 2));
    // Invalid UTF-8 becomes three times as long when decoded, so the budget is halved until the text fits.
    for (let budget = maxBytes - room; ; budget = Math.floor(budget / 2)) {
      const text = this.around(kept, budget);
      if (Buffer.byteLength(text) <= maxBytes) return text;
      if (budget === 0) return utf8Prefix(text, maxBytes);
    }
  }

  private around(kept: Buffer, budget: number): string {
    const half = Math.floor(budget / 2);
    const headEnd = lineBefore(kept, boundaryBefore(kept, Math.min(half, this.head.length)));
    const tailStart = lineAfter(kept, boundaryAfter(kept, Math.max(kept.length - half, headEnd)));
    const between = kept.subarray(headEnd, tailStart);
    const goneBytes = between.length + this.droppedBytes;
    const goneLines = countNewlines(between) + this.droppedLines;
    const error = this.firstGoneError(between, this.head.length - headEnd);
    const notice = `[… ${goneBytes} bytes, ${goneLines} lines cut here …]\n${error === undefined ? '' : `${error}\n[…]\n`}`;
    const head = kept.toString('utf8', 0, headEnd);
    return `${head}${head === '' || head.endsWith('\n') ? '' : '\n'}${notice}${kept.toString('utf8', tailStart)}`;
  }

  /**
   * Returns the first error line of the removed part: the bytes of `between` before offset `headBytes`, the
   * bytes dropped earlier, and the rest of `between`.
   */
  private firstGoneError(between: Buffer, headBytes: number): string | undefined {
    if (this.droppedBytes === 0) return errorIn(between);
    return (
      errorIn(between.subarray(0, headBytes)) ?? this.droppedError ?? errorIn(between.subarray(headBytes))
    );
  }
}

/** Bytes reserved for the notice, the first error line and line breaks. */
const NOTICE_BYTES = 512;
const MAX_ERROR_BYTES = 400;

function errorIn(bytes: Buffer): string | undefined {
  const line = firstErrorLine(bytes.toString('utf8'));
  return line === undefined ? undefined : utf8Prefix(line, MAX_ERROR_BYTES);
}

class GrowingBuffer {
  length = 0;
  private store = Buffer.alloc(0);

  append(chunk: Buffer): void {
    const needed = this.length + chunk.length;
    if (needed > this.store.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.store.length * 2, 16_384));
      this.store.copy(larger, 0, 0, this.length);
      this.store = larger;
    }
    chunk.copy(this.store, this.length);
    this.length = needed;
  }

  bytes(): Buffer {
    return this.store.subarray(0, this.length);
  }

  dropStart(bytes: number): void {
    this.store.copyWithin(0, bytes, this.length);
    this.length -= bytes;
  }
}

/** Returns the end of the last complete line, or `end` if the last line is so long that too much would be lost. */
function lineBefore(bytes: Buffer, end: number): number {
  if (end === 0) return 0;
  const newline = bytes.lastIndexOf(10, end - 1);
  return newline + 1 > end / 2 ? newline + 1 : end;
}

function lineAfter(bytes: Buffer, start: number): number {
  if (bytes[start - 1] === 10) return start;
  const newline = bytes.indexOf(10, start);
  return newline !== -1 && newline + 1 < start + (bytes.length - start) / 2 ? newline + 1 : start;
}

function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}
