import { expect, it } from 'vitest';
import { languages } from '../../../packages/base/src/languages/languages.ts';
import { extensionOf, fileKindOf, parsedExtensions } from '../../../packages/base/src/text/file-kinds.ts';

it('[R11] the table of languages contains the extensions of every parsed language, and fileKindOf returns "code" for them', () => {
  expect(languages.map(({ id }) => id).sort()).toEqual(Object.keys(parsedExtensions).sort());
  for (const { id, extensions } of languages) {
    expect(extensions, id).toBe(parsedExtensions[id]);
    for (const extension of extensions) expect(fileKindOf(`a.${extension}`), extension).toBe('code');
  }
});

it.each([
  ['README.MD', 'docs'],
  ['run.log', 'logs'],
  ['a/b.hxx', 'code'],
  ['a.b/c', undefined],
  ['Makefile', undefined],
])('fileKindOf of %s is %s', (path, kind) => {
  expect(fileKindOf(path)).toBe(kind);
});

it('extensionOf returns the extension of the last part of a path', () => {
  expect(extensionOf('a.b/c')).toBe('');
  expect(extensionOf('C:\\a.b\\c.TS')).toBe('ts');
});
