import type { Pruner } from '../../pruning/pruner.ts';
import type { Recovery } from '../../recovery/recovery.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Ledger } from '../../savings/ledger.ts';
import { estimateTokens } from '../../text/token-estimate.ts';
import type { HttpRoute } from '../../wire/http-route.ts';
import type { RpcServer } from '../../wire/rpc-server.ts';
import { recoverTextTool, recoveryErrorCodes } from '../recover-text.ts';
import { pruneRoute } from './prune-route.ts';
import { type Health, healthTool } from './tools/health.ts';
import { pruneTextTool } from './tools/prune-text.ts';

export interface PrunerServerParts {
  pruner: Pruner;
  recovery: Recovery;
  ledger: Ledger;
  clock: Clock;
  version: string;
}

export interface PrunerServer {
  /** JSON-RPC, for HTTP and stdio alike. */
  rpc: RpcServer;
  /** Plain HTTP beside it. */
  routes: HttpRoute[];
}

export const PRUNER_RPC_PATHS = ['/rpc', '/mcp'] as const;

export function createPrunerServer(parts: PrunerServerParts): PrunerServer {
  const { pruner, recovery, version } = parts;
  const health = healthOf(parts);
  const onRecovered = ({ pruneId, text }: { pruneId: string; text: string }) =>
    parts.ledger.record({
      kind: 'recovered',
      system: 'pruner',
      tool: 'recover_text',
      pruneId,
      tokensBefore: 0,
      tokensAfter: estimateTokens(text),
    });
  return {
    rpc: {
      name: 'mcp-pruner',
      version,
      tools: [
        pruneTextTool({ pruner, onPruned: recordCut(parts.ledger, 'prune_text') }),
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

/** Texts that passed whole are no cuts. */
function recordCut(ledger: Ledger, tool: string) {
  return ({ id, stats: { tokensBefore, tokensAfter } }: CutRecord) => {
    if (tokensAfter === tokensBefore) return;
    ledger.record({ kind: 'cut', system: 'pruner', tool, pruneId: id, tokensBefore, tokensAfter });
  };
}

interface CutRecord {
  id: string;
  stats: { tokensBefore: number; tokensAfter: number };
}
