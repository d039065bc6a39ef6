import { httpUrl, probeHealth } from '@secateur/base/runtime/probe-health.ts';

/** Address of a running focus server. */
export interface McpEndpoint {
  host: string;
  port: number;
  /** The MCP endpoint: `http://127.0.0.1:8008/mcp`. */
  url: string;
}

export function endpointAt(host: string, port: number): McpEndpoint {
  return { host, port, url: `${httpUrl(host, port)}/mcp` };
}

/** One `GET /healthz`; anything but a prompt 200 counts as down. */
export function isEndpointUp({ host, port }: McpEndpoint): Promise<boolean> {
  return probeHealth({ url: `${httpUrl(host, port)}/healthz`, timeoutMs: 2000 });
}
