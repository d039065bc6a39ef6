import { fileURLToPath } from 'node:url';
import { attempt } from '@secateur/base/runtime/domain-error.ts';
import type { EventLog, LogEvent } from '@secateur/base/runtime/event-log.ts';
import type { Tool, ToolCallContext } from '@secateur/base/tools/tool.ts';
import { recoverTextTool, recoveryErrorCodes } from '@secateur/engine/recover-text.ts';
import type { HttpRoute } from '@secateur/serving/wire/http-route.ts';
import type { CallObserver, RpcServer } from '@secateur/serving/wire/protocol.ts';
import { openRoot, type WorkspaceRoot } from '@secateur/serving/workspace/root.ts';
import type { CommandRequest } from '@secateur/serving/workspace/run-command.ts';
import { openProcessSlots, type ProcessSlots } from '@secateur/serving/workspace/run-program.ts';
import { type CommonDeps, recordRecovered } from '../prune-outcome.ts';
import type { FocusBackend } from './backend.ts';
import { MAX_OUTPUT_BYTES } from './run-tool.ts';
import { bashTool } from './tools/bash.ts';
import { grepTool } from './tools/grep.ts';
import { readTool } from './tools/read.ts';

export interface FocusServerDeps extends CommonDeps, Pick<CommandRequest, 'ownEnv' | 'watchdog' | 'pipes'> {
  root: WorkspaceRoot;
  /** The pruner; `undefined` if pruning is switched off. */
  backend: FocusBackend | undefined;
  /** Whether the user switched off cuts for a project (A17). */
  isOff?(folder: string): boolean;
  /** Maximum bytes of an output that is pruned. Larger outputs are returned unchanged. */
  maxPruneInputBytes: number;
  /** Whether responses have no structured content. For clients that would show its JSON instead of the text. */
  textOnly: boolean;
}

/** Dependencies of `read`, `bash` and `grep`. */
export interface FocusToolDeps extends FocusServerDeps {
  /** Limits the number of concurrent child processes of this kind. */
  slots: ProcessSlots;
}

export interface FocusServer {
  /** The JSON-RPC server for HTTP and stdio. */
  rpc: RpcServer;
  /** Plain HTTP routes besides JSON-RPC. */
  routes: HttpRoute[];
}

const FOCUS_SERVER_NAME = '@jeeves/mcp-pruner';
export const FOCUS_RPC_PATHS = ['/mcp'] as const;

export function createFocusServer(parts: FocusServerDeps): FocusServer {
  return {
    rpc: {
      name: FOCUS_SERVER_NAME,
      version: parts.version,
      instructions: `${QUESTIONS} ${parts.textOnly ? COMPACT_MARKERS : CANONICAL_MARKERS}`,
      tools: focusTools(parts),
      initializeExtras: { jeeves: { schemaVersion: 1 } },
      errorCodes: recoveryErrorCodes,
      observer: requestEvents(parts.log),
    },
    routes: [healthRoute(parts)],
  };
}

/** Maximum numbers of commands. Commands may take minutes, and one agent may run several concurrently. */
const COMMANDS = { running: 32, waiting: 96 };
/** Maximum numbers of searches. Each search uses all cores, so more of them would only delay others. */
const SEARCHES = { running: 4, waiting: 124 };

/** Returns the tools in the order of `tools/list`. */
function focusTools(parts: FocusServerDeps): Tool[] {
  const commands = { ...parts, slots: openProcessSlots(COMMANDS) };
  const searches = { ...parts, slots: openProcessSlots(SEARCHES) };
  const { root: own, recovery, ledger, textOnly: asText } = parts;
  const onRecovered = recordRecovered(ledger, { system: 'focus', tool: 'recover_text' });
  // With structured content, a response contains the text twice.
  const copies = parts.textOnly ? 1 : 2;
  const reserving = (maxBytes: number, make: (root: WorkspaceRoot) => Tool): Tool => ({
    ...perProject(own, make),
    answerBytes: (args) => {
      const { max_output_bytes: asked = MAX_OUTPUT_BYTES } = args as { max_output_bytes?: number };
      return copies * Math.min(asked, maxBytes);
    },
  });
  return [
    reserving(MAX_OUTPUT_BYTES, (root) => readTool({ ...commands, root })),
    reserving(MAX_RESERVED_FOR_COMMAND, (root) => bashTool({ ...commands, root })),
    reserving(MAX_OUTPUT_BYTES, (root) => grepTool({ ...searches, root })),
    recoverTextTool({ recovery, forAgents: true, asText, onRecovered }),
  ];
}

/** Maximum bytes reserved for a command's response. Most are small, and larger reservations would block other calls. */
const MAX_RESERVED_FOR_COMMAND = 1_048_576;

const QUESTIONS =
  'read, bash and grep take context_focus_question: say in a full sentence what you want to know, and lines that do not help are left out.';
const COMPACT_MARKERS =
  'A first line ✂ prn_… names the output, and ✂ 36-47 stands for its lines 36 to 47; recover_text gives those lines back.';
const CANONICAL_MARKERS =
  'A marker ⟦PRUNÉ: prune_id=… lignes START-END …⟧ stands for each gap; recover_text gives those lines back.';

function healthRoute({ version, clock }: FocusServerDeps): HttpRoute {
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

/** Maximum number of projects whose tools are kept in memory. */
const MAX_PROJECTS = 50;

/** Returns a tool that uses the folder named by the client, or else the folder of the server. */
function perProject(own: WorkspaceRoot, make: (root: WorkspaceRoot) => Tool): Tool {
  const made = new Map<string, Tool>();
  const usual = make(own);
  const toolFor = (root: WorkspaceRoot) => {
    const known = made.get(root.real);
    if (known !== undefined) return known;
    if (made.size >= MAX_PROJECTS) made.clear();
    const tool = make(root);
    made.set(root.real, tool);
    return tool;
  };
  return {
    ...usual,
    forClient: async (context) => {
      const root = await clientRoot(context);
      return root === undefined ? usual : toolFor(root);
    },
  };
}

/** Returns the first root of the client that is a folder on this machine. */
async function clientRoot(context: ToolCallContext): Promise<WorkspaceRoot | undefined> {
  const uris = (await context.roots?.()) ?? [];
  for (const uri of uris) {
    const path = attempt(() => fileURLToPath(uri));
    const root = path === undefined ? undefined : await openRoot(path).catch(() => undefined);
    if (root !== undefined) return root;
  }
  return undefined;
}

/** Logs requests when they arrive. Also logs those that cannot be parsed or have invalid arguments. */
function requestEvents(log: EventLog): CallObserver {
  const emit = (level: LogEvent['level'], event: string, { requestId, ...data }: Record<string, unknown>) =>
    log.emit({ level, event: `tool.${event}`, request_id: String(requestId), data });
  return {
    received: (call) => emit('info', 'request_received', call),
    unparsable: () => log.emit({ level: 'warn', event: 'tool.request_parse_failed' }),
    invalid: ({ fieldErrors, ...call }) =>
      emit('warn', 'request_invalid', { ...call, field_errors: fieldErrors }),
    crashed: ({ error, ...call }) =>
      emit('error', 'internal_error', {
        ...call,
        stack: error instanceof Error ? error.stack : String(error),
      }),
  };
}
