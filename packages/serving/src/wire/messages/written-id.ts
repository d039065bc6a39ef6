import { memberSpans, skipBlank } from '@secateur/base/text/json-spans.ts';
import type { EncodedJson } from './encode-json.ts';
import type { RpcId } from './rpc-message.ts';

/** An id as the client wrote it, where a number of JavaScript cannot hold it: nanoseconds since 1970 are too many. */
export function writtenId(id: RpcId, message: Buffer): string | undefined {
  if (typeof id !== 'number' || !Number.isInteger(id) || Number.isSafeInteger(id)) return undefined;
  const text = message.toString('utf8');
  const span = memberSpans(text, skipBlank(text, 0)).get('id');
  return span === undefined ? undefined : text.slice(span.start, span.end);
}

/** Returns an answer with its id exchanged for the written one. */
export function answerTo(written: string | undefined, answer: EncodedJson): EncodedJson {
  if (written === undefined) return answer;
  const withId = (text: string) => text.replace(START, () => `{"jsonrpc":"2.0","id":${written}`);
  if (typeof answer === 'string') return withId(answer);
  const [first = Buffer.alloc(0), ...rest] = answer;
  return [Buffer.from(withId(Buffer.from(first).toString('utf8'))), ...rest];
}

const START = /^\{"jsonrpc":"2\.0","id":[^,]*/;
