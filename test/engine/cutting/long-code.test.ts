import fc from 'fast-check';
import { expect, it } from 'vitest';
import { systemClock } from '../../../packages/base/src/runtime/time.ts';
import { estimateTokens } from '../../../packages/base/src/text/token-estimate.ts';
import { cutText } from '../../../packages/engine/src/cut.ts';
import { createLocalScorer } from '../../../packages/engine/src/ranking/local-scorer.ts';
import { DEFAULT_OPTIONS } from '../../../packages/engine/src/request.ts';

const NOUNS = 'order invoice parcel customer basket voucher refund label carrier stock'.split(' ');
const VERBS = 'load store merge print check split count route close sort'.split(' ');

interface Part {
  readonly name: string;
  readonly lines: number;
  readonly words: readonly string[];
}

/** A function of each language; `step` is one statement of its body. */
const LANGUAGES: Readonly<Record<string, (part: Part) => string[]>> = {
  'shop.ts': ({ name, lines, words }) => [
    `export function ${name}(input: Input): Output {`,
    ...body(lines, words, (word, at) => `  const ${word}${at} = read(input, '${word}', ${at});`),
    '}',
    '',
  ],
  'shop.py': ({ name, lines, words }) => [
    `def ${name}(source, options):`,
    ...body(lines, words, (word, at) => `    ${word}_${at} = source.${word}(options, ${at})`),
    '',
  ],
  'shop.go': ({ name, lines, words }) => [
    `func ${name}(input Input) error {`,
    ...body(lines, words, (word, at) => `\t${word}${at} := input.${word}(${at})`),
    '}',
    '',
  ],
  'Shop.java': ({ name, lines, words }) => [
    `  public void ${name}(Input input) {`,
    ...body(lines, words, (word, at) => `    var ${word}${at} = input.${word}(${at});`),
    '  }',
    '',
  ],
  'shop.rb': ({ name, lines, words }) => [
    `def ${name}(input)`,
    ...body(lines, words, (word, at) => `  ${word}_${at} = input.${word}(${at})`),
    'end',
    '',
  ],
};

function body(lines: number, words: readonly string[], step: (word: string, at: number) => string): string[] {
  return Array.from({ length: lines }, (_, at) => step(words[at % words.length] ?? 'part', at));
}

const part = fc.record({
  name: fc.tuple(fc.constantFrom(...VERBS), fc.constantFrom(...NOUNS)).map((words) => words.join('_')),
  lines: fc.integer({ min: 2, max: 70 }),
  words: fc.array(fc.constantFrom(...NOUNS), { minLength: 1, maxLength: 5 }),
});
const file = fc.tuple(
  fc.constantFrom(...Object.keys(LANGUAGES)),
  fc.array(part, { minLength: 10, maxLength: 60 }),
);
const PARTS = { scorer: createLocalScorer(), clock: systemClock };
const goal = fc.constantFrom(
  'why does the retry policy give up?',
  'where is a refund of a voucher counted?',
  'fix `merge_parcel` so that it keeps the order of labels',
);

/** Cuts a long file as `prune_text` does. */
function cutFile(fileName: string, functions: readonly Part[], { question, maxPruneRatio }: Cutting) {
  const lines = functions.flatMap((each) => LANGUAGES[fileName]?.(each) ?? []);
  fc.pre(lines.length > 300);
  const text = `${lines.join('\n')}\n`;
  const options = { ...DEFAULT_OPTIONS, maxPruneRatio, minKeepLines: 0, timeoutMs: 60_000 };
  const request = { text, focus: { question }, sourceType: 'code', fileName, options } as const;
  const job = { request, id: 'prn_0000000000', remainingMs: 60_000 };
  return { text, lines, cut: cutText(job, PARTS) };
}

interface Cutting {
  readonly question: string;
  readonly maxPruneRatio: number;
}

it('[P27] `prune_text` keeps at most a quarter of the characters of code above 300 lines if max_prune_ratio is 0.9', () => {
  fc.assert(
    fc.property(file, goal, ([fileName, functions], question) => {
      const { text, cut } = cutFile(fileName, functions, { question, maxPruneRatio: 0.9 });
      expect((cut?.prunedText.length ?? 0) / text.length).toBeLessThanOrEqual(0.25);
    }),
    { numRuns: 40 },
  );
});

it('[P18] `prune_text` makes no gap of 45 tokens or fewer in long code', () => {
  fc.assert(
    fc.property(file, goal, ([fileName, functions], question) => {
      const { lines, cut } = cutFile(fileName, functions, { question, maxPruneRatio: 0.85 });
      for (const { start, end } of cut?.annotations ?? [])
        expect(estimateTokens(lines.slice(start - 1, end).join('\n'))).toBeGreaterThan(45);
    }),
    { numRuns: 20 },
  );
});
