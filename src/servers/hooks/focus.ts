import { setImmediate as nextTurn } from 'node:timers/promises';
import { callText } from '../../pruning/text-kind.ts';
import type { Focus } from '../../ranking/focus.ts';
import { rememberShown } from '../../ranking/shown.ts';
import { lineBlocks } from '../../text/lines.ts';
import { askedBackIn } from './asked-back.ts';
import type { ToolCall } from './client.ts';
import type { TranscriptEntry } from './transcript.ts';

const WORDS_KEPT = 4;
/** A pasted log in a request would drown what the request says. */
const MOST_CHARS = 4000;

/** What the agent is doing: the user's last request, the agent's last words, and what the call says of itself. */
export async function focusOf(call: ToolCall, entries: readonly TranscriptEntry[]): Promise<Focus> {
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
    seen: await shownBefore(call, entries),
    askedBack: askedBackIn(entries),
    isConfidential: true,
  };
}

/**
 * Returns what the agent was shown before this call, and what it said itself. A transcript may hold the call's own result
 * already. Short entries are read together: to begin a text costs more than to read it.
 */
async function shownBefore(
  { id }: ToolCall,
  entries: readonly TranscriptEntry[],
): Promise<ReadonlySet<number>> {
  const seen = new Set<number>();
  const texts = entries.flatMap((entry) => {
    const isItself = entry.kind === 'result' && (id === undefined || entry.id === id);
    return 'text' in entry && !isItself ? [entry.text] : [];
  });
  for (const block of lineBlocks(texts.join('\n'))) {
    if (seen.size > 0) await nextTurn();
    rememberShown(seen, block);
  }
  return seen;
}

/** The beginning says what is wanted, the end what is wanted last. */
function brief(text: string): string {
  const said = text.trim();
  if (said.length <= MOST_CHARS) return said;
  return `${said.slice(0, MOST_CHARS / 2)}\n${said.slice(-MOST_CHARS / 2)}`;
}
