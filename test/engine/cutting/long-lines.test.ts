import { describe, expect, it } from 'vitest';
import type { LineRange } from '../../../packages/base/src/text/lines.ts';
import { isLongLine, longLinesInPart } from '../../../packages/engine/src/cutting/long-lines.ts';

/** A minified line of statements of 80 characters. */
const statements = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    `var step${at}=run(${at});`.padEnd(79, '0123456789'.charAt(at % 10)).concat(';'),
  );
const minified = (count: number) => statements(count).join('');

interface Asked {
  question?: string;
  task?: string;
  gaps?: LineRange[];
  untouchable?: number;
}

function partsOf(
  lines: readonly string[],
  { question = '', task = '', gaps = [], untouchable = -1 }: Asked = {},
) {
  return longLinesInPart(lines, {
    focus: { question, task },
    gaps,
    isUntouchable: (index) => index === untouchable,
  });
}

describe('[F23] linesInPart', () => {
  const long = minified(40);
  const numbersOf = (lines: readonly string[], asked: Asked = {}) =>
    partsOf(lines, asked).map(({ number }) => number);

  it('a line is shortened if it has more than 2,000 characters', () => {
    expect([isLongLine('x'.repeat(2000)), isLongLine('x'.repeat(2001))]).toEqual([false, true]);
    expect(numbersOf(['short', long, 'short', long])).toEqual([2, 4]);
    expect(numbersOf(['short'])).toEqual([]);
  });

  it('a long line is not shortened if it is removed, or if it must be kept exactly', () => {
    expect(numbersOf([long, long, long, long], { gaps: [{ start: 2, end: 3 }] })).toEqual([1, 4]);
    expect(numbersOf([long, long, long], { untouchable: 1 })).toEqual([1, 3]);
  });
});

describe('[F23] the shown part of a long line', () => {
  const long = minified(40);

  it('the shown part of a long line is its beginning and the pieces with most words of the question', () => {
    const asked = [
      ...statements(30),
      'function parseYaml(text){return schema.load(text)}'.padEnd(79, '.').concat(';'),
      ...statements(9),
    ];
    const [part] = partsOf([asked.join('')], { task: 'how does parseYaml load a schema' });
    expect(part?.characters).toBe(3200);
    expect(part?.shown[0]).toMatchObject({ from: 1, text: expect.stringMatching(/^var step0=/) });
    expect(part?.shown.some(({ text }) => text.includes('function parseYaml(text)'))).toBe(true);
    const starts = part?.shown.map(({ from }) => from) ?? [];
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  });

  it('the shown part of a long line has at most 800 characters and ends after a statement', () => {
    const [part] = partsOf([long]);
    expect(part?.shown).toEqual([{ from: 1, to: 800, text: long.slice(0, 800) }]);
  });

  it('the shown part of a long line states the character range of each piece and joins adjacent pieces', () => {
    const asked = [
      ...statements(20),
      'connectTimeout=7311;'.padEnd(79, '-').concat(';'),
      ...statements(20),
    ].join('');
    const [part] = partsOf([asked], { question: 'what is `connectTimeout`?' });
    expect(part?.shown.length).toBeGreaterThan(1);
    for (const { from, to, text } of part?.shown ?? []) expect(asked.slice(from - 1, to)).toBe(text);
    const ends = part?.shown.map(({ to }) => to) ?? [];
    expect(part?.shown.slice(1).every(({ from }, at) => from > (ends[at] ?? 0) + 1)).toBe(true);
  });

  it('the shown part of each long line depends only on the words of that line', () => {
    const holding = (word: string) =>
      [...statements(15), `${word}=1;`.padEnd(79, '-').concat(';'), ...statements(15)].join('');
    const parts = partsOf([holding('zeppelin'), minified(31), holding('submarine')], {
      task: 'zeppelin or submarine',
    });
    const texts = parts.map(({ shown }) => shown.map(({ text }) => text).join(' '));
    expect(texts.map((text) => text.includes('zeppelin'))).toEqual([true, false, false]);
    expect(texts.map((text) => text.includes('submarine'))).toEqual([false, false, true]);
  });

  it('the shown part of a long line ends inside a word only if there is no better place', () => {
    const [part] = partsOf(['x'.repeat(3000)]);
    expect(part?.shown).toEqual([{ from: 1, to: 800, text: 'x'.repeat(800) }]);
  });
});

describe('[P50] long lines of prose', () => {
  const sentence = (n: number) =>
    `In year ${n} the company reported higher revenue in the north, and the board explained the change to all owners. `;
  const prose = (count: number) => Array.from({ length: count }, (_, n) => sentence(n)).join('');

  it('longLinesInPart never shortens a paragraph of prose up to 8,000 characters', () => {
    expect(partsOf([prose(60)], { question: 'what did the board explain?' })).toEqual([]);
  });

  it('longLinesInPart shows whole sentences of longer prose, up to 4,000 characters', () => {
    const page = `${prose(50)}The retry limit of the gateway is 3.5 seconds. ${prose(50)}`;
    const [part] = partsOf([page], { question: 'what is the retry limit of the gateway?' });
    const shown = part?.shown.map(({ text }) => text).join('') ?? '';
    expect(shown).toContain('The retry limit of the gateway is 3.5 seconds. ');
    expect(shown.length).toBeLessThanOrEqual(4000);
    expect(part?.shown.every(({ text }) => /^(?:In year|The retry)/.test(text) && text.endsWith('. '))).toBe(
      true,
    );
  });
});
