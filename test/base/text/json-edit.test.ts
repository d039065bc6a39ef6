import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  editJson,
  editJsonBytes,
  findSpans,
  type JsonEdit,
} from '../../../packages/base/src/text/json-edit.ts';

describe('editJson', () => {
  it('editJson changes one value and keeps every other byte', () => {
    const text = ' { "big": 12345678901234567890, "a" : [1, {"b": "x\\"}"}, 1e400] }\n';
    expect(editJson(text, [{ kind: 'replace', path: ['a', 1, 'b'], json: '"y"' }])).toBe(
      ' { "big": 12345678901234567890, "a" : [1, {"b": "y"}, 1e400] }\n',
    );
  });

  it('editJson appends to empty and to non-empty lists', () => {
    expect(editJson('{"l":[ ]}', [{ kind: 'append', path: ['l'], json: '1' }])).toBe('{"l":[ 1]}');
    expect(editJson('{"l":[0]}', [{ kind: 'append', path: ['l'], json: '1' }])).toBe('{"l":[0,1]}');
  });

  it('editJson sets new and existing members', () => {
    const edit: JsonEdit = { kind: 'member', path: ['o'], key: 'k', json: '1' };
    expect(editJson('{"o":{}}', [edit])).toBe('{"o":{"k":1}}');
    expect(editJson('{"o":{"j":0}}', [edit])).toBe('{"o":{"j":0,"k":1}}');
    expect(editJson('{"o":{"k":0,"j":0}}', [edit])).toBe('{"o":{"k":1,"j":0}}');
  });

  it('editJson changes the last of duplicate keys, as JSON.parse does', () => {
    expect(editJson('{"k":1,"k":2}', [{ kind: 'replace', path: ['k'], json: '3' }])).toBe('{"k":1,"k":3}');
  });

  it('editJson ignores paths that do not exist', () => {
    const text = '{"a":1}';
    expect(editJson(text, [{ kind: 'replace', path: ['b', 0], json: '3' }])).toBe(text);
    expect(editJson(text, [{ kind: 'append', path: ['a'], json: '3' }])).toBe(text);
  });

  it('[G30] editJson drops items of a list, keeps every other byte, and applies edits inside the kept items', () => {
    const text = '{"l":[ 0, {"a":[1 ,2, 3]}, 2.0,3 , 12345678901234567890 ]}';
    const edits: JsonEdit[] = [
      { kind: 'drop', path: ['l'], start: 2, end: 4 },
      { kind: 'drop', path: ['l', 1, 'a'], start: 1, end: 2 },
      { kind: 'replace', path: ['l', 3], json: '"dropped with its item"' },
      { kind: 'append', path: ['l'], json: '5' },
    ];
    expect(editJson(text, edits)).toBe('{"l":[ 0, {"a":[1 ,3]}, 12345678901234567890 ,5]}');
  });

  it('[G30] editJson drops several ranges of one list', () => {
    const edits: JsonEdit[] = [1, 3].map((start) => ({ kind: 'drop', path: [], start, end: start + 1 }));
    expect(editJson('[0,1,2,3,4]', edits)).toBe('[0,2,4]');
  });

  it('[G30] editJson never drops the last item of a list', () => {
    expect(editJson('[0,1]', [{ kind: 'drop', path: [], start: 1, end: 2 }])).toBe('[0,1]');
  });

  it('editJson changes the text to JSON that parses to the changed value', () => {
    const json = fc.jsonValue({ stringUnit: 'binary' });
    fc.assert(
      fc.property(fc.array(json), fc.dictionary(fc.string(), json), json, (list, members, value) => {
        const text = JSON.stringify({ before: members, list, '\\"': { members } }, null, 1);
        const edited = editJson(text, [
          { kind: 'append', path: ['list'], json: JSON.stringify(value) },
          { kind: 'replace', path: ['before'], json: JSON.stringify(value) },
          { kind: 'member', path: ['\\"', 'members'], key: 'new', json: JSON.stringify(value) },
        ]);
        const same = JSON.parse(JSON.stringify(value)) as unknown;
        expect(JSON.parse(edited)).toEqual({
          before: same,
          list: [...list.map((each) => JSON.parse(JSON.stringify(each)) as unknown), same],
          '\\"': { members: { ...(JSON.parse(JSON.stringify(members)) as object), new: same } },
        });
      }),
    );
  });

  it('editJson makes the same change to bytes as to text, even with non-ASCII names and values', () => {
    const name = fc.oneof(fc.string({ unit: 'binary', maxLength: 4 }), fc.constantFrom('é', '\\', '"', '😀'));
    const object = fc.dictionary(name, fc.jsonValue({ stringUnit: 'binary' }), { minKeys: 1 });
    fc.assert(
      fc.property(object, fc.nat(), fc.jsonValue({ stringUnit: 'binary' }), (value, chosen, put) => {
        const names = Object.keys(value);
        const key = names[chosen % names.length] as string;
        const text = JSON.stringify({ list: [value, key], value }, null, chosen % 3).toWellFormed();
        const json = JSON.stringify(put).toWellFormed();
        const edits: JsonEdit[] = [
          { kind: 'replace', path: ['list', 0, key], json },
          { kind: 'append', path: ['list'], json },
          { kind: 'member', path: ['value'], key, json },
        ];
        const bytes = Buffer.from(text);
        const latin1 = bytes.toString('latin1');
        expect(editJsonBytes({ bytes, latin1 }, edits).toString()).toBe(editJson(text, edits));
      }),
    );
  });
});

describe('findSpans', () => {
  it('[G30] findSpans returns the position of the value at each path, including nested paths', () => {
    const text = ' {"a": [1, {"\\u0062" : [2.0,3]}], "a": [0, {"b": [ 12345678901234567890 ]}] }';
    const paths = [['a'], ['a', 1, 'b'], ['a', 0], ['a', 0, 'x'], ['c'], []];
    const found = findSpans(text, paths).map((span) => span && text.slice(span.start, span.end));
    expect(found).toEqual([
      '[0, {"b": [ 12345678901234567890 ]}]',
      '[ 12345678901234567890 ]',
      '0',
      undefined,
      undefined,
      text.trim(),
    ]);
  });
});
