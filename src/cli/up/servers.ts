import type { Config } from '../../config/settings.ts';
import type { Launch } from '../launch.ts';

export type UpConfig = Pick<
  Config,
  'pruner' | 'focus' | 'gateway' | 'hook' | 'recovery' | 'audit' | 'wire' | 'up'
>;

/** One of the servers `up` runs. */
export interface UpServer {
  readonly name: string;
  readonly healthPath: string;
  /** Where clients connect. */
  readonly endpointPath: string;
  readonly offers: string;
  load(): Promise<Launch<keyof UpConfig>>;
}

/** In the order they start: the gateway's upstream `pruner` is the first one. */
export const upServers: readonly UpServer[] = [
  {
    name: 'pruner',
    healthPath: '/health',
    endpointPath: '/mcp',
    offers: 'prune_text, recover_text',
    load: async () => (await import('../launches/pruner.ts')).launchPruner,
  },
  {
    name: 'focus',
    healthPath: '/healthz',
    endpointPath: '/mcp',
    offers: 'read, bash, grep, recover_text',
    load: async () => (await import('../launches/focus.ts')).launchFocus,
  },
  {
    name: 'gateway',
    healthPath: '/health',
    endpointPath: '/api/mcp-gateway/NAME/rpc',
    offers: 'your MCP servers by NAME, recover_text',
    load: async () => (await import('../launches/gateway.ts')).launchGateway,
  },
];
