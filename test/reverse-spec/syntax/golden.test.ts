import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { splitLines } from '../../../packages/base/src/text/lines.ts';
import type { Declaration, Outline } from '../../../packages/reverse-spec/src/syntax/outline.ts';
import { createOutliner } from '../../../packages/reverse-spec/src/syntax/read-outline.ts';
import { wholeOutlineText } from './outline-text.ts';

const outliner = createOutliner();
afterAll(() => outliner.close());

const folder = new URL('../../fixtures/syntax/', import.meta.url);
const fixtures = readdirSync(folder).filter((file) => !file.endsWith('.outline'));

function load(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}

it.each(fixtures)('[SY1] an outliner returns the expected outline of %s', async (file) => {
  const outline = await outliner.outline(load(file), { path: file });
  expect(wholeOutlineText(outline)).toEqual(splitLines(load(`${file}.outline`)));
  expect(outline.problems).toEqual([]);
});

it.each(fixtures)(
  '[SY2] each line of a signature that the outliner returns for %s is in the lines of its declaration',
  async (file) => {
    const source = load(file);
    const lines = splitLines(source);
    const outline = await outliner.outline(source, { path: file });
    for (const { signature, startLine, endLine } of everything(outline)) {
      const stretch = lines.slice(startLine - 1, endLine).join('\n');
      for (const line of signature.split('\n')) expect(stretch).toContain(lastWords(line));
    }
  },
);

function everything({ declarations }: Pick<Outline, 'declarations'>): Declaration[] {
  return declarations.flatMap((each) => [each, ...everything({ declarations: each.members })]);
}

/** A name in a group repeats the keywords of the group (`const `, `export let `). The rest of the line is one piece of text. */
function lastWords(line: string): string {
  return line
    .replace(/^(export )?(const|var|let|type|export type \{|export \{) ?/, '')
    .replace(/ \} from .*$/, '')
    .replace(/^from \S+ import /, '')
    .trim();
}
