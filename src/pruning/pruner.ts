import type { Recovery } from '../recovery/recovery.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Deadline, deadlineIn } from '../runtime/deadline.ts';
import { estimateTokens } from '../text/token-estimate.ts';
import type { CutText } from './cut.ts';
import type { PruneEngine } from './engine.ts';
import type { Backend, PruneOptions, PruneOutcome, PruneRequest } from './request.ts';

/** Takes out of a text what its goal does not need, and remembers the text first. Never throws, never loses a line. */
export interface Pruner {
  prune(request: PruneRequest): Promise<PruneOutcome>;
}

export interface PrunerParts {
  recovery: Recovery;
  engine: PruneEngine;
  clock: Clock;
  maxInputChars: number;
}

export function createPruner(parts: PrunerParts): Pruner {
  return { prune: (request) => prune(request, parts) };
}

async function prune(request: PruneRequest, parts: PrunerParts): Promise<PruneOutcome> {
  const call = openCall(request, parts.clock);
  const remembered = await parts.recovery.remember(request.text, identityOf(request));
  const id = remembered.id;
  if (remembered.kind === 'unavailable') return passWhole(call, id, 'recovery_unavailable');
  if (request.text.length > parts.maxInputChars) return passWhole(call, id, 'input_too_large');
  if (call.lineCount < request.options.minKeepLines) return passWhole(call, id, 'constraints_unmet');
  if (call.deadline.passed()) return passWhole(call, id, 'timeout');
  const outcome = await parts.engine.cut({ request, id, remainingMs: call.deadline.remainingMs() });
  if (outcome.kind === 'timeout') return passWhole(call, id, 'timeout');
  if (outcome.kind === 'crashed') return passWhole(call, id, 'internal_error');
  return pruned(call, id, outcome.cut);
}

export type FallbackCode =
  | 'input_too_large'
  | 'timeout'
  | 'constraints_unmet'
  | 'internal_error'
  | 'recovery_unavailable';

interface Call {
  request: PruneRequest;
  lineCount: number;
  deadline: Deadline;
  elapsedMs(): number;
}

function openCall(request: PruneRequest, clock: Clock): Call {
  const started = clock.monotonic();
  return {
    request,
    lineCount: countLines(request.text),
    deadline: deadlineIn(request.options.timeoutMs, clock),
    elapsedMs: () => Math.round(clock.monotonic() - started),
  };
}

/** Everything that decides the answer, so that the same request has the same id. */
export function identityOf({ goal, sourceType, options }: PruneRequest): string[] {
  return [goal, sourceType, ...OPTION_NAMES.map((name) => String(options[name]))];
}

const OPTION_NAMES: readonly (keyof PruneOptions)[] = [
  'maxPruneRatio',
  'minKeepLines',
  'timeoutMs',
  'annotateLines',
  'includeMarkers',
];

/** The fallback of every trouble: the text as it came, a reason, and an id that recovers all the same. */
function passWhole(call: Call, id: string, warning: FallbackCode): PruneOutcome {
  const tokens = estimateTokens(call.request.text);
  return {
    id,
    prunedText: call.request.text,
    annotations: [],
    stats: {
      ...countsOf(call.lineCount, 0),
      tokensBefore: tokens,
      tokensAfter: tokens,
      elapsedMs: call.elapsedMs(),
      usedFallback: true,
      backend: LOCAL,
    },
    warnings: [warning],
  };
}

function pruned(call: Call, id: string, cut: CutText): PruneOutcome {
  const { prunedText, annotations, tokensBefore, tokensAfter, scorer } = cut;
  const prunedLines = annotations.reduce((sum, block) => sum + block.count, 0);
  return {
    id,
    prunedText,
    annotations,
    stats: {
      ...countsOf(call.lineCount, prunedLines),
      tokensBefore,
      tokensAfter,
      elapsedMs: call.elapsedMs(),
      usedFallback: false,
      backend: LOCAL,
      scorer,
    },
    warnings: [],
  };
}

const LOCAL: Backend = 'heuristic';

function countsOf(originalLines: number, prunedLines: number) {
  const prunedRatio = originalLines === 0 ? 0 : prunedLines / originalLines;
  return { originalLines, keptLines: originalLines - prunedLines, prunedLines, prunedRatio };
}

function countLines(text: string): number {
  if (text === '') return 0;
  let breaks = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks += 1;
  return text.endsWith('\n') ? breaks : breaks + 1;
}
