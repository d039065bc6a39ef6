import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { compareWith } from '../../../bench/accuracy/judged.ts';
import { judges } from '../../../bench/accuracy/judges.ts';
import { comparePython, pythonFiles, standardLibrary } from '../../../bench/accuracy/python.ts';
import type { Tally } from '../../../bench/accuracy/tally.ts';
import { compareTypeScript, typeScriptFiles } from '../../../bench/accuracy/typescript.ts';
import { createOutliner } from '../../../packages/reverse-spec/src/syntax/read-outline.ts';
import { describeWith } from '../../support/system-parts.ts';

const outliner = createOutliner();
afterAll(() => outliner.close());

function expectAccurate(tally: Tally): void {
  expect(tally.examples).toEqual([]);
  expect(tally.precision).toBeGreaterThanOrEqual(0.995);
  expect(tally.recall).toBeGreaterThanOrEqual(0.995);
  expect(tally.exact).toBeGreaterThanOrEqual(0.98);
}

it.each(['postcss', 'jose', 'hono', 'zod'])(
  '[SY3] the outliner returns the outline of %s that the TypeScript compiler returns',
  async (name) => {
    const root = fileURLToPath(new URL(`../../../node_modules/${name}`, import.meta.url));
    const tally = await compareTypeScript(outliner, root, typeScriptFiles(root, 25));
    expect(tally.namesRight).toBeGreaterThan(20);
    expectAccurate(tally);
  },
);

describeWith(['python3'], 'outlines of Python', () => {
  it("[SY3] for modules of Python's standard library, the outliner returns the same outlines as Python's own module ast", async () => {
    const root = standardLibrary() ?? '';
    const files = pythonFiles(root).filter((file) =>
      /\/(typing|dataclasses|asyncio\/\w+|json\/\w+|os|enum)\.py$/.test(file),
    );
    const tally = await comparePython(outliner, root, files);
    expect(tally.namesRight).toBeGreaterThan(300);
    expectAccurate(tally);
  });
});

const fixtures = fileURLToPath(new URL('../../fixtures/syntax', import.meta.url));

async function judgedBy(language: string): Promise<Tally> {
  const judge = judges.find((each) => each.language === language);
  if (judge === undefined) throw new Error(`no judge for ${language}`);
  const { tally, refused } = await compareWith(judge, outliner, { folder: fixtures });
  expect(refused).toEqual([]);
  expect(tally.namesRight).toBeGreaterThan(10);
  return tally;
}

describeWith(['ruby'], 'outlines of Ruby', () => {
  it("[SY3] for Ruby files, the outliner returns the same outlines as Ripper, Ruby's own parser", async () =>
    expectAccurate(await judgedBy('ruby')));
});
