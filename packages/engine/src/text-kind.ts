import { type FileKind, fileKindOf } from '@secateur/base/text/file-kinds.ts';
import type { Origin } from './origin.ts';
import { DEFAULT_SIZES } from './policy/policy.ts';
import { requestKindOf } from './policy/request-kind.ts';
import { shownFile } from './policy/shown-file.ts';
import type { SourceType } from './ranking/scorer.ts';

/** Facts the engine gets about a text besides its lines and its focus. */
export interface TextKind {
  readonly origin: Origin;
  /** Category for the ledger and the scorer. */
  readonly sourceType: SourceType;
  /** The file it shows, whose extension determines its language. */
  readonly fileName?: string;
}

/** Determines the kind of a text by its source and its looks. */
export function kindOfText(origin: Origin, text: string): TextKind {
  const fileName = shownFileOf(origin);
  const known: FileKind | undefined = fileName === undefined ? undefined : fileKindOf(fileName);
  return { origin, sourceType: known ?? guessSourceType(text), ...(fileName !== undefined && { fileName }) };
}

/** Whether a text shows contents of files, so that a block shown before is old news: reads, searches, diffs, fetched documents. */
export function showsFiles(origin: Origin): boolean {
  if (origin.kind !== 'command') return origin.kind !== 'report' && origin.kind !== 'other';
  const kind = requestKindOf(origin);
  return (
    kind === 'diff' ||
    kind === 'dump' ||
    shownFile(origin.command) !== undefined ||
    SEARCH.test(origin.command)
  );
}

const SEARCH = /^\s*(?:cd \S{1,200} && )?(?:grep|egrep|rg|ag|git grep)\b/;

/** A call in words: `Read src/a.ts`, `Grep retry`, a command line as it is. */
export function callText(origin: Origin, searchTool = 'Grep'): string {
  if (origin.kind === 'command') return origin.command;
  if (origin.kind === 'file') return `Read ${origin.path}`;
  return origin.kind === 'search' ? `${searchTool} ${origin.pattern}` : '';
}

/** The one file whose lines a text shows. */
export function shownFileOf(origin: Origin): string | undefined {
  if (origin.kind === 'file') return origin.path;
  return origin.kind === 'command' ? shownFile(origin.command) : undefined;
}

const SAMPLE_CHARS = 40_000;
const LOG_LINE =
  /^\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d[T ]|\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d|(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b)/;
const PROSE_LINE = /^(?:#{1,6} |[-*] |\d+\. |> )?["'(*_`]{0,3}\p{L}[^;{}=<>]{30,}[.,:;)\w]$/u;
const CODE_LINE =
  /[;{}]\s*$|^\s*(?:return|if|for|while|else|elif|try|except)\b.*[:{(;]|^\s+[\w.$]+\s*(?:=|\()|=>|::/;

/** Guesses the kind of a text without a label: code, unless its lines look more like a log or like prose. */
function guessSourceType(text: string): SourceType {
  const lines = text
    .slice(0, SAMPLE_CHARS)
    .split('\n')
    .map((line) => line.slice(0, 240))
    .filter((line) => line.trim() !== '');
  const count = (pattern: RegExp) => lines.filter((line) => pattern.test(line)).length;
  if (count(LOG_LINE) > lines.length / 3) return 'logs';
  const prose = count(PROSE_LINE) + count(/^#{1,6} /);
  return prose > lines.length / 4 && prose > count(CODE_LINE) ? 'docs' : 'code';
}

/** Diffs and patches up to this size are read to the letter. */
const MAX_WHOLE_DIFF_CHARS = DEFAULT_SIZES.maxDiffChars;

const HUNK = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m;

/** Whether a text is a diff that is short enough to be returned unchanged. */
export function isReadWhole(origin: Origin, text: string): boolean {
  if (text.length > MAX_WHOLE_DIFF_CHARS) return false;
  return requestKindOf(origin) === 'diff' || isGit(origin) || (origin.kind !== 'search' && HUNK.test(text));
}

/** Output of git about a state is read to the letter, like a diff; a history is not. */
function isGit(origin: Origin): boolean {
  return (
    origin.kind === 'command' && /\bgit (?:--no-pager )?(?:status|blame|annotate)\b/.test(origin.command)
  );
}
