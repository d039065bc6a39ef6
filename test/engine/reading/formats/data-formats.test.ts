import { describe, expect, it } from 'vitest';
import type { Format } from '../../../../packages/engine/src/reading/document.ts';
import { FORMATS } from '../../../../packages/engine/src/reading/formats.ts';
import { layOutJson } from '../../../../packages/engine/src/reading/json-tree.ts';
import { browserSnapshot, commitList, issueList, orderTable } from '../large-results.ts';
import { unitFaults } from '../removal.ts';
import { examplesOf, sampleOf } from './sample.ts';

const OURS = new Set(['diff', 'search', 'listing', 'table', 'json', 'config', 'markup']);
const formats = FORMATS.filter(({ name }) => OURS.has(name));

describe.each(formats.map((format) => [format.name, format] as const))('format %s', (_, format: Format) => {
  it('the format recognises its own examples, and no earlier format of the registry does', () => {
    const readers = examplesOf(format).is.map(
      (text) => FORMATS.find((each) => each.recognise(sampleOf(text)))?.name,
    );
    expect(readers).toEqual(examplesOf(format).is.map(() => format.name));
  });

  it('the format does not recognise the examples of other formats', () => {
    expect(examplesOf(format).isNot.filter((text) => format.recognise(sampleOf(text)))).toEqual([]);
  });

  it('the format splits any text into ordered parts that never overlap', () => {
    const texts = [
      ...formats.map(examplesOf).flatMap(({ is, isNot }) => [...is, ...isNot]),
      ...[browserSnapshot(), issueList(), layOutJson(commitList()) ?? '', orderTable(200)],
      ...['', '\n\n\n', '}\n]\n)', '{\n[\n(', '"', '- \n- -\n'],
    ];
    const pieces = texts.flatMap((text) => [
      text,
      text.slice(0, text.length / 2),
      text.slice(text.length / 3),
    ]);
    const faults = pieces.flatMap((text) => {
      const lines = text.split('\n');
      return unitFaults(format.units(lines, {}), { start: 1, end: lines.length });
    });
    expect(faults).toEqual([]);
  });
});
