/**
 * Model of a text: its lines, and a tree of units with names and line ranges. Formats build the tree, policy
 * selects rules that may remove units, selection removes whole units, and rendering writes their labels.
 */

/** Rules that may remove units. Each can be switched off in the settings, and `secateur explain` prints its name. */
export const RULES = [
  /** Groups of passed tests in a test run. */
  'passed-tests',
  /** Progress of builds, installers and downloads. */
  'progress',
  /** Lines that occur repeatedly, with different numbers, ids, times or paths at most. */
  'repeated-lines',
  /** One line that occurs word for word many times in a row. */
  'identical-lines',
  /** Frames of a stack trace that belong to libraries or were shown before in the same text. */
  'library-frames',
  /** Licence headers of source files. */
  'licence-header',
  /** Minified lines, base64 and other opaque long lines. */
  'long-lines',
  /** Functions, sections, entries and other units of dumps and documents that the task does not need. */
  'unrelated-units',
  /** Rows, entries, hits and records of results above the size limit. */
  'oversized-rows',
  /** Long or opaque fields of records, in every record. */
  'record-fields',
  /** Hunks, files and commits of a long diff. */
  'diff-parts',
  /** Blocks of a file that the conversation already shows word for word. */
  'shown-before',
] as const;
export type RuleName = (typeof RULES)[number];

/** Kinds of units. `cutting/labels.ts` contains the words for each. */
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
  /** Finding of a compiler or linter, with the source that it quotes. */
  | 'finding'
  /** Notes of a compiler on library code. */
  | 'library-notes'
  | 'licence'
  | 'long-line'
  | 'element'
  /** Lines of a larger unit, whose name is in `name`. */
  | 'lines'
  | 'shown';

/** A part of a text that is kept or removed as a whole. Siblings are in order, and children are inside their parent. */
export interface Unit {
  readonly kind: UnitKind;
  /** Name for readers: of a function, a heading, a template of lines or the key of a field. May be empty. */
  readonly name: string;
  /** First line, 1-based. `end` is inclusive. */
  readonly start: number;
  readonly end: number;
  /** Last line of the signature or heading, which is kept if the body is removed. `start - 1` without a heading. */
  readonly head: number;
  /** Rule that may remove the unit. Without a rule it is never removed. */
  readonly rule?: RuleName;
  /** Number that the unit adds to the count in a label: of tests, rows, lines or frames. Default: 1. */
  readonly count?: number;
  /** Content of the body, for a label: `35 links`. For a list item, the kind of item: `row`. */
  readonly holds?: string;
  /** Whether an element of a page contains controls of a form, so that it is removed only if clearly unrelated. */
  readonly holdsControls?: boolean;
  /** Length of a field in characters. Labels name the longest fields first. */
  readonly characters?: number;
  /** Whether the unit is kept although its rule is allowed, because it is the first, last, extreme, rare or empty among its siblings. */
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
  /** YAML, TOML, INI, lock files and other files with keys and values. */
  | 'config'
  | 'markup'
  /** All other texts. Their units are paragraphs. */
  | 'plain';

/** Formats in which a program reports on its work. Each line is independent of the others. */
export const REPORTS: ReadonlySet<FormatName> = new Set(['log', 'test-run', 'build']);
/** Formats whose lines, rows or records are independent of each other. */
export const LISTS: ReadonlySet<FormatName> = new Set([
  ...REPORTS,
  ...(['search', 'listing', 'table', 'json', 'config'] as const),
]);

/** Lines by which a format is recognised: from the beginning and end of the text, not blank, at most 300 characters each. */
export type Sample = readonly string[];

/** One kind of output. For a new kind, export a `Format` from a new file and add a line to `formats.ts`. */
export interface Format {
  readonly name: FormatName;
  /** Whether a text has this format. The first format of the registry that recognises a text reads it. */
  recognise(sample: Sample): boolean;
  /** Returns the units of a text. The lines contain neither terminal sequences nor number prefixes. */
  units(lines: readonly string[], hints: ReadingHints): readonly Unit[];
  /** Texts that are of this format and texts that are not, to test `recognise`. */
  readonly examples: { readonly is: readonly string[]; readonly isNot: readonly string[] };
}

/** Facts about a text that the caller knows. */
export interface ReadingHints {
  /** Name of the file. Its extension determines the language of code. */
  readonly fileName?: string | undefined;
}

/** A text as the engine reads it. */
export interface Document {
  readonly format: FormatName;
  /** Lines as in the text, without `\n`. */
  readonly lines: readonly string[];
  /** Lines without terminal sequences and number prefixes. Patterns are matched with these. */
  readonly bare: readonly string[];
  readonly units: readonly Unit[];
}

/** Builds a tree from a list of units. A unit inside another becomes its child. A unit that overlaps the end of another is omitted. */
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
