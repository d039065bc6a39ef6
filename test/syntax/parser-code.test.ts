import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { loadParser, parserCode, type TypeScript } from '../../src/syntax/languages/typescript/compiler.ts';
import { createTsReader } from '../../src/syntax/languages/typescript/read.ts';
import { temporaryTree } from '../support/temporary-tree.ts';

const text = 'export class A<T> { m(a: T): void {} }\nexport const b = async () => { await 1; };\n';

function outlineBy(parser: TypeScript | undefined) {
  if (parser === undefined) throw new Error('the installed compiler has no parser of its own');
  return createTsReader(parser)({ text, dialect: 'ts', isDeclarationFile: false });
}

const code = parserCode(outlineBy) ?? Buffer.alloc(0);

it('[S9] the parser is the same compiled before or now, and whatever lies where it is kept', async () => {
  const { real } = await temporaryTree();
  const place = pathToFileURL(join(real, 'parser.code'));
  const expected = outlineBy(loadParser(new URL('nowhere', place)));
  expect(expected.declarations.map(({ name }) => name)).toEqual(['A', 'b']);
  const damaged = Buffer.from(code);
  damaged[code.length >> 1] = (damaged[code.length >> 1] ?? 0) ^ 1;
  for (const kept of [code, damaged, code.subarray(0, 1_000), Buffer.alloc(0), Buffer.from('nonsense')]) {
    writeFileSync(place, kept);
    expect(outlineBy(loadParser(place))).toEqual(expected);
  }
});

it('a build keeps it beside the compiled room', () => {
  const kept = new URL('../../dist/syntax/languages/typescript/parser.code', import.meta.url);
  expect(existsSync(kept)).toBe(true);
  // As large as what is compiled here: the whole parser, and the functions that ran.
  expect(readFileSync(kept).length).toBeGreaterThan(code.length / 2);
});
