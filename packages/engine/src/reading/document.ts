/**
 * Model of a text in the engine: its lines, and a tree of units with names and line ranges. Formats build the tree,
 * policy decides which rules may remove units, selection removes whole units, rendering writes their labels.
 */

/** A rule that may remove units. Each rule has a switch in the settings, and `secateur explain` prints it. */
export const RULES = [
  /** Groups of passed tests in a test run. */
  'passed-tests',
  /** Progress of builds, installers and downloads. */
  'progress',
  /** Lines that repeat, or that differ only in numbers, ids, times or paths. */
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
  /** Long or opaque fields, in every record. */
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
  /** Lines of a larger unit; `name` is the name of that unit. */
  | 'lines'
  | 'shown';

/** A part of a text that is kept or removed as a whole. Siblings are in order; children are inside their parent. */
export interface Unit {
  readonly kind: UnitKind;
  /** Name for a reader: of a function, a heading, a template of lines, the key of a field. May be empty. */
  readonly name: string;
  /** 1-based, inclusive. */
  readonly start: number;
  readonly end: number;
  /** Last line of the signature or heading, which is kept if the body is removed. Without a heading, `start - 1`. */
  readonly head: number;
  /** The rule that may remove the unit. A unit without a rule is never removed. */
  readonly rule?: RuleName;
  /** Number of tests, rows, lines or frames that the unit adds to a label. Default 1. */
  readonly count?: number;
  /** Content of the body, for a label: `35 links`. For a list item its kind: `row`. */
  readonly holds?: string;
  /** Length of a field in characters; labels list the longest fields first. */
  readonly characters?: number;
  /** Whether the unit is kept although its rule is allowed: first, last, extreme, rare or empty among its siblings. */
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

/** Formats in which a program reports on its work. No line is part of a longer statement. */
export const REPORTS: ReadonlySet<FormatName> = new Set(['log', 'test-run', 'build']);
/** Formats whose lines, rows or records are independent of each other. */
export const LISTS: ReadonlySet<FormatName> = new Set([
  ...REPORTS,
  ...(['search', 'listing', 'table', 'json', 'config'] as const),
]);

/** Lines by which a format is recognised: from beginning and end of the text, not blank, up to 300 characters each. */
export type Sample = readonly string[];

/** One kind of output. To add a kind, export a `Format` from a new file and add one line to `formats.ts`. */
export interface Format {
  readonly name: FormatName;
  /** Whether a text has this format. The first format of the registry that returns true reads the text. */
  recognise(sample: Sample): boolean;
  /** Returns the units of all lines. The lines contain no terminal sequences and no number prefixes. */
  units(lines: readonly string[], hints: ReadingHints): readonly Unit[];
  /** Texts of this format and texts of other formats, which test `recognise`. */
  readonly examples: { readonly is: readonly string[]; readonly isNot: readonly string[] };
}

/** Facts that the caller knows about a text besides its lines. */
export interface ReadingHints {
  /** Name of the file; its extension determines the language of code. */
  readonly fileName?: string | undefined;
}

/** A text as the engine reads it. */
export interface Document {
  readonly format: FormatName;
  /** The lines as they are in the text, without `\n`. */
  readonly lines: readonly string[];
  /** The lines without terminal sequences and number prefixes; patterns are matched against these. */
  readonly bare: readonly string[];
  readonly units: readonly Unit[];
}

/**
 * Builds a tree of units from a flat list. A unit inside another becomes its child; a unit that overlaps the end of
 * another is omitted.
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
