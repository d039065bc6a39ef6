import type { HttpHostOptions } from '@secateur/serving/wire/http-host.ts';
import type { HttpRoute } from '@secateur/serving/wire/http-route.ts';
import type { Traces } from '../savings/traces.ts';
import type { ServerParts } from './server-parts.ts';

/**
 * `GET /metrics` and what feeds it and the traces, for one server's HTTP host; `undefined` if switched off.
 */
export function withMetrics(
  server: string,
  routes: readonly HttpRoute[],
  { metrics, traces, owner }: Pick<ServerParts, 'metrics' | 'traces' | 'owner'>,
): Pick<HttpHostOptions, 'routes' | 'onAnswered' | 'around'> {
  if (metrics === undefined) return { routes };
  metrics.serve();
  const route: HttpRoute = {
    method: 'GET',
    path: '/metrics',
    handle: async () => {
      const { contentType, body } = await metrics.text(owner());
      return { headers: { 'content-type': contentType }, body };
    },
  };
  return {
    routes: [...routes, route],
    around: traces && tracedBy(server, traces),
    onAnswered: (answer) => metrics.answered({ server, ...answer }),
  };
}

function tracedBy(server: string, traces: Traces): NonNullable<HttpHostOptions['around']> {
  return (exchange, work) => {
    const { request, response } = exchange;
    const { traceparent } = request.headers;
    const call = {
      server,
      // The header is of the last hop, and so nearer than what the message says.
      traceparent: () => (typeof traceparent === 'string' ? traceparent : exchange.traceparent),
      requestBytes: Number(request.headers['content-length'] ?? 0),
      status: () => response.statusCode,
    };
    return traces.around(call, work);
  };
}
