import { DEFAULT_LEAST } from '../least-size.ts';
import type { Origin } from '../origin.ts';
import type { Focus } from '../ranking/focus.ts';
import { DEFAULT_OPTIONS, type PruneOptions, type PruneRequest } from '../request.ts';
import type { CutOptions } from '../secateur.ts';
import { callText, kindOfText } from '../text-kind.ts';

const TIMEOUT_MS = 10_000;
/** The largest share of lines that a cut by rules may remove. */
const MAX_PRUNE_RATIO = 0.95;

/** Makes the request of a cut; `undefined` if an option is not allowed. */
export function requestOf(
  text: unknown,
  options: CutOptions,
  minChars: number | undefined,
): PruneRequest | undefined {
  const { maxPruneRatio = MAX_PRUNE_RATIO } = options;
  if (typeof text !== 'string' || !(maxPruneRatio >= 0 && maxPruneRatio <= 1)) return undefined;
  const kind = kindOfText(originOf(options), text);
  return {
    text,
    focus: focusOf(options, kind.origin),
    ...kind,
    ...(options.sourceType && { sourceType: options.sourceType }),
    intent: intentOf(options),
    options: { ...pruneOptions(options, minChars), maxPruneRatio },
  };
}

function intentOf({ maxPruneRatio, question }: CutOptions): NonNullable<PruneRequest['intent']> {
  if (maxPruneRatio !== undefined) return 'capped';
  return question === undefined ? 'implicit' : 'explicit';
}

function originOf({ command, path, pattern, firstLine }: CutOptions): Origin {
  if (command !== undefined) return { kind: 'command', command };
  if (pattern !== undefined) return { kind: 'search', pattern };
  return path === undefined
    ? { kind: 'result' }
    : { kind: 'file', path, isPart: firstLine !== undefined && firstLine > 1 };
}

function pruneOptions(
  { maxPruneRatio, markers = 'compact', lineNumbers = false, firstLine }: CutOptions,
  minChars: number | undefined,
): Omit<PruneOptions, 'maxPruneRatio'> {
  const least = { ...DEFAULT_LEAST, ...(minChars !== undefined && { characters: minChars }) };
  const leastOfCapped =
    minChars === undefined ? undefined : { characters: minChars, savedTokens: 0, savedShare: 0 };
  const required = maxPruneRatio === undefined ? least : leastOfCapped;
  return {
    ...DEFAULT_OPTIONS,
    timeoutMs: TIMEOUT_MS,
    annotateLines: lineNumbers,
    includeMarkers: markers !== 'none',
    markers: markers === 'none' ? 'canonical' : markers,
    ...(required && { least: required }),
    ...(firstLine !== undefined && { firstLine }),
  };
}

/** The words may come from a conversation: they are kept nowhere. */
function focusOf({ question, task, said = [], shown }: CutOptions, origin: Origin): Focus {
  const words = typeof said === 'string' ? [said] : said;
  const command = callText(origin);
  const earlier = question === undefined ? words.slice(0, -1) : words;
  return {
    question: question ?? words.at(-1) ?? task ?? command,
    ...(task !== undefined && { task }),
    ...(earlier.length > 0 && { recentWords: earlier }),
    ...(command !== '' && { command }),
    ...(shown && { shown }),
    isConfidential: true,
  };
}
