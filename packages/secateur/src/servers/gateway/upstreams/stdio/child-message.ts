import { memberSpans, type Span, skipBlank } from '@secateur/base/text/json-spans.ts';
import { isJsonObject, type JsonObject, parsedJson } from '@secateur/base/text/json-value.ts';

/** A server's response, request or notification. Anything else on its stdout is noise. */
export type ChildMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly idSpan: Span; readonly text: string }
  | ({ readonly kind: 'request' } & Question)
  | { readonly kind: 'notification'; readonly params: JsonObject; readonly text: string };

/** A request of a server to a client. */
export interface Question {
  readonly idText: string;
  readonly method: string;
  readonly text: string;
}

export function readChildMessage(text: string): ChildMessage | undefined {
  const start = skipBlank(text, 0);
  if (text[start] !== '{') return undefined;
  const spans = memberSpans(text, start);
  const idSpan = spans.get('id');
  if (spans.has('method')) return readCall(text, idSpan);
  if (idSpan === undefined || !(spans.has('result') || spans.has('error'))) return undefined;
  const id = Number(text.slice(idSpan.start, idSpan.end));
  return Number.isInteger(id) ? { kind: 'answer', id, idSpan, text } : undefined;
}

function readCall(text: string, idSpan: Span | undefined): ChildMessage | undefined {
  const message = parsedJson(text);
  if (!isJsonObject(message) || typeof message.method !== 'string') return undefined;
  const { method } = message;
  if (idSpan !== undefined) {
    return { kind: 'request', idText: text.slice(idSpan.start, idSpan.end), method, text };
  }
  return { kind: 'notification', params: isJsonObject(message.params) ? message.params : {}, text };
}

/** Returns the answer with the id its client gave. */
export function withId({ text, idSpan }: { text: string; idSpan: Span }, idText: string): string {
  return text.slice(0, idSpan.start) + idText + text.slice(idSpan.end);
}
