import { createServer } from 'node:net';
import { probeHealth } from '../probe-health.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Whether a port can be had, is one of our own servers, or belongs to somebody else. */
export async function portUse(
  address: Address,
  bearerToken: string | undefined,
): Promise<'free' | 'ours' | 'taken'> {
  if (address.port === 0 || (await canListen(address))) return 'free';
  const base = `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`;
  const answers = await Promise.all(
    HEALTH_PATHS.map((path) =>
      probeHealth({ url: `${base}${path}`, timeoutMs: PROBE_TIMEOUT_MS, bearerToken }),
    ),
  );
  return answers.includes(true) ? 'ours' : 'taken';
}

const HEALTH_PATHS = ['/health', '/healthz', '/api/mcp-gateway/servers'];
const PROBE_TIMEOUT_MS = 1000;

function canListen({ host, port }: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port }, () => server.close(() => resolve(true)));
  });
}
