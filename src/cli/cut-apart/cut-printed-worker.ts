import { realpathSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { writeAll } from '../write-all.ts';
import { type CutRequest, cutPrinted } from './cut-printed.ts';
import { packMessage, unpackMessage } from './message.ts';

/** The process in which `secateur run` has an output cut: a request on standard input, the answer on standard output. */
async function answerRequest(): Promise<void> {
  const message = unpackMessage<CutRequest>(await buffer(process.stdin));
  if (message === undefined) process.exit(1);
  const cut = await cutPrinted(message.header, message.parts, process.stderr);
  await writeAll(process.stdout, [packMessage({ isCut: cut !== undefined }, cut ?? [])]);
}

// Not if another program loads all modules, as the check of patterns does.
const [, script] = process.argv;
if (script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url)) await answerRequest();
