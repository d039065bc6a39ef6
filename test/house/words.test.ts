import { expect, it } from 'vitest';
import { checkWords } from '../../scripts/check-words.ts';
import { plantedRepository } from '../support/planted-repository.ts';

const PLANTED = { name: 'planted word', pattern: /\bwombat\b/gi, ceiling: 3 };
const files = {
  'packages/base/src/text/planted.ts':
    '/** Returns a wombat. */\nexport const wombat = 1;\n// Not a wombat.\n',
  'test/planted.test.ts': "it('wombat returns 1', () => {});\n",
  'docs/planted.md': '# Wombat\n',
};

it('[H1] checkWords finds a word above its ceiling in comments, test titles and pages, not in code', () => {
  const [finding, ...others] = checkWords(plantedRepository(files), [PLANTED]);
  expect(finding).toContain('planted word: 4 hits, at most 3 allowed');
  expect(finding).toContain('packages/base/src/text/planted.ts (2)');
  expect(others).toEqual([]);
});

it('[H1] checkWords accepts hits up to the ceiling, and reports a ceiling that is far too high', () => {
  const withCeiling = (ceiling: number) => checkWords(plantedRepository(files), [{ ...PLANTED, ceiling }]);
  expect(withCeiling(4)).toEqual([]);
  expect(withCeiling(50)).toEqual(['planted word: lower the ceiling from 50 to 4']);
});
