import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Format, Unit } from '../../../../packages/engine/src/reading/document.ts';
import { FORMATS } from '../../../../packages/engine/src/reading/formats.ts';
import { examplesOf, sampleOf } from './sample.ts';

/** All examples of all formats: each is a text that every format must read without breaking the rules for units. */
const TEXTS = FORMATS.map(examplesOf).flatMap(({ is, isNot }) => [...is, ...isNot]);

describe.each(FORMATS.map((format) => ({ name: format.name, format })))('format $name', ({ format }) => {
  it.each(examplesOf(format).is)('the format recognises its own example %#', (text) => {
    expect(format.recognise(sampleOf(text))).toBe(true);
  });

  it.each(examplesOf(format).is)('no earlier format of the registry recognises example %#', (text) => {
    expect(FORMATS.find(({ recognise }) => recognise(sampleOf(text)))?.name).toBe(format.name);
  });

  it.each(examplesOf(format).isNot)('the format does not recognise the text %# of another format', (text) => {
    expect(format.recognise(sampleOf(text))).toBe(false);
  });

  it.each(TEXTS)(
    'the format splits example %# into ordered, non-overlapping parts inside the text',
    (text) => {
      expectSoundUnits(format, text.split('\n'));
    },
  );

  it('the format splits any mixture of lines into ordered, non-overlapping parts inside the text', () => {
    const lines = TEXTS.flatMap((text) => text.split('\n'));
    const line = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...lines) }, fc.string());
    const run = fc
      .tuple(line, fc.integer({ min: 1, max: 30 }))
      .map(([each, times]) => new Array<string>(times).fill(each));
    const text = fc.array(fc.oneof({ weight: 4, arbitrary: line.map((each) => [each]) }, run), {
      maxLength: 60,
    });
    fc.assert(fc.property(text, (parts) => expectSoundUnits(format, parts.flat())));
  });
});

function expectSoundUnits(format: Format, lines: readonly string[]): void {
  expectSound(format.units(lines, {}), 1, lines.length);
}

function expectSound(units: readonly Unit[], first: number, last: number): void {
  let next = first;
  for (const { start, end, head, children } of units) {
    expect(start).toBeGreaterThanOrEqual(next);
    expect(end).toBeGreaterThanOrEqual(start);
    expect(end).toBeLessThanOrEqual(last);
    expect(head).toBeGreaterThanOrEqual(start - 1);
    expect(head).toBeLessThanOrEqual(end);
    expectSound(children ?? [], start, end);
    next = end + 1;
  }
}
