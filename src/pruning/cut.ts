import { type Focus, goalText } from '../ranking/focus.ts';
import type { LineScorer, LineScores } from '../ranking/scorer.ts';
import type { Clock } from '../runtime/clock.ts';
import { deadlineIn } from '../runtime/deadline.ts';
import { characterCodes } from '../text/character-codes.ts';
import { splitLines } from '../text/lines.ts';
import { estimateTokens, estimateTokensIn } from '../text/token-estimate.ts';
import { classify } from './cut/classify.ts';
import { cleanLine } from './cut/clean-line.ts';
import { explainCut } from './cut/explanation.ts';
import { discountFolds, foldsOf } from './cut/folds.ts';
import { type LineTokens, readLineTokens } from './cut/line-tokens.ts';
import { longLinesInPart } from './cut/long-lines.ts';
import { type ProtectedLines, protectLines } from './cut/protect.ts';
import { PLAIN } from './cut/reasons/reason.ts';
import { type PrunedView, reasonsFor } from './cut/reasons.ts';
import { render } from './cut/render.ts';
import { priceOfLostLine } from './cut/select/harm.ts';
import { selectGaps } from './cut/select.ts';
import type { Explanation } from './keep-rules.ts';
import { isTooSmall, savesTooLittle } from './least-size.ts';
import {
  describeBlock,
  describeLineInPart,
  headline,
  type Marking,
  markerStyle,
  typicalMarkerTokens,
} from './marker.ts';
import type { PrunedBlock, PruneOptions, PruneRequest } from './request.ts';

/** One text to cut. Plain data: it travels to a worker. */
export interface CutJob {
  request: PruneRequest;
  id: string;
  /** Milliseconds left; the scorer leaves part of them to the steps after it. */
  remainingMs: number;
  /** A ranking made before; the local scorer then stays idle. */
  ranking?: LineScores;
}

export interface CutText {
  prunedText: string;
  annotations: PrunedBlock[];
  originalLines: number;
  tokensBefore: number;
  tokensAfter: number;
  /** The tier that ranked the lines; none where nothing could go anyway. */
  scorer?: string;
  /** Where it was asked for and lines were ranked. */
  explanation?: Explanation;
}

export interface CutParts {
  scorer: LineScorer;
  clock: Clock;
}

/** Deterministic and synchronous: the same job gives the same bytes, or nothing where its time runs out. */
export function cutText(job: CutJob, parts: CutParts): CutText | undefined {
  const { text, sourceType, options } = job.request;
  const deadline = deadlineIn(job.remainingMs, parts.clock);
  const lines = splitLines(text);
  const codes = characterCodes(text);
  const tokensBefore = Math.ceil(estimateTokensIn({ codes, from: 0, to: codes.length }));
  const marking = { id: job.id, style: markerStyle(options.markers, text) };
  if (isTooSmall(text, options.least) || tokensBefore <= shortestMarkerTokens(marking))
    return whicheverIsShorter({ job, lines, tokensBefore, marking, blocks: [] });
  if (deadline.passed()) return undefined;
  const classified = classify(lines, job.request);
  const { focus } = job.request;
  const folds = foldsOf(classified, focus.question);
  const structure = structureFor(options);
  const protection = protectLines(classified, { sourceType, structure, focus, folds });
  if (deadline.passed()) return undefined;
  const { tier, ...scored } = job.ranking ?? scoreLines(job, classified.clean, parts);
  const ranking = discountFolds(scored, folds);
  if (deadline.passed()) return undefined;
  const cutsInside = marking.style === 'compact' && options.includeMarkers;
  const tokens = readLineTokens(codes, lines, cutsInside);
  const gaps = selectGaps({
    ...ranking,
    askedBack: focus.askedBack,
    protection,
    tokens: tokens.each,
    markerTokens: typicalMarkerTokens(marking.style),
    sourceType,
    ...options,
  });
  const view = { text: classified, folds, frames: protection.frames, goal: goalText(focus), gaps };
  const gone = blocksThatPay(view, marking, tokens);
  const inPart = cutsInside ? longLines(focus, { lines, gone, protection }) : [];
  const blocks = [...gone, ...inPart].sort((a, b) => a.start - b.start);
  const cut = whicheverIsShorter({ job, lines, tokensBefore, marking, blocks, tier });
  if (options.explain !== true) return cut;
  const lostLinePrice =
    ranking.probabilities && priceOfLostLine({ ...ranking, tokens: tokens.each, askedBack: focus.askedBack });
  const explained = { ...ranking, lostLinePrice, protection, gaps, blocks: cut.annotations };
  return { ...cut, explanation: explainCut(explained) };
}

/** Up to this ratio there is room for all structure. */
const ROOM_FOR_STRUCTURE = 0.6;

function structureFor({ maxPruneRatio, structure }: PruneOptions): 'pinned' | 'by need' {
  return structure === 'all' || maxPruneRatio <= ROOM_FOR_STRUCTURE ? 'pinned' : 'by need';
}

/** No gap pays in a text that costs no more than this, be it two million blank lines. */
function shortestMarkerTokens(marking: Marking): number {
  return estimateTokens(describeBlock(marking, { start: 1, end: 1 }, PLAIN).marker);
}

interface LongLines {
  lines: readonly string[];
  gone: readonly PrunedBlock[];
  protection: ProtectedLines;
}

/** Compact markers have room for parts of a line; canonical ones replace whole lines only. */
function longLines(focus: Focus, { lines, gone, protection }: LongLines): PrunedBlock[] {
  const inPart = longLinesInPart(lines, {
    focus,
    gaps: gone,
    isUntouchable: (index) => ['directive', 'handle'].includes(protection.pinnedBy[index] ?? ''),
  });
  return inPart.map(describeLineInPart);
}

export type RankJob = Pick<CutJob, 'request' | 'remainingMs'>;

/** The local scores alone, for whoever wants to rank further. */
export function rankText({ request, remainingMs }: RankJob, parts: CutParts): LineScores {
  return scoreLines({ request, remainingMs }, splitLines(request.text).map(cleanLine), parts);
}

const SCORING_SHARE = 0.7;
/** With this much of its time left, a call is taken to have all of it: a few milliseconds must not change its tier. */
const NEARLY_ALL = 0.8;

function scoreLines(
  { request, remainingMs }: RankJob,
  lines: readonly string[],
  { scorer, clock }: CutParts,
): LineScores {
  const { timeoutMs } = request.options;
  const availableMs = remainingMs >= timeoutMs * NEARLY_ALL ? timeoutMs : remainingMs;
  const deadline = deadlineIn(availableMs * SCORING_SHARE, clock);
  return scorer({ lines, focus: request.focus, sourceType: request.sourceType, deadline });
}

/** A compact marker is a few tokens, its reason twice as many: a gap that hides less than this goes without. */
const REASON_WORTH_TOKENS = 100;

/** A gap whose marker would cost as much as it hides is no gap. A long reason gives way before the gap does. */
function blocksThatPay(view: PrunedView, marking: Marking, tokens: LineTokens): PrunedBlock[] {
  const reasons = reasonsFor(view);
  return view.gaps.flatMap((gap) => {
    const isNamed = marking.style === 'canonical' || tokens.runExceeds(gap, REASON_WORTH_TOKENS);
    for (const reason of isNamed ? [reasons(gap), PLAIN] : [PLAIN]) {
      const block = describeBlock(marking, gap, reason);
      if (tokens.runExceeds(gap, estimateTokens(block.marker))) return [block];
    }
    return [];
  });
}

/** A pruned text that is longer than its original, line numbers and markers counted, is not handed out. */
function whicheverIsShorter(cut: {
  job: CutJob;
  lines: readonly string[];
  tokensBefore: number;
  marking: Marking;
  blocks: PrunedBlock[];
  tier?: string;
}): CutText {
  const { text, options, focus } = cut.job.request;
  const { tokensBefore } = cut;
  const used = cut.tier === undefined ? {} : { scorer: cut.tier };
  const common = { originalLines: cut.lines.length, tokensBefore, ...used };
  const whole = { ...common, prunedText: text, annotations: [], tokensAfter: tokensBefore };
  if (cut.blocks.length === 0) return whole;
  const { blocks, marking } = cut;
  const isFamiliar = (focus.askedBack?.gaps ?? 0) > 0;
  const headed = { originalLines: cut.lines.length, isFamiliar };
  const first = marking.style === 'compact' && { headline: headline(marking.id, blocks, headed) };
  const prunedText = render(text, cut.lines, { ...options, blocks, ...first });
  const tokensAfter = estimateTokens(prunedText);
  const isShorter = prunedText.length < text.length && tokensAfter < tokensBefore;
  const isWorthIt = isShorter && !savesTooLittle({ tokensBefore, tokensAfter }, options.least);
  return isWorthIt ? { ...common, prunedText, annotations: blocks, tokensAfter } : whole;
}
