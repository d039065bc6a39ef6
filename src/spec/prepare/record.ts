import type { FileFacts } from '../facts.ts';
import { modulesOf } from '../resolve-dependencies.ts';
import type { Skeleton, SkeletonImport, SkeletonProblem } from '../skeleton.ts';
import type { SourceReading } from './read-source.ts';

/** What is known of a file without opening its record. */
export type Brief = FactsBrief | NoteBrief;

export interface FactsBrief {
  kind: 'facts';
  contentHash: string;
  language: string;
  loc: number;
  hash: string;
  parserUsed: string;
  exports: number;
  outlineTokens: number;
  hasCallouts: boolean;
  hasInternals: boolean;
}

export interface NoteBrief {
  kind: 'note';
  note: string;
  contentHash: string;
}

/**
 * A record's parts, in the order they are written. Each is the very text an answer is put together from, so that
 * whoever answers copies bytes and parses nothing.
 */
export const parts = {
  /** `Needs` as JSON. */
  needs: 0,
  /** The skeleton as JSON. */
  skeleton: 1,
  /** Its exports as the merged skeleton lists them, without the brackets. */
  exports: 2,
  /** The outline text as the inside of a JSON string. */
  outline: 3,
  /** `Details` as JSON. */
  details: 4,
} as const;

export type Part = (typeof parts)[keyof typeof parts];

/** What an answer over many files looks into each of them for. */
export interface Needs {
  imports: SkeletonImport[];
  modules: string[];
  parseErrors?: SkeletonProblem[];
}

export type Details = Pick<FileFacts, 'headComment' | 'callouts' | 'internals'>;

/**
 * Records of several files, ready to be handed to another thread: one text, and how to cut it. A text and no bytes:
 * those would lie outside the heap, where they pile up long before anybody collects them.
 */
export interface RecordBatch {
  /** Nothing for a file that did not change. */
  briefs: (Brief | undefined)[];
  /** Bytes of each part of each file. */
  lengths: number[][];
  text: string;
}

export function recordsOf(readings: readonly SourceReading[]): RecordBatch {
  const texts = readings.map((reading) => (reading.kind === 'facts' ? textsOf(reading.facts) : []));
  return {
    briefs: readings.map(briefOf),
    lengths: texts.map((each) => each.map((text) => Buffer.byteLength(text))),
    text: texts.flat().join(''),
  };
}

function briefOf(reading: SourceReading): Brief | undefined {
  if (reading.kind === 'unchanged') return undefined;
  if (reading.kind === 'note')
    return { kind: 'note', note: reading.note, contentHash: reading.contentHash ?? '' };
  const { skeleton, contentHash, outlineTokens, callouts, internals } = reading.facts;
  const { language, loc, hash, parserUsed, exports } = skeleton;
  return {
    kind: 'facts',
    contentHash,
    language,
    loc,
    hash,
    parserUsed,
    exports: exports.length,
    outlineTokens,
    hasCallouts: callouts.length > 0,
    hasInternals: internals.length > 0,
  };
}

/** In the order of `parts`. Exports are most of a skeleton, and stand in two of them: they are written once. */
function textsOf({ skeleton, outlineText, headComment, callouts, internals }: FileFacts): string[] {
  const { imports, exports, parseErrors, filePath } = skeleton;
  const needs: Needs = { imports, modules: modulesOf(skeleton), ...(parseErrors && { parseErrors }) };
  const details: Details = { headComment, callouts, internals };
  const written = exports.map((each) => JSON.stringify(each));
  const place = `,"filePath":${JSON.stringify(filePath)}}`;
  return [
    JSON.stringify(needs),
    skeletonText(skeleton, written),
    written.map((each) => each.slice(0, -1) + place).join(),
    JSON.stringify(outlineText).slice(1, -1),
    JSON.stringify(details),
  ];
}

/** What `JSON.stringify` would write. */
function skeletonText({ exports: _, ...rest }: Skeleton, exports: readonly string[]): string {
  const { filePath, language, loc, ...others } = rest;
  const head = JSON.stringify({ filePath, language, loc });
  return `${head.slice(0, -1)},"exports":[${exports.join()}],${JSON.stringify(others).slice(1)}`;
}
