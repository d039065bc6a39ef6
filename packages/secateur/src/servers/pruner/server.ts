import type { Clock } from '@secateur/base/runtime/clock.ts';
import type { Pruner } from '@secateur/engine/pruner.ts';
import { recoverTextTool, recoveryErrorCodes } from '@secateur/engine/recover-text.ts';
import type { Recovery } from '@secateur/engine/recovery/recovery.ts';
import type { PruneOutcome } from '@secateur/engine/request.ts';
import type { HttpRoute } from '@secateur/serving/wire/http-route.ts';
import type { RpcServer } from '@secateur/serving/wire/rpc-server.ts';
import type { Ledger } from '../../savings/ledger.ts';
import { recordOutcome, recordRecovered } from '../record-outcome.ts';
import { pruneRoute } from './prune-route.ts';
import { type Health, healthTool } from './tools/health.ts';
import { type PruneCaller, pruneTextTool } from './tools/prune-text.ts';

export interface PrunerServerParts {
  pruner: Pruner;
  recovery: Recovery;
  ledger: Ledger;
  clock: Clock;
  version: string;
  /** Price of a million input tokens in US dollars, for `cost_estimated_usd`. Default 3. */
  usdPerMillionTokens?: number | undefined;
}

export interface PrunerServer {
  /** JSON-RPC, for HTTP and stdio alike. */
  rpc: RpcServer;
  /** Plain HTTP beside it. */
  routes: HttpRoute[];
}

export const PRUNER_RPC_PATHS = ['/rpc', '/mcp'] as const;

export function createPrunerServer(parts: PrunerServerParts): PrunerServer {
  const { pruner, recovery, version, usdPerMillionTokens } = parts;
  const health = healthOf(parts);
  const onRecovered = recordRecovered(parts.ledger, { system: 'pruner', tool: 'recover_text' });
  return {
    rpc: {
      name: 'mcp-pruner',
      version,
      tools: [
        pruneTextTool({ pruner, onPruned: recordCut(parts.ledger, 'prune_text'), usdPerMillionTokens }),
        recoverTextTool({ recovery, onRecovered }),
        healthTool(health),
      ],
      methods: { health: async () => health() },
      errorCodes: recoveryErrorCodes,
    },
    routes: [
      { method: 'GET', path: '/health', handle: async () => ({ json: health() }) },
      pruneRoute({ pruner, onPruned: recordCut(parts.ledger, 'prune') }),
    ],
  };
}

function healthOf({ version, clock }: PrunerServerParts): Health {
  return () => ({
    status: 'healthy',
    server: 'mcp-pruner',
    version,
    capabilities: ['prune_text', 'recover_text', 'annotations', 'markers'],
    timestamp: new Date(clock.now()).toISOString(),
  });
}

function recordCut(ledger: Ledger, tool: string) {
  return (outcome: PruneOutcome, caller: PruneCaller) =>
    recordOutcome(ledger, outcome, { system: 'pruner', tool, ...caller });
}
