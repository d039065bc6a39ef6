import { isUtf8 } from 'node:buffer';
import { editJsonBytes, type JsonEdit } from '@secateur/base/text/json-edit.ts';
import { isJsonObject, type JsonObject, parsedJson } from '@secateur/base/text/json-value.ts';
import { failure } from './failure.ts';

/** A JSON-RPC answer, as it came and as it reads. */
export interface Answer {
  readonly bytes: Buffer;
  readonly text: string;
  readonly message: JsonObject;
}

/** The answer to the request with this id. Throws `upstream_invalid_response` for anything else. */
export function readAnswer(bytes: Buffer, idText: string | undefined): Answer {
  const answer = someAnswer(bytes);
  if (answer === undefined) {
    const message = 'The upstream answered with something that is no JSON-RPC answer';
    const hint = 'Check that its url or command in the configuration is that of an MCP server.';
    throw failure('upstream_invalid_response', message, { hint });
  }
  if (!isAnswerTo(answer, idText)) {
    throw failure('upstream_invalid_response', 'The upstream answered another request than it was asked');
  }
  return answer;
}

/** An answer to whatever request; `undefined` for anything else. */
export function someAnswer(bytes: Buffer): Answer | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString('utf8');
  const message = parsedJson(text);
  if (!isJsonObject(message) || message.method !== undefined) return undefined;
  return message.result === undefined && message.error === undefined ? undefined : { bytes, text, message };
}

export function isAnswerTo({ message }: Answer, idText: string | undefined): boolean {
  if (idText === undefined) return true;
  // A server that could not make out a request does not know its id.
  if (message.error !== undefined && (message.id ?? null) === null) return true;
  return JSON.stringify(message.id) === JSON.stringify(JSON.parse(idText));
}

/** The answer's bytes with single values changed. */
export function editAnswer({ bytes, text }: Answer, edits: readonly JsonEdit[]): Buffer {
  // Only in ASCII is a text as long as its bytes, and the same.
  const latin1 = text.length === bytes.length ? text : bytes.toString('latin1');
  return editJsonBytes({ bytes, latin1 }, edits);
}
