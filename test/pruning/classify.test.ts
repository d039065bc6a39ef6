import { describe, expect, it } from 'vitest';
import { classify } from '../../src/pruning/cut/classify.ts';

const code = ['import os', 'def load(path):', '    return 1', 'total = load(2)'];
const numbered = code.map((line, at) => `${String(at + 1).padStart(6)}\t${line}`);
const found = ['src/a.ts:7:  one', 'src/a.ts:9:  two', 'src/b.ts:3:  three', 'src/b.ts:4:  four'];

describe('a text has the shape', () => {
  it('its sender knows, else the one it looks like, else its type', () => {
    expect(classify(found, { sourceType: 'docs', shape: 'listing' }).shape).toBe('listing');
    expect(classify(found, { sourceType: 'docs' }).shape).toBe('search');
    expect(classify(['one', 'two'], { sourceType: 'docs' }).shape).toBe('docs');
  });
});

describe('patterns see a line', () => {
  it('without its number, which a scorer reads', () => {
    const { bare, clean } = classify(numbered, { sourceType: 'code', shape: 'code' });
    expect(bare).toEqual(code);
    expect(clean).toEqual(numbered);
  });

  it('with its number in search results', () => {
    const lines = ['src/a.ts', '7:  one', '8:  two', '9:  three'];
    expect(classify(lines, { sourceType: 'code', shape: 'search' }).bare).toEqual(lines);
  });

  it('without colours, and so does a scorer', () => {
    const { bare, clean } = classify(['\u001b[1mimport os\u001b[0m'], { sourceType: 'code', shape: 'code' });
    expect([bare, clean]).toEqual([['import os'], ['import os']]);
  });
});

describe('imports and declarations are looked for', () => {
  const landmarksOf = (known: Parameters<typeof classify>[1], lines = code) =>
    classify(lines, known).landmarks.map(({ index, role, name }) => `${index} ${role} ${name}`);

  it.each(['code', 'test-run', 'diff'] as const)('in code of the shape %s', (shape) => {
    expect(landmarksOf({ sourceType: 'code', shape })).toEqual(['0 import ', '1 declaration load']);
  });

  it('below line numbers as well', () => {
    expect(landmarksOf({ sourceType: 'code', shape: 'code' }, numbered)).toHaveLength(2);
  });

  it('but in nothing else', () => {
    expect(landmarksOf({ sourceType: 'docs', shape: 'code' })).toEqual([]);
    expect(landmarksOf({ sourceType: 'code', shape: 'logs' })).toEqual([]);
  });
});
