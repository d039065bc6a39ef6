import { type FileKind, fileKindOf } from '@secateur/base/text/file-kinds.ts';
import type { Explanation } from './explanation.ts';
import { DEFAULT_SIZES, type PolicySizes } from './policy/policy.ts';
import { requestKindOf, shownFile } from './policy/request-kind.ts';
import type { Focus, SourceType } from './ranking/scorer.ts';
import type { RuleName } from './reading/document.ts';

export interface PruneRequest {
  text: string;
  focus: Focus;
  sourceType: SourceType;
  /** Source of the text. It determines what may be removed. */
  origin?: Origin;
  fileName?: string;
  /** Default: `capped`. */
  intent?: CutIntent;
  /** Original of `text`, if `text` is pretty-printed JSON (P55). */
  cameAs?: OriginalText;
  options: PruneOptions;
}

/** A text before pretty-printing. A cut must save tokens compared with this text. */
export interface OriginalText {
  /** Id that recovers the original. */
  readonly id: string;
  readonly characters: number;
  readonly tokens: number;
}

/**
 * Why a text is cut. `implicit`: by a hook, without being asked, so that precise requests are returned
 * unchanged. `explicit`: for a question. `capped`: by `prune_text`, down to the limits of its caller.
 */
export type CutIntent = 'implicit' | 'explicit' | 'capped';

export interface PruneOptions {
  /** Maximum share of the lines that may be removed. */
  maxPruneRatio: number;
  minKeepLines: number;
  timeoutMs: number;
  /** Whether kept lines begin with `N│ `, their number in the original. */
  annotateLines: boolean;
  includeMarkers: boolean;
  markers: MarkerStyle;
  /** Structure rule. Default: that of the pruner. */
  structure?: StructureRule;
  /** Maximum share of the tokens to keep, including markers. Protected lines may exceed it. */
  mostShare?: number;
  /** Whether to ignore the pruner's size limit, for callers that have their own. */
  anySize?: boolean;
  /** Minimum savings of a cut. Not set by `prune_text`. */
  least?: LeastSize;
  /** Sizes below which nothing is cut. Default: those of the policy. */
  sizes?: PolicySizes;
  disabledRules?: readonly RuleName[];
  /** Command or tool that recovers lines, for the first line of compact markers. `{id}` is replaced by the id. */
  recoverBy?: string;
  /** Number of the text's first line in its file. Markers and numbered lines then use line numbers of the file. */
  firstLine?: number;
  /** Whether to pretty-print JSON in very long lines although the caller has limits in lines (`secateur prune`). */
  laysOut?: boolean;
  /** Whether the outcome explains for each line why it was kept or removed. */
  explain?: boolean;
}

/** Settings that apply to all cuts. */
export type CutPolicy = Pick<PruneOptions, 'sizes' | 'disabledRules'>;

export const DEFAULT_OPTIONS = {
  minKeepLines: 0,
  annotateLines: false,
  includeMarkers: true,
  markers: 'canonical',
} as const satisfies Partial<PruneOptions>;

/** `all`: all declarations, imports and headings are kept. `by-need`: above a ratio of 0.6, only those around kept lines are. */
export type StructureRule = 'all' | 'by-need';

/** `canonical`: each marker can be read alone. `compact`: markers are short and need the first line of the text. */
export type MarkerStyle = 'canonical' | 'compact';

export interface PruneOutcome {
  /** Id that recovers every line of the original. */
  id: string;
  prunedText: string;
  annotations: PrunedBlock[];
  stats: PruneStats;
  warnings: string[];
  /** Explanation, if `options.explain` is set and lines were ranked. */
  explanation?: Explanation;
}

/** Lines `start` to `end` of the original, which the pruned text omits. */
export interface PrunedBlock {
  start: number;
  end: number;
  count: number;
  reason: string;
  marker: string;
  /** Set if the block is a single long line that the marker shows in part, so that no line was removed. */
  isInPart?: true;
}

export interface PruneStats {
  originalLines: number;
  keptLines: number;
  prunedLines: number;
  prunedRatio: number;
  tokensBefore: number;
  tokensAfter: number;
  elapsedMs: number;
  usedFallback: boolean;
  backend: Backend;
  /** Tier of the scorer that ranked the lines; `undefined` if none did. */
  scorer?: string;
  deepinfra?: DeepInfraStats;
}

export type Backend = 'heuristic' | 'deepinfra';

export interface DeepInfraStats {
  latencyMs: number;
  docsScored: number;
  docsTotal: number;
  httpStatus?: number;
  cached: boolean;
}

/** Source of a text, if known. Commands and paths are only read as text. They are never run or opened. */
export type Origin =
  | { readonly kind: 'command'; readonly command: string }
  /** A file. `isPart`: the caller requested some of its lines by number. */
  | { readonly kind: 'file'; readonly path: string; readonly isPart?: boolean | undefined }
  | { readonly kind: 'search'; readonly pattern: string }
  /** A fetched page or document. */
  | { readonly kind: 'page' }
  /** Report of a subagent. */
  | { readonly kind: 'report' }
  /** Result of a tool of an MCP server. */
  | { readonly kind: 'result' }
  | { readonly kind: 'other' };

/** Minimum savings of a cut. If absent, each text is cut as far as possible. */
export interface LeastSize {
  /** Minimum number of characters. Shorter texts are returned unchanged. */
  characters: number;
  /** Minimum number of tokens that a cut must save, here and as a share below. Otherwise the text is returned unchanged. */
  savedTokens: number;
  savedShare: number;
}

/** Default minimum savings. With less, a marker and a recovery cost more than a cut saves. */
export const DEFAULT_LEAST: LeastSize = { characters: 1000, savedTokens: 60, savedShare: 0.2 };

export function isTooSmall(text: string, least: LeastSize | undefined): boolean {
  return least !== undefined && text.length < least.characters;
}

export function savesTooLittle(
  { tokensBefore, tokensAfter }: { tokensBefore: number; tokensAfter: number },
  least: LeastSize | undefined,
): boolean {
  if (least === undefined) return false;
  const saved = tokensBefore - tokensAfter;
  return saved < least.savedTokens || saved < least.savedShare * tokensBefore;
}

/** Facts about a text that the engine needs besides its lines and focus. */
export interface TextKind {
  readonly origin: Origin;
  /** Category for the ledger and the scorer. */
  readonly sourceType: SourceType;
  /** File that the text shows. Its extension determines the language. */
  readonly fileName?: string;
}

/** Determines the kind of a text from its source and its lines. */
export function kindOfText(origin: Origin, text: string): TextKind {
  const fileName = shownFileOf(origin);
  const known: FileKind | undefined = fileName === undefined ? undefined : fileKindOf(fileName);
  return { origin, sourceType: known ?? guessSourceType(text), ...(fileName !== undefined && { fileName }) };
}

/** Whether a text shows contents of files. It may then repeat blocks that were shown before. */
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

/** Returns a call as text: `Read src/a.ts`, `Grep retry`, or the command line. */
export function callText(origin: Origin, searchTool = 'Grep'): string {
  if (origin.kind === 'command') return origin.command;
  if (origin.kind === 'file') return `Read ${origin.path}`;
  return origin.kind === 'search' ? `${searchTool} ${origin.pattern}` : '';
}

/** Returns the file whose lines a text shows. `undefined` unless there is exactly one. */
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

/** Guesses the kind of a text. It is code unless its lines look more like a log or like prose. */
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

/** Maximum length of a diff or patch that may be returned unchanged. */
const MAX_WHOLE_DIFF_CHARS = DEFAULT_SIZES.maxDiffChars;

const HUNK = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m;

/** Whether a text is a diff that is short enough to be returned unchanged. */
export function isReadWhole(origin: Origin, text: string): boolean {
  if (text.length > MAX_WHOLE_DIFF_CHARS) return false;
  return requestKindOf(origin) === 'diff' || isGit(origin) || (origin.kind !== 'search' && HUNK.test(text));
}

/** Whether a text is git's output about a state. Readers need all of it, as with a diff. A history is different. */
function isGit(origin: Origin): boolean {
  return (
    origin.kind === 'command' && /\bgit (?:--no-pager )?(?:status|blame|annotate)\b/.test(origin.command)
  );
}
