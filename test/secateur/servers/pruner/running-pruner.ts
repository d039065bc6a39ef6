import { silentLog } from '../../../../packages/base/src/runtime/event-log.ts';
import { systemClock } from '../../../../packages/base/src/runtime/time.ts';
import type { Ledger, SavingsEntry } from '../../../../packages/secateur/src/savings/ledger.ts';
import {
  createPrunerServer,
  PRUNER_RPC_PATHS,
  type PrunerServerDeps,
} from '../../../../packages/secateur/src/servers/pruner/server.ts';
import { type HttpHost, serveHttp } from '../../../../packages/serving/src/wire/http-host.ts';
import { type TestPruner, testPruner } from '../../../support/pruner.ts';

export interface RunningPruner {
  url: string;
  savings: Omit<SavingsEntry, 'at'>[];
  /** Sends a JSON-RPC call and returns the whole response. */
  rpc(method: string, params?: unknown): Promise<RpcAnswer>;
  /** Calls a tool and returns the parsed text of the result. */
  tool(name: string, args: unknown): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export interface RpcAnswer {
  result?: {
    content?: { type: string; text: string }[];
    tools?: { name: string; inputSchema: unknown }[];
    [key: string]: unknown;
  };
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

/** The pruner's server on a free port, its engine in this thread. */
export async function runPruner(
  pruner: TestPruner = testPruner(),
  { usdPerMillionTokens }: Pick<PrunerServerDeps, 'usdPerMillionTokens'> = {},
): Promise<RunningPruner> {
  const savings: RunningPruner['savings'] = [];
  const ledger: Ledger = { record: (entry) => void savings.push(entry) };
  const server = createPrunerServer({
    pruner,
    recovery: pruner.recovery,
    ledger,
    clock: systemClock,
    version: '9.8.7',
    usdPerMillionTokens,
  });
  const http: HttpHost = await serveHttp({
    host: '127.0.0.1',
    port: 0,
    rpc: { server: server.rpc, paths: PRUNER_RPC_PATHS },
    routes: server.routes,
    onError: (error) => silentLog.emit({ level: 'error', event: String(error) }),
  });
  const rpc = rpcClient(`${http.url}/rpc`);
  return {
    url: http.url,
    savings,
    rpc,
    tool: async (name, args) => {
      const { result, error } = await rpc('tools/call', { name, arguments: args });
      if (error !== undefined) throw new Error(JSON.stringify(error));
      return JSON.parse(result?.content?.[0]?.text ?? 'null');
    },
    close: () => http.close(),
  };
}

export function rpcClient(url: string): RunningPruner['rpc'] {
  return async (method, params) => {
    const answer = await postJson(url, {
      jsonrpc: '2.0',
      id: 1,
      method,
      ...(params === undefined ? {} : { params }),
    });
    return answer.json() as Promise<RpcAnswer>;
  };
}

export function postJson(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

export const pruneArguments = {
  text: Array.from(
    { length: 60 },
    (_, index) => `Sentence ${index} of the manual explains one more detail.`,
  ).join('\n'),
  goal_hint: 'sentence 30',
  source_type: 'docs',
  options: {
    max_prune_ratio: 0.7,
    min_keep_lines: 3,
    timeout_ms: 60_000,
    annotate_lines: false,
    include_markers: true,
  },
};
