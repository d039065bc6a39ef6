import type { McpEndpoint } from './endpoint.ts';

/** The name under which agents see the tools: `mcp__pruner__read` and so on. */
const SERVER_NAME = 'pruner';

export type ClaudeMcpServers = Record<string, { type: 'http'; url: string }>;

export function claudeMcpServers(endpoint: McpEndpoint | undefined): ClaudeMcpServers {
  if (endpoint === undefined) return {};
  return { [SERVER_NAME]: { type: 'http', url: endpoint.url } };
}

/** Codex reads each value as TOML, and a JSON string is one. */
export function codexArguments(endpoint: McpEndpoint | undefined): string[] {
  if (endpoint === undefined) return [];
  return ['--config', `mcp_servers.${SERVER_NAME}.url=${JSON.stringify(endpoint.url)}`];
}
