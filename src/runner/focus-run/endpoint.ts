import { request } from 'node:http';

/** Where a running focus server answers. */
export interface McpEndpoint {
  host: string;
  port: number;
  /** The MCP endpoint: `http://127.0.0.1:8008/mcp`. */
  url: string;
}

export function endpointAt(host: string, port: number): McpEndpoint {
  const shownHost = host.includes(':') ? `[${host}]` : host;
  return { host, port, url: `http://${shownHost}:${port}/mcp` };
}

/** One `GET /healthz`; anything but a prompt 200 counts as down. */
export function isEndpointUp({ host, port }: McpEndpoint, timeoutMs = 2000): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = request({ host, port, path: '/healthz', timeout: timeoutMs, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    probe.on('timeout', () => probe.destroy());
    probe.on('error', () => resolve(false));
    probe.on('close', () => resolve(false));
    probe.end();
  });
}
