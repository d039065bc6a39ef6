import { memberSpans, skipBlank } from '../../text/json-spans.ts';
import type { RpcId } from './rpc-message.ts';

/** An id as the client wrote it, where a number of JavaScript cannot hold it: nanoseconds since 1970 are too many. */
export function writtenId(id: RpcId, message: Buffer): string | undefined {
  if (typeof id !== 'number' || !Number.isInteger(id) || Number.isSafeInteger(id)) return undefined;
  const text = message.toString('utf8');
  const span = memberSpans(text, skipBlank(text, 0)).get('id');
  return span === undefined ? undefined : text.slice(span.start, span.end);
}

/** The text of an answer, its id exchanged for the written one. */
export function answerTo(written: string | undefined, answer: string): string {
  return written === undefined ? answer : answer.replace(START, () => `{"jsonrpc":"2.0","id":${written}`);
}

const START = /^\{"jsonrpc":"2\.0","id":[^,]*/;
