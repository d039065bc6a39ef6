import { rarity } from '../../lexical-scorer.ts';
import type { LineWords } from '../lexical/line-words.ts';
import type { CharText } from '../lexical/words.ts';
import {
  type Column,
  type ColumnGroup,
  each,
  fadingDown,
  fadingUp,
  gathered,
  logged,
  percentiles,
} from './features/columns.ts';
import { goalColumns, neighbourColumns, relativeScores, scoreGoal } from './features/goal-columns.ts';
import {
  ANNOUNCED,
  DENIED,
  ENDED,
  ERROR,
  EXPLANATION,
  FAILURE,
  LEADING,
  NAMED,
  ROUTINE,
  SHOUTED,
  SUCCESS,
  WARNING,
} from './features/keywords.ts';
import { KIND_BITS, KIND_NAMES, type LineKinds } from './features/line-kinds.ts';
import { type Reading, type ReadRequest, read } from './features/reading.ts';
import { scopeColumns, textConstants } from './features/scope-columns.ts';
import type { LineShapes } from './features/shape.ts';

/** Input of the network for a text and a goal. Training uses the same code. */
export interface Features {
  /** Columns by name, in one fixed order. */
  columns: ReadonlyMap<string, Column>;
  /** Values that all lines share. */
  constants: Readonly<Record<string, number>>;
  words: LineWords;
}

export function readFeatures(request: ReadRequest): Features {
  const reading = read(request);
  const scores = scoreGoal(reading);
  const againstBest = relativeScores(scores);
  return {
    columns: gathered([
      ...goalColumns(reading, scores, againstBest),
      neighbourColumns(againstBest),
      ...scopeColumns(reading, againstBest),
      ...shapeColumns(reading),
    ]),
    constants: textConstants(reading, scores),
    words: reading.words,
  };
}

/** Returns columns for the form of a line, which does not depend on the goal. */
function shapeColumns(reading: Reading): ColumnGroup[] {
  return [
    kindColumns(reading.kinds.bits),
    fateColumns(reading.kinds.telling),
    voiceColumns(reading.voices),
    formColumns(reading),
    repetitionColumns(reading),
    rarityColumns(reading.words),
    placeColumns(reading.request.lines.length),
    { 'span.docString': docStrings(reading.text, reading.shapes, reading.kinds) },
  ];
}

/** Returns a column per kind. Visits only the bits that are set, which takes a tenth of the time of checking all kinds. */
function kindColumns(bits: Int32Array): ColumnGroup {
  const columns = KIND_NAMES.map(() => new Float32Array(bits.length));
  for (let line = 0; line < bits.length; line += 1) {
    for (let left = bits[line] as number; left !== 0; left &= left - 1)
      (columns[31 - Math.clz32(left & -left)] as Column)[line] = 1;
  }
  return Object.fromEntries(KIND_NAMES.map((name, at) => [`kind.${name}`, columns[at] as Column]));
}

function flag(bits: Uint8Array, bit: number): Column {
  const column = new Float32Array(bits.length);
  for (let line = 0; line < bits.length; line += 1)
    column[line] = ((bits[line] as number) & bit) === 0 ? 0 : 1;
  return column;
}

/** Returns a column, with two further columns in which its values fade over the lines below and above. */
function withTrails(name: string, column: Column, rate: number): ColumnGroup {
  return {
    [name]: column,
    [`${name}Down`]: fadingDown(column, rate),
    [`${name}Up`]: fadingUp(column, rate),
  };
}

/** Returns columns for words of failure and success, which fade over the lines above and below. */
function fateColumns(telling: Uint8Array): ColumnGroup {
  const error = flag(telling, ERROR);
  return {
    ...withTrails('fate.error', error, 0.85),
    ...withTrails('fate.failure', flag(telling, FAILURE), 0.95),
    'fate.warning': flag(telling, WARNING),
    'fate.success': flag(telling, SUCCESS),
    'fate.explanation': flag(telling, EXPLANATION),
    'fate.routine': flag(telling, ROUTINE),
    'fate.firstError': sinceFirst(error),
  };
}

/** Returns columns that distinguish a report of a failure from other mentions of failure. */
function voiceColumns(voices: Uint8Array): ColumnGroup {
  const ended = flag(voices, ENDED);
  return {
    ...withTrails('voice.shouted', flag(voices, SHOUTED), 0.92),
    ...withTrails('voice.announced', flag(voices, ANNOUNCED), 0.92),
    ...withTrails('voice.named', flag(voices, NAMED), 0.92),
    'voice.leading': flag(voices, LEADING),
    'voice.denied': flag(voices, DENIED),
    'voice.ended': ended,
    'voice.endedUp': fadingUp(ended, 0.97),
  };
}

/** Returns 0 for the lines before the first flagged line, and 1 from that line on. */
function sinceFirst(flags: Column): Column {
  const first = flags.indexOf(1);
  return new Float32Array(flags.length).fill(1, first < 0 ? flags.length : first);
}

function formColumns({ shapes, request }: Reading): ColumnGroup {
  const logs = logged(each(request.lines, ({ length }) => length));
  return {
    'form.indent': each(shapes.indents, (indent) => Math.min(indent, 64) / 16),
    'form.length': each(logs, (length) => length / 4),
    'form.lengthRank': percentiles(logs),
    'form.letters': shareOf(shapes.letters, shapes),
    'form.capitals': shareOf(shapes.capitals, shapes),
    'form.digits': shareOf(shapes.digits, shapes),
    'form.symbols': shareOf(shapes.symbols, shapes),
    'form.indentChange': indentChange(shapes.indents),
  };
}

/** Divides counts by the length of a line, from its first to its last visible character. */
function shareOf(counts: Int32Array, { firsts, ends }: LineShapes): Column {
  return each(
    counts,
    (count, line) => count / Math.max(1, (ends[line] as number) - (firsts[line] as number)),
  );
}

function indentChange(indents: Int32Array): Column {
  return each(indents, (indent, line) => {
    const change = indent - (line > 0 ? (indents[line - 1] as number) : 0);
    return Math.max(-16, Math.min(16, change)) / 8;
  });
}

function repetitionColumns({ repetition }: Reading): ColumnGroup {
  return {
    'repeat.count': each(repetition.counts, (count) => Math.log(Math.max(1, count)) / 3),
    'repeat.before': each(repetition.before, (count) => Math.log1p(count) / 3),
    'repeat.follows': each(repetition.follows, (value) => value),
  };
}

/** Returns columns for the rarity, within the text, of a line's words. */
function rarityColumns(words: LineWords): ColumnGroup {
  const total = words.starts.length - 1;
  const byWord = each(words.lineCounts, (seen) => rarity(seen, total) / 8);
  const mean = new Float32Array(total);
  const most = new Float32Array(total);
  for (let line = 0; line < total; line += 1) {
    const start = words.starts[line] as number;
    const end = words.starts[line + 1] as number;
    let sum = 0;
    let rarest = 0;
    for (let at = start; at < end; at += 1) {
      const value = byWord[words.words[at] as number] as number;
      sum += value;
      if (value > rarest) rarest = value;
    }
    mean[line] = sum / Math.max(1, end - start);
    most[line] = rarest;
  }
  return { 'rarity.mean': mean, 'rarity.most': most, 'rarity.meanRank': percentiles(mean) };
}

function placeColumns(total: number): ColumnGroup {
  const lines = new Float32Array(total);
  const fromTop = each(lines, (_, line) => Math.log1p(line) / 6);
  return {
    'place.share': each(lines, (_, line) => line / Math.max(1, total - 1)),
    'place.fromTop': fromTop,
    'place.fromEnd': fromTop.slice().reverse(),
  };
}

const [QUOTE, APOSTROPHE] = [34, 39] as const;
const MAX_SPAN = 400;

/** Returns 1 for the lines of triple-quoted strings, including the quotes. A string that is not closed ends after 400 lines. */
function docStrings(text: CharText, shapes: LineShapes, kinds: LineKinds): Column {
  const inside = new Float32Array(shapes.ends.length);
  let open = 0;
  let since = 0;
  for (let line = 0; line < inside.length; line += 1) {
    const isQuoted = ((kinds.bits[line] as number) & KIND_BITS.quoted) !== 0;
    const quotes = isQuoted
      ? tripleQuotes(text.codes, shapes.firsts[line] as number, shapes.ends[line] as number)
      : 0;
    if (open > 0 && line - since > MAX_SPAN) open = 0;
    inside[line] = open > 0 || quotes > 0 ? 1 : 0;
    if (quotes % 2 === 0) continue;
    open = 1 - open;
    since = line;
  }
  return inside;
}

function tripleQuotes(codes: Uint16Array, first: number, end: number): number {
  let found = 0;
  for (let at = first; at + 2 < end; at += 1) {
    const code = codes[at];
    if (code !== QUOTE && code !== APOSTROPHE) continue;
    if (codes[at + 1] !== code || codes[at + 2] !== code) continue;
    found += 1;
    at += 2;
  }
  return found;
}
