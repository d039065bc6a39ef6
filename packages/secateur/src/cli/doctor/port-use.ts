import { createServer } from 'node:net';
import { httpUrl, probeHealth } from '@secateur/base/runtime/probe-health.ts';

/** Returns whether a port is free, used by one of our own servers, or by another program. */
export async function portUse(
  { host, port }: { host: string; port: number },
  bearerToken: string | undefined,
): Promise<'free' | 'ours' | 'taken'> {
  if (port === 0 || (await canListen(host, port))) return 'free';
  const answers = await Promise.all(
    HEALTH_PATHS.map((path) =>
      probeHealth({ url: httpUrl(host, port) + path, timeoutMs: PROBE_TIMEOUT_MS, bearerToken }),
    ),
  );
  return answers.includes(true) ? 'ours' : 'taken';
}

const HEALTH_PATHS = ['/health', '/healthz', '/api/mcp-gateway/servers'];
const PROBE_TIMEOUT_MS = 1000;

function canListen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port }, () => server.close(() => resolve(true)));
  });
}
