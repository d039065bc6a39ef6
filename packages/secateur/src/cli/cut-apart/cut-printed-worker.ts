import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readAtMost } from '@secateur/base/runtime/bounded-reading.ts';
import { writeAll } from '@secateur/serving/commands/terminal.ts';
import { packMessage, unpackMessage } from '../cut-apart.ts';
import { type CutRequest, cutPrinted } from './cut-printed.ts';

/** Maximum bytes of a request. `secateur run` stores less of an output. */
const MAX_REQUEST_BYTES = 256 * 1024 * 1024;

/** Cuts one output for `secateur run` in a separate process. Reads the request from stdin and writes the answer to stdout. */
async function answerRequest(): Promise<void> {
  const request = await readAtMost(process.stdin, MAX_REQUEST_BYTES);
  const message = request && unpackMessage<CutRequest>(request);
  if (message === undefined) process.exit(1);
  const cut = await cutPrinted(message.header, message.parts, process.stderr);
  await writeAll(process.stdout, [packMessage({ isCut: cut !== undefined }, cut ?? [])]);
}

// Runs only if this file is the started script. The check of patterns imports all modules.
const [, script] = process.argv;
if (script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url)) await answerRequest();
