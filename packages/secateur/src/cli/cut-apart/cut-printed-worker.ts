import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readAtMost } from '@secateur/base/runtime/bounded-reading.ts';
import { writeAll } from '@secateur/serving/commands/terminal.ts';
import { packMessage, unpackMessage } from '../cut-apart.ts';
import { type CutRequest, cutPrinted } from './cut-printed.ts';

/** More than `secateur run` holds of an output. */
const MAX_REQUEST_BYTES = 256 * 1024 * 1024;

/** The process in which `secateur run` has an output cut: a request on standard input, the answer on standard output. */
async function answerRequest(): Promise<void> {
  const request = await readAtMost(process.stdin, MAX_REQUEST_BYTES);
  const message = request && unpackMessage<CutRequest>(request);
  if (message === undefined) process.exit(1);
  const cut = await cutPrinted(message.header, message.parts, process.stderr);
  await writeAll(process.stdout, [packMessage({ isCut: cut !== undefined }, cut ?? [])]);
}

// Not if another program loads all modules, as the check of patterns does.
const [, script] = process.argv;
if (script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url)) await answerRequest();
