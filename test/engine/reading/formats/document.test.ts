import { expect, it } from 'vitest';
import type { Unit } from '../../../../packages/engine/src/reading/document.ts';
import { documentFormat, documentUnits } from '../../../../packages/engine/src/reading/formats/document.ts';
import { readDocument } from '../../../../packages/engine/src/reading/read.ts';

const CODE = [
  '```js',
  ...Array.from({ length: 30 }, (_, n) => `  server.on('event${n}', () => { close(${n}); });`),
  '```',
];
const TEXT = 'Listens for connections on a port, and calls the listener once for each event.';
const PAGE = ['listen', 'close', 'address'].flatMap((name) => [
  `## \`server.${name}()\``,
  '',
  TEXT,
  '',
  ...CODE,
  '',
]);

const titles = (units: readonly Unit[]): string[] =>
  units.flatMap(({ kind, name, children = [] }) => [
    ...(kind === 'section' ? [name] : []),
    ...titles(children),
  ]);

it('[P54] documentFormat recognises a page that consists mostly of fenced code', () => {
  expect(readDocument(PAGE.join('\n')).format).toBe('document');
  expect(documentFormat.recognise(CODE.slice(1, -1))).toBe(false);
});

it('[P54] documentUnits reads a line with a colon as a heading in a help text, but not in a page with Markdown headings', () => {
  const label = 'It supports the following options:';
  expect(titles(documentUnits(['', label, '', `  ${TEXT}`]))).toEqual(['It supports the following options']);
  const page = ['Open', 'Close', 'Read', 'Write'].flatMap((name) => [
    `## ${name}`,
    '',
    TEXT,
    '',
    label,
    '',
    TEXT,
    '',
  ]);
  expect(titles(documentUnits(page))).toEqual(['Open', 'Close', 'Read', 'Write']);
});
