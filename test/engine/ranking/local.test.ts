import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSets } from '../../../bench/quality/examples.ts';
import { type Deadline, noDeadline } from '../../../packages/base/src/runtime/time.ts';
import {
  createLocalScorer,
  networkFits,
  networkStillFits,
} from '../../../packages/engine/src/ranking/local-scorer.ts';
import type { SourceType } from '../../../packages/engine/src/ranking/scorer.ts';
import { MAX_LINE_CHARS } from '../../../packages/engine/src/ranking/scorers/lexical/words.ts';
import { readFeatures } from '../../../packages/engine/src/ranking/scorers/local/features.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const scorer = createLocalScorer();
const examples = [...readSets(join(root, 'bench/quality/examples'), 100).values()].flat();
const reference = JSON.parse(
  readFileSync(join(root, 'test/fixtures/scorer/reference.json'), 'utf8'),
) as Record<string, number[]>;

/** Returns a deadline that reports these remaining times in order, and the last one from then on. */
function deadline(...remaining: number[]): Deadline {
  return {
    remainingMs: () => (remaining.length > 1 ? remaining.shift() : remaining[0]) ?? 0,
    passed: () => false,
  };
}

function score(lines: string[], goal: string, sourceType: SourceType = 'code') {
  return scorer({ lines, focus: { question: goal }, sourceType, deadline: noDeadline });
}

describe('[Q5] the network gives the scores of the PyTorch reference', () => {
  it.each(examples)('the network scores $id as PyTorch does', ({ id, lines, goal, sourceType }) => {
    const { scores, tier } = score(lines, goal, sourceType);
    expect(tier).toBe('full');
    expect(furthest([...scores], reference[id] ?? [])).toBeLessThan(1e-3);
  });
});

function furthest(ours: number[], theirs: number[]): number {
  expect(ours).toHaveLength(theirs.length);
  return Math.max(...ours.map((value, line) => Math.abs(value - (theirs[line] ?? Number.NaN))));
}

describe('[Q4] tiers of the local scorer', () => {
  it('the local scorer uses the full network for texts of the length that an agent reads in one call', () => {
    expect(networkFits({ lines: 3000, characters: 120_000 }, 1050)).toBe(true);
  });

  it('the local scorer uses the full network for two million characters within the default time limit', () => {
    expect(networkFits({ lines: 60_000, characters: 2_000_000 }, 1050)).toBe(true);
  });

  it('the local scorer uses the lexical tier if the deadline is near', () => {
    expect(networkFits({ lines: 3000, characters: 120_000 }, 20)).toBe(false);
  });

  it('the local scorer also uses the network on a slower machine, unless reading the text took too long', () => {
    expect(networkStillFits({ lines: 3000, characters: 120_000 }, 11)).toBe(true);
    expect(networkStillFits({ lines: 3000, characters: 120_000 }, 10)).toBe(false);
  });

  it('the lexical tier of the local scorer ranks the line with the words of the goal first', () => {
    const lines = ['alpha', '', '', '', 'the timeout of the pool', '', '', '', 'omega'];
    const { scores, tier } = scorer({
      lines,
      focus: { question: 'pool timeout' },
      sourceType: 'docs',
      deadline: deadline(9e9, 0),
    });
    expect(tier).toBe('lexical');
    expect(scores.indexOf(Math.max(...scores))).toBe(4);
  });

  it('the local scorer uses the lexical tier on a machine without SIMD', async () => {
    const module = JSON.stringify(
      new URL('../../../packages/engine/src/ranking/local-scorer.ts', import.meta.url),
    );
    const program = (before: string) => `
      const { createLocalScorer } = await import(${module});
      const deadline = { remainingMs: () => 9e9 };
      const focus = { question: 'pool timeout', command: 'cat pool.md' };
      ${before}
      const { tier } = createLocalScorer()({ lines: ['alpha', 'timeout of the pool'], focus, sourceType: 'docs', deadline });
      console.log(tier);`;
    const run = (before: string) =>
      execute(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program(before)]);
    // Replaces WebAssembly in the program, because Node 20 to 26 have no flag that switches SIMD off.
    const noSimd = "WebAssembly.Module = function () { throw new WebAssembly.CompileError('SIMD'); };";
    expect((await run(noSimd)).stdout).toBe('lexical\n');
    expect((await run('')).stdout).toBe('full\n');
  });
});

it('[Q7] the local scorer gives one finite score per line for any text, and gives the same scores in each run', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary' }), { maxLength: 30 }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom<SourceType>('code', 'logs', 'docs'),
      (lines, goal, sourceType) => {
        const first = [...score(lines, goal, sourceType).scores];
        expect(first).toHaveLength(lines.length);
        expect(first.every(Number.isFinite)).toBe(true);
        expect([...score(lines, goal, sourceType).scores]).toEqual(first);
      },
    ),
    { numRuns: 60 },
  );
});

describe('[Q8] slow texts in the local scorer', () => {
  it('the local scorer reads only the beginning of a very long line', () => {
    const long = 'word '.repeat(MAX_LINE_CHARS);
    const shortened = long.slice(0, MAX_LINE_CHARS);
    const words = (line: string) =>
      readFeatures({ lines: ['a', line, 'b'], goal: 'word', sourceType: 'code' }).words.words.length;
    expect(words(long)).toBe(words(shortened));
  });

  it('the local scorer ranks a text of blank lines without its neural network', () => {
    expect(
      score(
        Array.from({ length: 20_000 }, () => ''),
        'anything',
      ).tier,
    ).toBe('lexical');
  });
});

describe('[Q3] the weights', () => {
  it('the weights of the network are smaller than 1 MB and have a model card', () => {
    const folder = join(root, 'packages/engine/src/ranking/scorers/local/weights');
    const bytes = readdirSync(folder).reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
    expect(bytes).toBeLessThan(1 << 20);
    expect(readFileSync(join(root, 'docs/model-card.md'), 'utf8')).toContain('Licences');
  });
});

describe('[Q6] training', () => {
  it('the training computes features with the same code as the product', () => {
    expect(readFileSync(join(root, 'training/export-features.ts'), 'utf8')).toContain(
      "from '../packages/engine/src/ranking/scorers/local/features.ts'",
    );
  });

  it.each([
    'pylint-dev/pylint',
    'hashicorp/terraform',
    'internetarchive/openlibrary',
    'redis/redis',
    'element-hq/element-web',
    'future-architect/vuls',
    'significant-gravitas/autogpt',
  ])('the training data exclude the repository %s', (group) => {
    const excluded = /EXCLUDED = \{([^}]*)\}/.exec(readFileSync(join(root, 'training/licences.py'), 'utf8'));
    expect(excluded?.[1]).toContain(`"${group}"`);
  });
});
