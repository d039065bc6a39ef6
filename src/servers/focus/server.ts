import type { Recovery } from '../../recovery/recovery.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { EventLog } from '../../runtime/event-log.ts';
import type { Lifeline } from '../../runtime/lifeline.ts';
import type { Ledger } from '../../savings/ledger.ts';
import type { HttpRoute } from '../../wire/http-route.ts';
import type { RpcServer } from '../../wire/rpc-server.ts';
import type { PipeSupply } from '../../workspace/output-pipes.ts';
import type { WorkspaceRoot } from '../../workspace/root.ts';
import { recoveryErrorCodes } from '../recover-text.ts';
import type { FocusBackend } from './backend.ts';
import { requestEvents } from './events.ts';
import { focusTools } from './tools.ts';

export interface FocusServerParts {
  root: WorkspaceRoot;
  /** Without one nothing is pruned. */
  backend: FocusBackend | undefined;
  maxPruneInputBytes: number;
  /** Answers hold text alone, without structured content. */
  textOnly: boolean;
  ownEnv: Readonly<Record<string, string | undefined>>;
  /** Ends running commands if this process dies. */
  lifeline: Lifeline;
  pipes: PipeSupply;
  recovery: Recovery;
  ledger: Ledger;
  clock: Clock;
  log: EventLog;
  version: string;
}

export interface FocusServer {
  /** JSON-RPC, for HTTP and stdio alike. */
  rpc: RpcServer;
  /** Plain HTTP beside it. */
  routes: HttpRoute[];
}

const FOCUS_SERVER_NAME = '@jeeves/mcp-pruner';
export const FOCUS_RPC_PATHS = ['/mcp'] as const;

export function createFocusServer(parts: FocusServerParts): FocusServer {
  const { root, recovery, ledger, clock, log, ownEnv, lifeline, pipes, textOnly, version } = parts;
  const pruner = { backend: parts.backend, maxInputBytes: parts.maxPruneInputBytes, clock, log };
  return {
    rpc: {
      name: FOCUS_SERVER_NAME,
      version,
      instructions: INSTRUCTIONS,
      tools: focusTools({ root, pruner, ledger, textOnly, ownEnv, lifeline, pipes, clock, log }, recovery),
      initializeExtras: { jeeves: { schemaVersion: 1 } },
      errorCodes: recoveryErrorCodes,
      observer: requestEvents(log),
    },
    routes: [healthRoute(parts)],
  };
}

const INSTRUCTIONS =
  'read, bash and grep take context_focus_question: say in a full sentence what you want to know, and lines that do not help are left out. ' +
  'A marker ⟦PRUNÉ: prune_id=… lignes START-END …⟧ stands for each gap; recover_text gives those lines back.';

function healthRoute({ version, clock }: FocusServerParts): HttpRoute {
  const startedAt = clock.now();
  const startedMonotonic = clock.monotonic();
  return {
    method: 'GET',
    path: '/healthz',
    handle: async () => ({
      json: {
        ok: true,
        status: 'ok',
        server: { name: FOCUS_SERVER_NAME, version },
        time: {
          started_at: new Date(startedAt).toISOString(),
          uptime_ms: Math.round(clock.monotonic() - startedMonotonic),
        },
      },
    }),
  };
}
