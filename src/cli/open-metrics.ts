import type { HttpHostOptions } from '../wire/http-host.ts';
import type { HttpRoute } from '../wire/http-route.ts';
import type { ServerParts } from './server-parts.ts';

/** `GET /metrics` and what feeds it, for one server's HTTP host; nothing where it is switched off. */
export function withMetrics(
  server: string,
  routes: readonly HttpRoute[],
  { metrics }: Pick<ServerParts, 'metrics'>,
): Pick<HttpHostOptions, 'routes' | 'onAnswered'> {
  if (metrics === undefined) return { routes };
  metrics.serve();
  const route: HttpRoute = {
    method: 'GET',
    path: '/metrics',
    handle: async () => {
      const { contentType, body } = await metrics.text();
      return { headers: { 'content-type': contentType }, body };
    },
  };
  return {
    routes: [...routes, route],
    onAnswered: ({ status, seconds }) => metrics.answered({ server, status, seconds }),
  };
}
