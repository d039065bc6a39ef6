import { isJsonObject, type Json, type JsonObject } from '@secateur/base/text/json.ts';
import { DEFAULT_OPTIONS, kindOfText, type Origin as TextOrigin } from '@secateur/engine/request.ts';
import type { MaskingLimits } from '../../masking/mask.ts';
import type { EmbeddedPruning } from '../prune-outcome.ts';
import type { PruneLongText } from './shorten.ts';

const MIN_KEEP_LINES = 10;
const LARGEST_RATIO = 0.98;
/**
 * Share of `maxChars` to which a text is pruned. The result may be longer, because lines differ in length and
 * markers take space. Above `maxChars`, masking would remove the best lines.
 */
const FILL = 0.6;

/** Prunes a long text for the goal of the call, so that it need not be masked. */
export function pruneFirst(
  { pruner, least, policy, timeoutMs }: EmbeddedPruning,
  limits: MaskingLimits,
): PruneLongText {
  return async (text, { params, signal }) => {
    const goal = goalOf(params);
    if (goal === '') return undefined;
    const mostShare = (FILL * limits.maxChars) / text.length;
    const request = {
      text,
      focus: { question: goal },
      ...kindOfText(originOf(params), text),
      intent: 'explicit' as const,
      options: {
        ...DEFAULT_OPTIONS,
        maxPruneRatio: Math.min(LARGEST_RATIO, 1 - mostShare),
        mostShare,
        minKeepLines: MIN_KEEP_LINES,
        timeoutMs,
        least,
        ...policy,
      },
    };
    const outcome = await pruner.prune(request, signal);
    const helped = !outcome.stats.usedFallback && outcome.prunedText.length < text.length;
    return helped ? { pruneId: outcome.id, text: outcome.prunedText } : undefined;
  };
}

/** Names of arguments that state a goal, the clearest first. */
const TELLING_NAMES =
  'goal question context_focus_question query q search pattern regex prompt task topic symbol keyword';
const TELLING = TELLING_NAMES.split(' ');

const MAX_GOAL_CHARS = 500;

/** Returns a goal from the arguments of a call; empty if they state none. */
export function goalOf({ arguments: args, uri }: JsonObject): string {
  const given: JsonObject = isJsonObject(args) ? args : {};
  const telling = TELLING.map((name) => given[name]).filter(isWords);
  const words = telling.length > 0 ? telling : [...Object.values(given), uri ?? ''].filter(isWords);
  return words.join(' ').slice(0, MAX_GOAL_CHARS);
}

function isWords(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_GOAL_CHARS;
}

/** Returns the command or file that a call names. It shows of which kind the text is. */
export function originOf({ arguments: args, uri }: JsonObject): TextOrigin {
  const given: JsonObject = isJsonObject(args) ? args : {};
  const command = [given.command, given.cmd].find(isWords);
  if (command !== undefined) return { kind: 'command', command };
  const path = [given.path, given.file_path, given.file, given.filename, given.uri, uri].find(isWords);
  return path === undefined ? { kind: 'other' } : { kind: 'file', path };
}
