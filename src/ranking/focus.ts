/** What the reader of a text is after, as far as the caller knows. Data, never an instruction. */
export interface Focus {
  /** What is asked of this text; `goal_hint` alone is the question. */
  question: string;
  /** What the whole run is for: an issue, a ticket, the user's first message. */
  task?: string;
  /** The agent's last texts, oldest first. */
  recentWords?: readonly string[];
  /** The command or tool call that made the text. */
  command?: string;
  /** What the agent has been shown in this run, as hashes of lines and words: `rememberShown` adds a text. */
  seen?: ReadonlySet<number>;
  /** How often the agent asked back what was hidden from it in this run. */
  askedBack?: AskedBack;
  /** Its words were read in a conversation: they steer the cut and are kept nowhere. */
  isConfidential?: true;
}

export interface AskedBack {
  /** Gaps the run has shown. */
  gaps: number;
  /** Ranges asked for of what they hide. */
  recoveries: number;
}

/** Older words say more about what was done than about what is wanted now. */
const WORDS_READ = 4;

/** The focus as one text, for scorers that read one: the question first, then the newest words, then the task. */
export function goalText({ question, recentWords = [], task = '' }: Focus): string {
  const words = recentWords.slice(-WORDS_READ).reverse();
  return [question, ...words, task].filter((part) => part.trim() !== '').join('\n');
}

/** Every part that can change an answer, as texts of a fixed order and number. */
export function focusIdentity(focus: Focus): string[] {
  const { question, task = '', recentWords = [], command = '', seen, askedBack } = focus;
  const asked = askedBack === undefined ? '' : `${askedBack.recoveries} of ${askedBack.gaps}`;
  return [question, task, command, JSON.stringify(recentWords), asked, seenDigest(seen)];
}

/** The order in which things were shown changes nothing, any of them may: scores look at lines, words and how much was shown. */
function seenDigest(seen: Focus['seen']): string {
  if (seen === undefined || seen.size === 0) return '';
  let crossed = 0;
  let mixed = 0;
  for (const hash of seen) {
    crossed ^= hash;
    mixed = (mixed + Math.imul(hash ^ (hash >>> 15), hash | 1)) | 0;
  }
  return `${seen.size} ${crossed >>> 0} ${mixed >>> 0}`;
}

/** FNV-1a. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
