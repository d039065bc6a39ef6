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
  /** Source of the text; decides what may be removed from it. */
  origin?: Origin;
  fileName?: string;
  /** Default `capped`. */
  intent?: CutIntent;
  /** The original of `text`, if that was laid out from JSON in very long lines (P55). */
  cameAs?: OriginalText;
  options: PruneOptions;
}

/** A text before it was laid out; a cut must be worth it compared with this one. */
export interface OriginalText {
  /** Id by which it is recovered. */
  readonly id: string;
  readonly characters: number;
  readonly tokens: number;
}

/**
 * Why a text is cut. `implicit`: without a request (hooks), so precise requests are returned unchanged.
 * `explicit`: towards a question. `capped`: `prune_text`, down to its caller's limits.
 */
export type CutIntent = 'implicit' | 'explicit' | 'capped';

export interface PruneOptions {
  /** At most this share of the lines is removed. */
  maxPruneRatio: number;
  minKeepLines: number;
  timeoutMs: number;
  /** Prefixes kept lines with `N│ `, their number in the original. */
  annotateLines: boolean;
  includeMarkers: boolean;
  markers: MarkerStyle;
  /** Default: what the pruner was made with. */
  structure?: StructureRule;
  /** For a small context: largest share of the tokens that is kept, markers included, unless protected. */
  mostShare?: number;
  /** Lifts the pruner's limit on the size of a text, for callers with a limit of their own. */
  anySize?: boolean;
  /** Minimum savings of a cut; `prune_text` sets none. */
  least?: LeastSize;
  /** Sizes below which nothing is cut; default: those of the policy. */
  sizes?: PolicySizes;
  /** Rules that may not remove anything. */
  disabledRules?: readonly RuleName[];
  /** Command or tool by which the reader recovers lines, for the first line of compact markers; `{id}` is the id. */
  recoverBy?: string;
  /** Number of the text's first line in its file; compact markers and numbered lines count from it. */
  firstLine?: number;
  /** Lays out JSON in very long lines although the caller has limits in lines (`secateur prune`). */
  laysOut?: boolean;
  /** Whether the outcome says for each line why it was kept or removed. */
  explain?: boolean;
}

/** Settings that apply to all cuts. */
export type CutPolicy = Pick<PruneOptions, 'sizes' | 'disabledRules'>;

/** Default options, for callers that set none. */
export const DEFAULT_OPTIONS = {
  minKeepLines: 0,
  annotateLines: false,
  includeMarkers: true,
  markers: 'canonical',
} as const satisfies Partial<PruneOptions>;

/** `all` keeps every declaration, import and heading at any ratio; `by-need` above .6 only those that kept lines need. */
export type StructureRule = 'all' | 'by-need';

/** Canonical markers can be read alone; compact ones are short and need the first line of their text. */
export type MarkerStyle = 'canonical' | 'compact';

export interface PruneOutcome {
  /** Recovers every line of the original. */
  id: string;
  prunedText: string;
  annotations: PrunedBlock[];
  stats: PruneStats;
  warnings: string[];
  /** With `options.explain`, if lines were ranked. */
  explanation?: Explanation;
}

/** Lines `start` to `end` of the original that the pruned text leaves out. */
export interface PrunedBlock {
  start: number;
  end: number;
  count: number;
  reason: string;
  marker: string;
  /** Set if the block is one long line of which the marker shows a part: no line was removed. */
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
  /** Tier of the scorer that ranked the lines; undefined when none did. */
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

/** Source of a text, if known. Commands and paths are read for their words, never run or opened. */
export type Origin =
  | { readonly kind: 'command'; readonly command: string }
  /** `isPart`: the caller asked for some of its lines by number. */
  | { readonly kind: 'file'; readonly path: string; readonly isPart?: boolean | undefined }
  | { readonly kind: 'search'; readonly pattern: string }
  /** A fetched page or document. */
  | { readonly kind: 'page' }
  /** Report of a subagent. */
  | { readonly kind: 'report' }
  /** Result of a tool of an MCP server. */
  | { readonly kind: 'result' }
  | { readonly kind: 'other' };

/** Minimum savings of a cut; without them every text is cut as far as possible. */
export interface LeastSize {
  /** Shorter texts are returned unchanged. */
  characters: number;
  /** Texts that would lose fewer tokens, or a smaller share of their tokens, are returned unchanged. */
  savedTokens: number;
  savedShare: number;
}

/** Default minimum savings. Below them, a marker and a recovery cost more than the cut saves. */
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

/** Whether a text shows contents of files, so that it may repeat blocks shown before. */
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

/** Returns a call as text: `Read src/a.ts`, `Grep retry`, a command line as it is. */
export function callText(origin: Origin, searchTool = 'Grep'): string {
  if (origin.kind === 'command') return origin.command;
  if (origin.kind === 'file') return `Read ${origin.path}`;
  return origin.kind === 'search' ? `${searchTool} ${origin.pattern}` : '';
}

/** Returns the one file whose lines a text shows, if any. */
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

/** Diffs and patches up to this size may be returned unchanged. */
const MAX_WHOLE_DIFF_CHARS = DEFAULT_SIZES.maxDiffChars;

const HUNK = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m;

/** Whether a text is a diff that is short enough to be returned unchanged. */
export function isReadWhole(origin: Origin, text: string): boolean {
  if (text.length > MAX_WHOLE_DIFF_CHARS) return false;
  return requestKindOf(origin) === 'diff' || isGit(origin) || (origin.kind !== 'search' && HUNK.test(text));
}

/** Whether a text is output of git about a state, which readers need complete like a diff. A history is not. */
function isGit(origin: Origin): boolean {
  return (
    origin.kind === 'command' && /\bgit (?:--no-pager )?(?:status|blame|annotate)\b/.test(origin.command)
  );
}
