import { describe, expect, it } from 'vitest';
import { pruneRequest, testPruner } from '../../support/pruner.ts';
import { survivors } from './survivors.ts';

describe('[P21] docs keep headings where all structure is asked for, and do not cut a fenced block in two', () => {
  const prose = (count: number) =>
    Array.from(
      { length: count },
      (_, index) => `Sentence number ${index} talks about something else entirely, at some length.`,
    );

  it.each<[string, string[]]>([
    ['Markdown', ['# Title', '### Deep heading ###']],
    ['underlined', ['Installation', '============']],
    ['reStructuredText', ['*****', 'Title', '*****']],
    ['AsciiDoc', ['== Section']],
    ['HTML', ['<h2>Section</h2>']],
    ['LaTeX', ['\\section{Methods}']],
  ])('%s headings', async (_kind, heading) => {
    expect(await survivors([...prose(12), '', ...heading, '', ...prose(12)], 'docs')).toEqual(
      expect.arrayContaining(heading),
    );
  });

  it.each([0.2, 0.4, 0.6, 0.8, 1])('fenced blocks at ratio %d', async (maxPruneRatio) => {
    const fence = ['```sh', 'npm install retry', '# not a heading', 'npm run retry --policy', '```'];
    const lines = [
      ...prose(9),
      ...fence,
      ...prose(9),
      '~~~',
      'plain',
      '```',
      'still inside',
      '~~~',
      ...prose(3),
    ];
    const request = pruneRequest({
      text: lines.join('\n'),
      focus: { question: 'retry policy' },
      sourceType: 'docs',
      options: { maxPruneRatio },
    });
    const { annotations } = await testPruner().prune(request);
    for (const block of [
      { start: 10, end: 14 },
      { start: 24, end: 28 },
    ]) {
      const hidden = annotations.filter(({ start, end }) => start <= block.end && end >= block.start);
      expect(hidden.every(({ start, end }) => start <= block.start && end >= block.end)).toBe(true);
    }
  });

  it('and says which section went', async () => {
    const request = pruneRequest({
      text: ['# Retry policy', ...prose(3), '# Install', ...prose(20)].join('\n'),
      sourceType: 'docs',
      options: { maxPruneRatio: 1 },
    });
    expect((await testPruner().prune(request)).annotations.at(-1)?.reason).toBe(
      'hors focus: section Install',
    );
  });
});
