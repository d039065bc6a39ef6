import { readBody } from '../http-body.ts';
import { notJson, tooLarge } from '../http-failure.ts';
import type { PlainRoute } from '../http-route.ts';
import { parseJson } from '../json-text.ts';
import { sendAnswer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { isJsonRequest } from './media-type.ts';
import type { RpcEndpointParts } from './rpc-endpoint.ts';

export function plainEndpoint(
  route: PlainRoute,
  { maxBodyBytes, refuse }: Pick<RpcEndpointParts, 'maxBodyBytes' | 'refuse'>,
): (exchange: Exchange) => Promise<void> {
  const hasBody = route.method === 'POST' || route.method === 'PUT';

  const answer = async (exchange: Exchange, body: unknown) => {
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
