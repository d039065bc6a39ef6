import type { Focus } from '@secateur/engine/ranking/focus.ts';
import { callText } from '@secateur/engine/text-kind.ts';
import type { ToolCall } from './client.ts';
import { type ShownLimits, shownOutputs } from './shown-outputs.ts';
import type { TranscriptEntry } from './transcript.ts';

const WORDS_KEPT = 4;
/** A pasted log in a request would drown what the request says. */
const MAX_CHARS = 4000;

/**
 * Returns the agent's focus: the user's last request, the agent's last words, and what the call says of
 * itself. Without limits no output counts as shown before.
 */
export function focusOf(
  call: ToolCall,
  entries: readonly TranscriptEntry[],
  limits: ShownLimits | undefined,
): Focus {
  const task = entries.findLast((entry) => entry.kind === 'user')?.text ?? '';
  const words = entries.flatMap((entry) => (entry.kind === 'agent' ? [brief(entry.text)] : []));
  const recentWords = words.slice(-WORDS_KEPT);
  const command = callText(call.source, call.tool);
  const question = [call.purpose ?? '', recentWords.at(-1) ?? ''].filter((part) => part !== '').join('\n');
  return {
    question: question === '' ? brief(task) || command : question,
    ...(task === '' ? {} : { task: brief(task) }),
    ...(recentWords.length < 2 ? {} : { recentWords: recentWords.slice(0, -1) }),
    ...(command === '' ? {} : { command }),
    ...(limits !== undefined && { shown: shownOutputs(call, entries, limits) }),
    isConfidential: true,
  };
}

/** The beginning says what is wanted, the end what is wanted last. */
function brief(text: string): string {
  const said = text.trim();
  if (said.length <= MAX_CHARS) return said;
  return `${said.slice(0, MAX_CHARS / 2)}\n${said.slice(-MAX_CHARS / 2)}`;
}
