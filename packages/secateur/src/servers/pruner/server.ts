import { utf8Prefix } from '@secateur/base/text/characters.ts';
import { type LineRange, sliceLines, splitLines } from '@secateur/base/text/lines.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import { Type } from '@secateur/base/tools/schema.ts';
import { compileArgumentCheck } from '@secateur/base/tools/schema-check.ts';
import { defineTool, type Tool, textResult } from '@secateur/base/tools/tool.ts';
import type { Pruner } from '@secateur/engine/pruner.ts';
import { recoverTextTool, recoveryErrorCodes } from '@secateur/engine/recover-text.ts';
import {
  DEFAULT_OPTIONS,
  kindOfText,
  type PrunedBlock,
  type PruneOutcome,
  type PruneRequest,
} from '@secateur/engine/request.ts';
import type { HttpRoute } from '@secateur/serving/wire/http-route.ts';
import { type RpcServer, userAgentName } from '@secateur/serving/wire/protocol.ts';
import type { Static } from 'typebox';
import type { Ledger } from '../../savings/ledger.ts';
import { type CommonDeps, recordOutcome, recordRecovered } from '../prune-outcome.ts';
import { type PruneCaller, type PruneDeps, pruneTextTool } from './tools/prune-text.ts';
export interface PrunerServerDeps extends Omit<CommonDeps, 'log'> {
  pruner: Pruner;
  /** Price in US dollars per million input tokens, for `cost_estimated_usd`. Default: 3. */
  usdPerMillionTokens?: number | undefined;
}

export const PRUNER_RPC_PATHS = ['/rpc', '/mcp'] as const;

export function createPrunerServer(parts: PrunerServerDeps): { rpc: RpcServer; routes: HttpRoute[] } {
  const { pruner, recovery, version, usdPerMillionTokens } = parts;
  const health = () => ({
    status: 'healthy',
    server: 'mcp-pruner',
    version,
    capabilities: ['prune_text', 'recover_text', 'annotations', 'markers'],
    timestamp: new Date(parts.clock.now()).toISOString(),
  });
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

function healthTool(health: () => object): Tool {
  return defineTool({
    name: 'health',
    title: 'Server health',
    description: 'Says whether the pruner is up, its version and what it can do.',
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    inputSchema: Type.Object({}, { additionalProperties: false }),
    handle: async () => textResult(JSON.stringify(health())),
  });
}

function recordCut(ledger: Ledger, tool: string) {
  return (outcome: PruneOutcome, caller: PruneCaller) =>
    recordOutcome(ledger, outcome, { system: 'pruner', tool, ...caller });
}

/** Dependencies and caller of one request. Both request formats use it. */
interface PruneRouteCall extends PruneDeps {
  readonly client: string | undefined;
  readonly signal: AbortSignal;
}

/** Creates `POST /prune` for clients without MCP. The route accepts two request formats. */
function pruneRoute(parts: PruneDeps): HttpRoute {
  const checkFocus = compileArgumentCheck(focusRequestSchema);
  const checkSwePruner = compileArgumentCheck(swePrunerRequestSchema);
  return {
    method: 'POST',
    path: '/prune',
    tool: 'prune_text',
    handle: async ({ body, headers, signal }) => {
      const isSwePruner = typeof body === 'object' && body !== null && 'code' in body;
      const errors = isSwePruner ? checkSwePruner(body) : checkFocus(body);
      if (errors.length > 0) return { status: 400, json: { error: EXPECTED, field_errors: errors } };
      const call = { ...parts, client: userAgentName(headers), signal };
      if (isSwePruner) return { json: await answerSwePrunerRequest(body as SwePrunerRequest, call) };
      return { json: await answerFocusRequest(body as FocusRequest, call) };
    },
  };
}

const EXPECTED = 'expected {request_id, tool, focus_question, input, input_bytes} or {query, code}';

/** Schema of requests from the focus tools. Unknown keys are ignored. */
const focusRequestSchema = Type.Object({
  request_id: Type.String(),
  tool: Type.String(),
  focus_question: Type.String(),
  input: Type.String(),
  input_bytes: Type.Integer({ minimum: 0 }),
  max_output_bytes: Type.Optional(Type.Integer({ minimum: 1 })),
});

type FocusRequest = Static<typeof focusRequestSchema>;

/** Prune ratios. The second one is tried if the result of the first is longer than the caller allows. */
const RATIOS = [0.7, 0.9] as const;

async function answerFocusRequest(
  request: FocusRequest,
  { pruner, onPruned, client, signal }: PruneRouteCall,
): Promise<{ output: string; output_bytes: number }> {
  const limit = request.max_output_bytes ?? Number.POSITIVE_INFINITY;
  const first = pruneRequestOf(request, RATIOS[0]);
  let outcome = await pruner.prune(first, signal);
  if (Buffer.byteLength(outcome.prunedText) > limit)
    outcome = await pruner.prune(pruneRequestOf(request, RATIOS[1]), signal);
  onPruned(outcome, { client, sourceType: first.sourceType });
  const output = Number.isFinite(limit) ? utf8Prefix(outcome.prunedText, limit) : outcome.prunedText;
  return { output, output_bytes: Buffer.byteLength(output) };
}

function pruneRequestOf({ tool, focus_question, input }: FocusRequest, maxPruneRatio: number): PruneRequest {
  return {
    text: input,
    focus: { question: focus_question },
    ...kindOfText(tool === 'bash' ? { kind: 'command', command: '' } : { kind: 'other' }, input),
    options: { ...DEFAULT_OPTIONS, maxPruneRatio, timeoutMs: 10_000 },
  };
}

/** Schema of requests from clients of the public SWE-Pruner service. */
const swePrunerRequestSchema = Type.Object({
  query: Type.String(),
  code: Type.String(),
  threshold: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
});

type SwePrunerRequest = Static<typeof swePrunerRequestSchema>;

const DEFAULT_THRESHOLD = 0.5;
/** Factor from threshold to prune ratio. 0 keeps all lines; the usual 0.5 removes 0.7 of the removable lines. */
const RATIO_PER_THRESHOLD = 1.4;

async function answerSwePrunerRequest(
  { query, code, threshold = DEFAULT_THRESHOLD }: SwePrunerRequest,
  { pruner, onPruned, client, signal }: PruneRouteCall,
) {
  const kind = kindOfText({ kind: 'other' }, code);
  const maxPruneRatio = Math.min(1, RATIO_PER_THRESHOLD * threshold);
  const options = { ...DEFAULT_OPTIONS, maxPruneRatio, timeoutMs: 10_000 };
  const outcome = await pruner.prune({ text: code, focus: { question: query }, ...kind, options }, signal);
  onPruned(outcome, { client, sourceType: kind.sourceType });
  return swePrunerAnswer(code, outcome);
}

function swePrunerAnswer(code: string, { annotations, stats, warnings }: PruneOutcome) {
  const prunedCode = withFilteredGaps(code, annotations);
  const leftTokens = estimateTokens(prunedCode);
  return {
    // SWE-Pruner returns the relevance of the text. The nearest value here is the share of kept tokens.
    score: stats.tokensBefore === 0 ? 0 : Math.min(1, leftTokens / stats.tokensBefore),
    pruned_code: prunedCode,
    kept_frags: keptRanges(stats.originalLines, annotations).flatMap(({ start, end }) => {
      return Array.from({ length: end - start + 1 }, (_, index) => start + index);
    }),
    origin_token_cnt: stats.tokensBefore,
    left_token_cnt: leftTokens,
    model_input_token_cnt: stats.tokensBefore,
    token_scores: [],
    error_msg: warnings.length === 0 ? null : warnings.join(', '),
  };
}

function withFilteredGaps(code: string, gaps: readonly PrunedBlock[]): string {
  const lines = splitLines(code);
  const pieces = keptRanges(lines.length, gaps).flatMap((kept, index) => [
    ...(kept.start > kept.end ? [] : [sliceLines(lines, kept)]),
    ...gaps.slice(index, index + 1).map(({ count }) => `(filtered ${count} lines)`),
  ]);
  return pieces.join('\n') + (code.endsWith('\n') ? '\n' : '');
}

/** Returns the line ranges before each gap and after the last one. Ranges may be empty. */
function keptRanges(total: number, gaps: readonly PrunedBlock[]): LineRange[] {
  const starts = [1, ...gaps.map(({ end }) => end + 1)];
  return starts.map((start, index) => ({ start, end: (gaps[index]?.start ?? total + 1) - 1 }));
}
