/**
 * The engine. Reading splits a text into units, policy selects rules, ranking finds what the task needs,
 * selection removes whole units, and rendering writes labels. All of this is deterministic and synchronous,
 * because it runs in a worker.
 */

import { type Clock, deadlineIn } from '@secateur/base/runtime/time.ts';
import { lineNumbers, type Numbering, splitLines } from '@secateur/base/text/lines.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import { selectCapped } from './cutting/capped-cut.ts';
import { longLinesInPart } from './cutting/long-lines.ts';
import { selectByPolicy } from './cutting/policy-cut.ts';
import { blocksOf, explainCut, MIN_CHECKED_CHARS, renderCut } from './cutting/render.ts';
import type { Selection } from './cutting/select.ts';
import { describeLineInPart, headline, type Marking, markerStyle } from './marker.ts';
import { requestKindOf } from './policy/request-kind.ts';
import { literalsNotIn, scoreRows } from './ranking/named-lines.ts';
import { Needs } from './ranking/need.ts';
import { goalText, type LineScorer, type LineScores, type SourceType } from './ranking/scorer.ts';
import type { Document, FormatName } from './reading/document.ts';
import { cleanLine, readDocument } from './reading/read.ts';
import { contentOfPage } from './reading/snapshot.ts';
import {
  isTooSmall,
  type PrunedBlock,
  type PruneOutcome,
  type PruneRequest,
  type PruneStats,
  savesTooLittle,
} from './request.ts';

/** One text to cut. It contains only plain data, because it is sent to a worker. */
export interface CutJob {
  request: PruneRequest;
  id: string;
  /** Time left in ms. The scorer leaves some of it for the steps after it. */
  remainingMs: number;
  /** Scores that are already known. If set, the local scorer is not called. */
  ranking?: LineScores;
  /** Line numbers to use in compact markers. Default: the lines of the text, from 1. */
  numbering?: Numbering | undefined;
}

/** A cut text and its sizes. It has an explanation if the caller requested one and something was removed. */
export type CutText = Pick<PruneOutcome, 'prunedText' | 'annotations' | 'explanation'> &
  Pick<PruneStats, 'originalLines' | 'tokensBefore' | 'tokensAfter' | 'scorer'>;

export interface CutParts {
  scorer: LineScorer;
  clock: Clock;
}

/** Cuts a text. Equal jobs give equal bytes. `undefined` if the time of the job was too short. */
export function cutText(job: CutJob, parts: CutParts): CutText | undefined {
  const { request } = job;
  const { text, options } = request;
  const deadline = deadlineIn(job.remainingMs, parts.clock);
  const tokensBefore = request.cameAs?.tokens ?? estimateTokens(text);
  if (isTooSmall(text, options.least) || costsNothing(text, tokensBefore))
    return uncut(job, { tokensBefore, lines: splitLines(text) });
  const document = readDocument(text, readingOf(request));
  if (deadline.passed()) return undefined;
  const ranking = rankingOf(job, document, parts);
  const selection = select(request, document, ranking);
  if (deadline.passed()) return undefined;
  const marking = markingOf(job, document);
  const whole = blocksOf(selection.gaps, { document, marking, request });
  const blocks = [...whole, ...linesInPart(request, { document, marking, selection, gone: whole })];
  blocks.sort((a, b) => a.start - b.start);
  const promise = promiseOf(document, selection, blocks);
  const tier = ranking.scores()?.tier;
  const cut = rendered(job, { document, marking, blocks, tokensBefore, tier, promise });
  if (options.explain !== true || cut.annotations.length === 0) return cut;
  const explained = { document, ...selection, blocks: cut.annotations, scores: ranking.scores() };
  return { ...cut, explanation: explainCut(explained) };
}

function markingOf({ request: { text, options }, id, numbering }: CutJob, { lines }: Document): Marking {
  const style = markerStyle(options.markers, text);
  const isByLine = numbering === undefined || style !== 'compact';
  return { id, style, ...(!isByLine && { numbers: lineNumbers(lines, numbering) }) };
}

const MIN_CUT_TOKENS = 14;

/** Whether a long text has so few tokens that no gap can save more than its marker. Two million blank lines, for example. */
function costsNothing(text: string, tokens: number): boolean {
  return text.length >= MIN_CHECKED_CHARS && tokens <= MIN_CUT_TOKENS;
}

function readingOf({ fileName, sourceType, origin, intent }: PruneRequest) {
  const isReport = origin !== undefined && REPORTING.has(requestKindOf(origin));
  // Without an origin, the caller's `sourceType` decides which of the file formats is used.
  const isLabelled = isCapped({ intent }) || origin === undefined;
  return {
    fileName,
    isReport: isLabelled || isReport,
    ...(isLabelled && { otherwise: FORMAT_OF[sourceType] }),
  };
}

const REPORTING: ReadonlySet<string> = new Set(['run']);
const FORMAT_OF: Readonly<Record<SourceType, FormatName>> = { code: 'code', logs: 'log', docs: 'document' };

function isCapped({ intent = 'capped' }: { intent?: PruneRequest['intent'] | undefined }): boolean {
  return intent === 'capped';
}

function select(request: PruneRequest, document: Document, { needs }: Ranking): Selection {
  return isCapped(request)
    ? selectCapped(request, document, needs())
    : selectByPolicy(request, document, needs);
}

/** Shortens long lines. Only with compact markers, because a canonical marker replaces whole lines. */
function linesInPart(
  { focus, options }: PruneRequest,
  {
    document,
    marking,
    selection,
    gone,
  }: { document: Document; marking: Marking; selection: Selection; gone: readonly PrunedBlock[] },
): PrunedBlock[] {
  if (selection.showsLongLines || marking.style !== 'compact' || !options.includeMarkers) return [];
  const { directive, handle } = selection.pins;
  const isUntouchable = (index: number) => directive?.has(index) === true || handle?.has(index) === true;
  return longLinesInPart(document.lines, { focus, gaps: gone, isUntouchable }).map((line) =>
    describeLineInPart(marking, line),
  );
}

const SCORING_SHARE = 0.7;
/** Share of its time that counts as all of it. A few ms must not change the tier of a call. */
const NEARLY_ALL = 0.8;

const ROWS: ReadonlySet<FormatName> = new Set<FormatName>(['table', 'listing']);
const MIN_ROWS_BY_WORDS = 5000;

type Ranking = ReturnType<typeof rankingOf>;

/** Returns a function for the scores of a text. They are computed when first needed: rules about the form of lines need none. */
function rankingOf(job: CutJob, document: Document, parts: CutParts) {
  const { lines, bare, format, units } = document;
  // Thousands of rows are ranked by words. The network was trained on text, and rows contain values.
  const isManyRows = ROWS.has(format) && lines.length >= MIN_ROWS_BY_WORDS;
  const scorer = isManyRows ? scoreRows : parts.scorer;
  const sourceType = sourceTypeOf(job.request, document);
  let scores: LineScores | undefined;
  let needs: Needs | undefined;
  return {
    scores: () => scores,
    needs: () => {
      scores ??= job.ranking ?? scoreLines(job, bare, { ...parts, scorer, sourceType });
      // In a page, lines are compared only with lines of the content.
      const compared = format === 'markup' && { isContent: contentOfPage(units) };
      needs ??= new Needs(lines, { ...scores, ...compared }, sourceType);
      return needs;
    },
  };
}

const SCORED_AS: Partial<Record<FormatName, SourceType>> = {
  code: 'code',
  document: 'docs',
  markup: 'docs',
  plain: 'docs',
  'test-run': 'logs',
  build: 'logs',
  log: 'logs',
};

/** Returns the kind of text that a scorer should assume. The format is more reliable than the first lines of the text. */
function sourceTypeOf({ intent, sourceType }: PruneRequest, { format }: Document): SourceType {
  if (isCapped({ intent })) return sourceType;
  return SCORED_AS[format] ?? sourceType;
}

export type RankJob = Pick<CutJob, 'request' | 'remainingMs'>;

/** Returns only the local scores. Used by callers that then call a reranker. */
export function rankText(job: RankJob, parts: CutParts): LineScores {
  const { text, sourceType } = job.request;
  return scoreLines(job, splitLines(text).map(cleanLine), { ...parts, sourceType });
}

function scoreLines(
  { request, remainingMs }: RankJob,
  lines: readonly string[],
  { scorer, clock, sourceType }: CutParts & { sourceType: SourceType },
): LineScores {
  const { timeoutMs } = request.options;
  const availableMs = remainingMs >= timeoutMs * NEARLY_ALL ? timeoutMs : remainingMs;
  const deadline = deadlineIn(availableMs * SCORING_SHARE, clock);
  return scorer({ lines, focus: request.focus, sourceType, deadline });
}

interface Rendering {
  document: Document;
  marking: Marking;
  blocks: PrunedBlock[];
  tokensBefore: number;
  tier: string | undefined;
  promise: string | undefined;
}

/** Returns a sentence that is true of all gaps. Without it, an agent that reads a log fears to miss the line with the cause. */
function promiseOf({ format }: Document, { gaps }: Selection, blocks: readonly PrunedBlock[]) {
  const areFrequent = gaps.every(({ units }) => units.every(({ kind }) => kind === 'similar-lines'));
  const areWhole = blocks.every(({ isInPart }) => isInPart !== true);
  return format === 'log' && areFrequent && areWhole
    ? 'every rare kind of line is shown, labels count errors and warnings'
    : undefined;
}

/** Renders a cut. Returns the text unchanged if the cut would save too little or be longer than the text. */
function rendered(
  job: CutJob,
  { document, marking, blocks, tokensBefore, tier, promise }: Rendering,
): CutText {
  const { text, options } = job.request;
  const whole = uncut(job, { tokensBefore, lines: document.lines, tier });
  if (blocks.length === 0) return whole;
  const { cameAs } = job.request;
  const first =
    marking.style === 'compact' || cameAs !== undefined
      ? headline(marking, blocks, {
          originalLines: document.lines.length,
          recoverBy: options.recoverBy,
          firstLine: options.firstLine,
          originalId: cameAs?.id,
          promise,
          shownOnly: OF_RUNS.has(document.format) ? [] : namesShown(job, document, blocks),
        })
      : undefined;
  const page = { blocks, headline: first, includeMarkers: options.includeMarkers, numbers: marking.numbers };
  const plain = renderCut(text, document.lines, { ...page, annotateLines: false });
  const tokensAfter = estimateTokens(plain);
  const isShort = text.length < MIN_CHECKED_CHARS && isCapped(job.request);
  const characters = cameAs?.characters ?? text.length;
  const isShorter = isShort || (plain.length < characters && tokensAfter < tokensBefore);
  if (!isShorter || savesTooLittle({ tokensBefore, tokensAfter }, options.least)) return whole;
  const prunedText = options.annotateLines
    ? renderCut(text, document.lines, { ...page, annotateLines: true })
    : plain;
  return { ...whole, prunedText, annotations: blocks, tokensAfter };
}

/** Formats in which agents look for failures, and not for names from the task. */
const OF_RUNS: ReadonlySet<FormatName> = new Set<FormatName>(['test-run', 'build']);

/** Returns literals of the request that the text contains, but that no gap contains. */
function namesShown({ request: { focus, text } }: CutJob, { bare }: Document, gaps: readonly PrunedBlock[]) {
  return literalsNotIn(gaps, { lines: bare, request: goalText(focus), characters: text.length });
}

/** Returns the text uncut, with line numbers if the caller requested them (P18). */
function uncut(
  { request: { text, options } }: CutJob,
  {
    tokensBefore,
    lines,
    tier,
  }: { tokensBefore: number; lines: readonly string[]; tier?: string | undefined },
): CutText {
  const page = { blocks: [], headline: undefined, includeMarkers: false, annotateLines: true };
  const prunedText = options.annotateLines ? renderCut(text, lines, page) : text;
  return {
    prunedText,
    annotations: [],
    originalLines: lines.length,
    tokensBefore,
    tokensAfter: tokensBefore,
    ...(tier !== undefined && { scorer: tier }),
  };
}
