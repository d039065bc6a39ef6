import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readAtMost } from '@secateur/base/runtime/bounded-reading.ts';
import { writeAll } from '@secateur/serving/commands/terminal.ts';
import { packMessage, unpackMessage } from '../cut-apart.ts';
import { type CutRequest, cutPrinted } from './cut-printed.ts';

/** Maximum bytes of a request, more than `secateur run` keeps of an output. */
const MAX_REQUEST_BYTES = 256 * 1024 * 1024;

/** Runs in the process in which `secateur run` has an output cut: request on stdin, answer on stdout. */
async function answerRequest(): Promise<void> {
  const request = await readAtMost(process.stdin, MAX_REQUEST_BYTES);
  const message = request && unpackMessage<CutRequest>(request);
  if (message === undefined) process.exit(1);
  const cut = await cutPrinted(message.header, message.parts, process.stderr);
  await writeAll(process.stdout, [packMessage({ isCut: cut !== undefined }, cut ?? [])]);
}

// Runs only as the started script, not if a program such as the check of patterns loads all modules.
const [, script] = process.argv;
if (script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url)) await answerRequest();
