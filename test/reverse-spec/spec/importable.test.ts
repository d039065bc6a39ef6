import { expect, it } from 'vitest';
import { documentOf } from '../../support/spec-document.ts';

const names = async (files: Record<string, string>) => {
  const section = (await documentOf(files, '.'))('Interface');
  return [...section.matchAll(/^#### `([^`]+)`/gm)].map(([, name]) => name).sort();
};
const manifest = '{ "name": "box", "exports": { ".": "./dist/index.mjs" } }';

it('[R65] the section Interface lists what users can import from a package of ES modules, and counts the other exports', async () => {
  const files = {
    'package.json': manifest,
    'src/index.ts': [
      "export * from './types';",
      "export { open, lift as raise } from './box';",
      "import Lid, { size } from './lid';",
      "import { inner } from './inner';",
      "export * as wood from './wood';",
      'export { Lid, size };',
      'export const own = () => inner();',
      '',
    ].join('\n'),
    'src/types.ts': "export interface Shape {}\nexport * from './more';\n",
    'src/more.ts': 'export interface More {}\n',
    'src/box.ts': 'export function open() {}\nexport function lift() {}\nexport function hidden() {}\n',
    'src/lid.ts': 'export default class Lid {}\nexport const size = 1;\nexport const secret = 2;\n',
    'src/wood.ts': 'export const oak = 1;\n',
    'src/inner.ts': 'export function inner() {}\n',
  };
  expect(await names(files)).toEqual(['Lid', 'More', 'Shape', 'lift', 'oak', 'open', 'own', 'size']);
  expect((await documentOf(files, '.'))('Interface')).toContain('3 declarations that users');
  const entry =
    "import Lid from './lid';\nimport { open } from './box';\nexport default Lid;\nexport { open as raise };\n";
  expect(await names({ ...files, 'src/index.ts': entry })).toEqual(['Lid', 'default', 'open']);
});

it.each([
  ['{ "name": "box", "exports": { ".": "./dist/index.mjs", "./*": "./dist/*.mjs" } }', 'a pattern'],
  ['{ "name": "box", "exports": "./dist/absent.mjs", "main": "gone.js" }', 'an absent file'],
  ['{ "exports": "./dist/index.mjs" }', 'no name'],
])(
  '[R65] the section Interface lists all exports if the entry points %s are not certain: %s',
  async (text) => {
    const files = {
      'package.json': text,
      'src/start.ts': 'export const one = 1;\n',
      'src/more.ts': 'export const two = 2;\n',
    };
    expect(await names(files)).toEqual(['one', 'two']);
  },
);

it('[R65] the section Interface omits members that a comment marks as private', async () => {
  const source = [
    'function Box () {}',
    '/** Opens. */',
    'Box.prototype.open = function open () {}',
    '/**',
    ' * Bends.',
    ' * @api private',
    ' */',
    'Box.prototype.bend = function bend () {}',
    '/** @private */',
    'Box.prototype.fold = function fold () {}',
    'module.exports = function () { return new Box() }',
    '',
  ].join('\n');
  const shown = (await documentOf({ 'index.js': source }, '.'))('Interface');
  expect(shown).toContain('function open');
  expect(shown).not.toMatch(/bend|fold/);
});
