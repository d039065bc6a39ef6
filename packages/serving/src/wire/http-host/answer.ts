import type { IncomingMessage, ServerResponse } from 'node:http';
import { announcedLength, type HttpAnswer } from '../http-route.ts';
import type { EncodedJson } from '../messages/rpc-message.ts';

const LINGER_MS = 1000;
const LINGER_BYTES = 64 * 1024 * 1024;

export function sendAnswer(response: ServerResponse, answer: HttpAnswer): void {
  const { headers, body } = encoded(answer);
  response.writeHead(answer.status ?? 200, headers);
  response.end(body);
}

/** Sends JSON that is encoded already, long ones piece by piece. */
export function sendJson(response: ServerResponse, json: EncodedJson, headers: HttpAnswer['headers']): void {
  if (typeof json === 'string') {
    sendAnswer(response, { body: json, ...(headers && { headers }) });
    return;
  }
  const length = json.reduce((sum, piece) => sum + piece.length, 0);
  response.writeHead(200, { ...headers, 'content-length': length });
  for (const piece of json) response.write(piece);
  response.end();
}

/** So little is read to its end instead: a refused client that must connect anew costs more than its body. */
const READ_ON_BYTES = 256 * 1024;

/**
 * Answers although the body is still on its way. Closing immediately would reset the connection, and the
 * client would never see why: the answer is sent, what still arrives is discarded for a moment, then the
 * connection closes.
 */
export function sendEarly(request: IncomingMessage, response: ServerResponse, answer: HttpAnswer): void {
  if (request.complete || isSmall(request)) {
    sendAnswer(response, answer);
    return;
  }
  const { headers, body } = encoded(answer);
  response.writeHead(answer.status ?? 200, { ...headers, connection: 'close' });
  response.write(body);
  discard(request, () => response.end());
}

/** node sends a short text in one piece with the headers; a long one is better encoded once, here. */
const ONE_PIECE_CHARS = 16_384;

function encoded({ headers, json, body }: HttpAnswer): {
  headers: Record<string, string | number>;
  body: string | Uint8Array;
} {
  const content = json === undefined ? (body ?? '') : JSON.stringify(json);
  const bytes =
    typeof content === 'string' && content.length > ONE_PIECE_CHARS ? Buffer.from(content) : content;
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  return { headers: { ...type, 'content-length': Buffer.byteLength(bytes), ...headers }, body: bytes };
}

function isSmall(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] === undefined && announcedLength(request) <= READ_ON_BYTES;
}

function discard(request: IncomingMessage, done: () => void): void {
  let left = LINGER_BYTES;
  const timer = setTimeout(finish, LINGER_MS);
  function count(chunk: Buffer) {
    left -= chunk.length;
    if (left <= 0) finish();
  }
  function finish() {
    clearTimeout(timer);
    request.off('data', count).off('end', finish).off('close', finish);
    done();
  }
  request.on('data', count).on('end', finish).on('close', finish).resume();
}
