import { readBody } from '../http-body.ts';
import { type HttpFailure, notJson, tooLarge } from '../http-failure.ts';
import type { HttpExchange, PlainRoute } from '../http-route.ts';
import { parseJson } from '../json-text.ts';
import { sendAnswer } from './answer.ts';
import { isJsonRequest } from './media-type.ts';

export interface PlainEndpointOptions {
  readonly maxBodyBytes: number;
  refuse(exchange: HttpExchange, failure: HttpFailure): void;
}

export function plainEndpoint(
  route: PlainRoute,
  { maxBodyBytes, refuse }: PlainEndpointOptions,
): (exchange: HttpExchange) => Promise<void> {
  const hasBody = route.method === 'POST' || route.method === 'PUT';

  const answer = async (exchange: HttpExchange, body: unknown) => {
    const { request, response, params, query, signal } = exchange;
    sendAnswer(response, await route.handle({ params, query, headers: request.headers, body, signal }));
  };

  return async (exchange) => {
    if (!hasBody) return answer(exchange, undefined);
    if (!isJsonRequest(exchange.request)) return refuse(exchange, notJson);
    const body = await readBody(exchange.request, maxBodyBytes);
    if (body.kind === 'gone') return;
    if (body.kind === 'too_large') return refuse(exchange, tooLarge(maxBodyBytes));
    const json = parseJson(body.bytes);
    if (json.kind === 'parsed') return answer(exchange, json.value);
    const message = `The body cannot be read: ${json.reason}`;
    return refuse(exchange, { status: 400, code: 'invalid_json', message });
  };
}
