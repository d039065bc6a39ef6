import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parsedFields } from '@secateur/base/text/json.ts';
import type { Terminal } from '@secateur/serving/commands/terminal.ts';
import { runAttached } from '@secateur/serving/workspace/run-attached.ts';
import type { CutRequest } from './cut-apart/cut-printed.ts';
import type { HookConfig } from './hook-deps.ts';
import type { OwnProgram } from './own-program.ts';

/** Output of a command, separated by stream. */
export interface Printed {
  readonly command: string;
  readonly goal: string | undefined;
  readonly texts: readonly Buffer[];
}

export interface CutContext extends OwnProgram {
  readonly config: HookConfig;
  readonly terminal: Terminal;
}

/** Time in ms, added to the configured limit, in which the process has to start and to end. */
const MAX_OVERHEAD_MS = 10_000;
/** Maximum bytes of an answer. A cut text is at most a few lines longer than the original. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * Cuts in a separate process. `undefined` if nothing is cut, or if that process fails by an exception, a
 * signal or lack of memory. The caller still has the output.
 */
export async function cutApart(printed: Printed, context: CutContext): Promise<Buffer[] | undefined> {
  const { config, terminal, origin, self } = context;
  // Each character takes at least one byte, so the text cannot have more characters than bytes.
  if (printed.texts.every(({ length }) => length < config.pruner.minChars)) return undefined;
  const script = workerScript();
  const { command, goal } = printed;
  const request: CutRequest = { command, goal, config, origin, self };
  if (script === undefined) {
    const { cutPrinted } = await import('./cut-apart/cut-printed.ts');
    return cutPrinted(request, printed.texts, terminal.errors);
  }
  const { end, output } = await runAttached({
    file: process.execPath,
    args: [script],
    input: packMessage(request, printed.texts),
    cwd: origin.cwd,
    env: origin.env,
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs: config.hook.timeoutMs + MAX_OVERHEAD_MS,
  });
  if (end.kind !== 'exited' || end.exitCode !== 0 || output === undefined) return undefined;
  const answer = unpackMessage<{ isCut: boolean }>(output.stdout);
  // Prints the event log if the settings send it to standard error. The output of a crash is not shown.
  terminal.errors.write(output.stderr);
  return answer?.header.isCut === true ? answer.parts : undefined;
}

/** Returns the compiled file beside this one; `undefined` if the program runs from source. */
function workerScript(): string | undefined {
  const url = new URL('./cut-apart/cut-printed-worker.js', import.meta.url);
  return existsSync(url) ? fileURLToPath(url) : undefined;
}

/**
 * Packs a message for another process: a line of JSON, then bytes. As a string, the bytes would take several
 * times the memory, which may be scarce.
 */
export function packMessage(header: object, parts: readonly Uint8Array[]): Buffer {
  const line = JSON.stringify({ header, sizes: parts.map(({ length }) => length) });
  return Buffer.concat([Buffer.from(`${line}\n`), ...parts]);
}

/** Unpacks a message; `undefined` if the bytes are not a complete message. */
export function unpackMessage<Header>(bytes: Buffer): { header: Header; parts: Buffer[] } | undefined {
  const lineEnd = bytes.indexOf('\n');
  if (lineEnd === -1) return undefined;
  const line = parsedFields(bytes.toString('utf8', 0, lineEnd));
  if (!Array.isArray(line?.sizes)) return undefined;
  let at = lineEnd + 1;
  const parts = line.sizes.map((size: number) => {
    at += size;
    return bytes.subarray(at - size, at);
  });
  return at === bytes.length ? { header: line.header as Header, parts } : undefined;
}
