import type { Example } from './examples.ts';
import { lexicalScores } from './pruning.ts';

/** An order of lines, the first to be kept first. */
export type Rival = (example: Example) => number[];

export const RIVALS: Readonly<Record<string, Rival>> = {
  BM25: (example) => byScore(lexicalScores(example)),
  'head+tail': headAndTail,
  'error regex': errorsWithContext,
  random: shuffled,
  oracle: (example) => [...example.gold, ...example.lines.keys()],
};

export function byScore(scores: ArrayLike<number>): number[] {
  return Array.from(scores, (_, line) => line).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
}

function headAndTail({ lines }: Example): number[] {
  return lines.map((_, at) => (at % 2 === 0 ? at / 2 : lines.length - (at + 1) / 2));
}

const FAILURE =
  /error|exception|traceback|fatal|critical|panic|fail|abort|assert|denied|undefined|not found/i;
const CONTEXT = 3;

/** Lines that look like failure, then their neighbours, then the end of the text. */
function errorsWithContext(example: Example): number[] {
  const { lines } = example;
  const scores = new Float64Array(lines.length);
  for (const [at, line] of lines.entries()) {
    scores[at] = Math.max(scores[at] ?? 0, at / lines.length / 10);
    if (!FAILURE.test(line.slice(0, 2000))) continue;
    for (let near = -CONTEXT; near <= CONTEXT; near += 1) {
      const worth = 2 - Math.abs(near) / (CONTEXT + 1);
      if (scores[at + near] !== undefined) scores[at + near] = Math.max(scores[at + near] ?? 0, worth);
    }
  }
  return byScore(scores);
}

function shuffled({ id, lines }: Example): number[] {
  const dice = diceFrom(id);
  const keys = lines.map(() => dice());
  return byScore(keys);
}

/** Numbers from 0 to 1 that are the same in every run. */
export function diceFrom(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / (1 << 24);
  };
}

/** Takes lines in order while they fit into `characters`. */
export function fill(order: readonly number[], lines: readonly string[], characters: number): Set<number> {
  const kept = new Set<number>();
  let room = characters;
  for (const line of order) {
    const cost = (lines[line] ?? '').length + 1;
    if (cost > room || kept.has(line)) continue;
    room -= cost;
    kept.add(line);
  }
  return kept;
}
