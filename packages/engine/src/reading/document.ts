/**
 * The model of a text that the engine cuts: its lines, and a tree of units with names and line ranges. Formats build it,
 * policy says which rules may remove units, selection removes whole units, rendering names them.
 */

/** A rule that may remove units. Each has a switch in the settings and is named by `secateur explain`. */
export const RULES = [
  /** Groups of passed tests in a test run. */
  'passed-tests',
  /** Progress of builds, installers and downloads. */
  'progress',
  /** Lines that repeat, or differ only in numbers, ids, times or paths. */
  'repeated-lines',
  /** One line repeated word for word many times in a row. */
  'identical-lines',
  /** Frames of a stack trace that belong to libraries, and frames shown before in the same text. */
  'library-frames',
  /** Licence headers of source files. */
  'licence-header',
  /** Minified lines, base64 and other opaque long lines. */
  'long-lines',
  /** Functions, sections, entries and other units of dumps and documents that the task does not need. */
  'unrelated-units',
  /** Rows, entries, hits and records of oversized results. */
  'oversized-rows',
  /** Long or opaque fields, the same in every record. */
  'record-fields',
  /** Hunks, files and commits of a long diff. */
  'diff-parts',
  /** Blocks of a file that the conversation already shows word for word. */
  'shown-before',
] as const;
export type RuleName = (typeof RULES)[number];

/** Kind of a unit; `cutting/labels.ts` has the words for each. */
export type UnitKind =
  | 'function'
  | 'method'
  | 'class'
  | 'type'
  | 'module'
  | 'test'
  | 'literal'
  | 'section'
  | 'paragraph'
  | 'entry'
  | 'row'
  | 'hit'
  | 'record'
  | 'field'
  | 'hunk'
  | 'changed-file'
  | 'commit'
  | 'passed-tests'
  | 'skipped-tests'
  | 'progress'
  | 'similar-lines'
  | 'library-frames'
  /** Lines of a run without a failure, a warning or a result. */
  | 'quiet-lines'
  /** Finding of a compiler or linter, with its excerpt of source. */
  | 'finding'
  /** Notes of a compiler on library code. */
  | 'library-notes'
  | 'licence'
  | 'long-line'
  | 'element'
  /** Lines of a larger unit; `name` is that of the unit. */
  | 'lines'
  | 'shown';

/** A part of a text that is kept or removed as one. Siblings are in order and never overlap; children are inside their parent. */
export interface Unit {
  readonly kind: UnitKind;
  /** Name for a reader: of a function, a heading, a template of lines, a field's key. May be empty. */
  readonly name: string;
  /** 1-based, inclusive. */
  readonly start: number;
  readonly end: number;
  /** Last line of the signature or heading, which is kept if the body is removed. `start - 1` if nothing is kept. */
  readonly head: number;
  /** The rule that may remove it; a unit without one is never removed. */
  readonly rule?: RuleName;
  /** Number of tests, rows, lines or frames it counts as in a label. Default 1. */
  readonly count?: number;
  /** Content of its body, for a label: `35 links`; for an item in a list its kind: `row`. */
  readonly holds?: string;
  /** Length of a field in characters; a label names the longest fields first. */
  readonly characters?: number;
  /** Whether it is kept although its rule is allowed: first, last, extreme, rare or empty among its siblings. */
  readonly standsOut?: boolean;
  readonly children?: readonly Unit[];
}

export type FormatName =
  | 'code'
  | 'document'
  | 'test-run'
  | 'build'
  | 'log'
  | 'diff'
  | 'search'
  | 'listing'
  | 'table'
  | 'json'
  /** YAML, TOML, INI, lock files and other files of keys and values. */
  | 'config'
  | 'markup'
  /** Any other text; its units are paragraphs. */
  | 'plain';

/** Formats of what a program reports on its work; no line is part of a longer statement. */
export const REPORTS: ReadonlySet<FormatName> = new Set(['log', 'test-run', 'build']);
/** Formats whose lines, rows or records are independent of each other. */
export const LISTS: ReadonlySet<FormatName> = new Set([
  ...REPORTS,
  ...(['search', 'listing', 'table', 'json', 'config'] as const),
]);

/** Lines by which a format is recognised: from head and tail of the text, none blank, at most 300 characters each. */
export type Sample = readonly string[];

/** One kind of output. A new kind is one file that exports one of these, and one line in `formats.ts`. */
export interface Format {
  readonly name: FormatName;
  /** Whether a text has this format. Formats are asked in the order of their registry; the first that says yes reads the text. */
  recognise(sample: Sample): boolean;
  /** The units of all lines; lines come without terminal sequences and without number prefixes. */
  units(lines: readonly string[], hints: ReadingHints): readonly Unit[];
  /** Texts that are of this format, and texts that are not: the tests of `recognise`. */
  readonly examples: { readonly is: readonly string[]; readonly isNot: readonly string[] };
}

/** Facts the caller knows about a text besides its lines. */
export interface ReadingHints {
  /** Name of the file; its extension determines the language of code. */
  readonly fileName?: string | undefined;
}

/** A text as the engine sees it. */
export interface Document {
  readonly format: FormatName;
  /** The lines as they are in the text, without `\n`. */
  readonly lines: readonly string[];
  /** The lines without terminal sequences and number prefixes; patterns are matched against these. */
  readonly bare: readonly string[];
  readonly units: readonly Unit[];
}

/**
 * Builds a tree of units from a flat list: a unit inside another becomes its child; one that crosses the end
 * of another is left out.
 */
export function nestUnits(flat: readonly Unit[]): Unit[] {
  const ordered = [...flat].sort((a, b) => a.start - b.start || b.end - a.end);
  const roots: Nested[] = [];
  const open: Nested[] = [];
  for (const unit of ordered) {
    while (open.length > 0 && (open.at(-1) as Nested).end < unit.start) open.pop();
    const parent = open.at(-1);
    if (parent !== undefined && (unit.end > parent.end || unit.start <= parent.head)) continue;
    const nested: Nested = { ...unit, children: [] };
    (parent === undefined ? roots : parent.children).push(nested);
    open.push(nested);
  }
  return roots;
}

type Nested = Omit<Unit, 'children'> & { children: Nested[] };
