import { buffer } from 'node:stream/consumers';
import { writeAll } from '../write-all.ts';
import { type CutRequest, cutPrinted } from './cut-printed.ts';
import { packMessage, unpackMessage } from './message.ts';

/** The process in which `secateur run` has an output cut: a request on standard input, the answer on standard output. */
const message = unpackMessage<CutRequest>(await buffer(process.stdin));
if (message === undefined) process.exit(1);
const cut = await cutPrinted(message.header, message.parts, process.stderr);
await writeAll(process.stdout, [packMessage({ isCut: cut !== undefined }, cut ?? [])]);
