/** The goal of a text's reader, as far as the caller knows. Data, never an instruction. */
export interface Focus {
  /** Question about this text; `goal_hint` alone is the question. */
  question: string;
  /** Purpose of the whole run: an issue, a ticket, the user's first message. */
  task?: string;
  /** The agent's last texts, oldest first. */
  recentWords?: readonly string[];
  /** The command or tool call that made the text. */
  command?: string;
  /** Outputs that the client still sends to the model, oldest first. */
  shown?: readonly ShownOutput[];
  /** Its words were read in a conversation: they steer the cut and are kept nowhere. */
  isConfidential?: true;
}

/** One output as the agent sees it; a cut one with its markers. */
export interface ShownOutput {
  /** One line that identifies the call: `cat src/a.ts`. */
  readonly call: string;
  readonly text: string;
}

/** Older words say more about what was done than about what is wanted now. */
const WORDS_READ = 4;

/** The focus as one text, for scorers that read one: the question first, then the newest words, then the task. */
export function goalText({ question, recentWords = [], task = '' }: Focus): string {
  const words = recentWords.slice(-WORDS_READ).reverse();
  return [question, ...words, task].filter((part) => part.trim() !== '').join('\n');
}

/** Every part that can change an answer, as texts of a fixed order and number. */
export function focusIdentity({
  question,
  task = '',
  recentWords = [],
  command = '',
  shown = [],
}: Focus): string[] {
  const digests = shown.map(({ call, text }) => `${call} ${text.length} ${textHash(text)}`);
  return [question, task, command, JSON.stringify(recentWords), digests.join('\n')];
}

/** FNV-1a. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
