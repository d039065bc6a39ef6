import { describe, expect, it } from 'vitest';
import type { Unit } from '../../../../packages/engine/src/reading/document.ts';
import { jsonFormat } from '../../../../packages/engine/src/reading/formats/json.ts';
import { layOutJson } from '../../../../packages/engine/src/reading/json-tree.ts';
import { commitList, issueList } from '../large-results.ts';
import { flat } from '../removal.ts';

const read = (value: unknown) => jsonFormat.units(JSON.stringify(value, undefined, 2).split('\n'), {});
const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const outstanding = (units: readonly Unit[]) =>
  units.flatMap(({ standsOut }, index) => (standsOut === true ? [index] : []));

describe('jsonFormat.units', () => {
  it('jsonFormat reads objects with the same keys as records, and labels each with its id and title', () => {
    const units = read(many(30, (index) => ({ id: index + 1, title: `task ${index}`, done: false })));
    expect(units).toHaveLength(30);
    expect(units[4]).toMatchObject({
      kind: 'record',
      name: '5 task 4',
      start: 22,
      end: 26,
      head: 21,
      rule: 'oversized-rows',
    });
  });

  it('jsonFormat keeps the first and last records, extreme numbers and rare values', () => {
    const units = read(
      many(80, (index) => ({
        id: index,
        stock: index === 50 ? -4 : 100 + (index % 9),
        state: index === 33 ? 'lost' : 'ok',
      })),
    );
    expect(outstanding(units)).toEqual(expect.arrayContaining([0, 1, 2, 33, 50, 78, 79]));
    expect(outstanding(units).length).toBeLessThan(20);
  });

  it('[P55] jsonFormat keeps the first record of each kind, so that no kind is hidden completely', () => {
    const kinds = ['Started', 'Pulled', 'Killing', 'EvictionBlocked'];
    const units = read(
      many(80, (index) => ({
        at: `08:${10 + (index % 40)}`,
        reason: kinds[(index * index + (index >> 3)) % 4],
      })),
    );
    const shown = outstanding(units);
    for (const kind of [0, 1, 2, 3])
      expect(shown.some((index) => (index * index + (index >> 3)) % 4 === kind)).toBe(true);
  });

  it('[P55] jsonFormat lets opaque fields and other fields of a record be removed, but keeps the fields that identify the record', () => {
    const [first, second] = jsonFormat.units(issueList(12).split('\n'), {});
    const named = (unit: Unit | undefined, rule: string) =>
      flat(unit?.children ?? [])
        .filter((each) => each.rule === rule)
        .map(({ name }) => name);
    expect(second?.rule).toBeUndefined();
    expect(named(second, 'record-fields')).toEqual([
      'node_id',
      'url',
      'events_url',
      'id',
      'avatar_url',
      'labels',
    ]);
    expect(named(second, 'oversized-rows')).toEqual(
      expect.arrayContaining(['id', 'html_url', 'comments', 'body']),
    );
    expect(flat(second?.children ?? []).map(({ name }) => name)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:number|title|state)$/)]),
    );
    // The first record shows what the others have.
    expect(named(first, 'record-fields')).toEqual(['node_id', 'url', 'events_url', 'id', 'avatar_url']);
    expect(named(first, 'oversized-rows')).toEqual([]);
  });

  it('[P55] jsonFormat keeps the field in which a record differs from other records', () => {
    const records = many(30, (index) => ({
      id: index,
      title: `record ${index}`,
      total: index === 17 ? 9_000_000 : 10 + ((index * 7) % 13),
      result: index === 21 ? 'failed' : 'passed',
      note: `a note of many words about record ${index} `.repeat(8),
    }));
    const units = read(records);
    const removable = (index: number) => units[index]?.children?.map(({ name }) => name);
    expect(removable(5)).toEqual(['total', 'result', 'note']);
    expect(removable(17)).toEqual(['result', 'note']);
    expect(removable(21)).toEqual(['total', 'note']);
  });

  it('[P55] jsonFormat lets whole records be removed if a list of all records would be too long', () => {
    const units = read(many(900, (index) => ({ id: index, name: `item ${index}`, text: 'x '.repeat(200) })));
    expect(units.every(({ rule }) => rule === 'oversized-rows')).toBe(true);
  });

  it('jsonFormat removes an object as one field if all its fields are opaque', () => {
    const [, second] = jsonFormat.units((layOutJson(commitList(20)) ?? '').split('\n'), {});
    const opaque = flat(second?.children ?? []).filter(({ rule }) => rule === 'record-fields');
    const names = opaque.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['node_id', 'tree', 'signature', 'url', 'parents']));
  });

  it('jsonFormat keeps `url` if a record has no other web address', () => {
    const units = read(
      many(5, (index) => ({ id: index, url: `https://host.example/items/${index}/of/the/list` })),
    );
    expect(flat(units).filter(({ kind }) => kind === 'field')).toEqual([]);
  });

  it('jsonFormat reads the values of an object as records if they have the same keys, and labels them with their keys in the object', () => {
    const units = read({
      lockfileVersion: 3,
      packages: Object.fromEntries(
        many(9, (index) => [`node_modules/p${index}`, { version: `1.${index}.0`, license: 'MIT' }]),
      ),
    });
    expect(units).toMatchObject([{ kind: 'entry', name: 'packages', start: 3, head: 3 }]);
    expect(units[0]?.rule).toBeUndefined();
    expect(units[0]?.children?.[1]).toMatchObject({
      kind: 'record',
      name: 'node_modules/p1',
      start: 8,
      end: 11,
    });
  });

  it('jsonFormat reads a long list of plain values as rows and keeps the highest version of each major version', () => {
    const versions = many(60, (index) => `${1 + (index % 2)}.${index}.0`);
    const marked = outstanding(read(versions)).map((index) => versions[index]);
    expect(marked).toEqual(expect.arrayContaining(['1.58.0', '2.59.0']));
  });

  it('jsonFormat keeps the key of an object without records and lets its body be removed', () => {
    const [unit] = read({
      name: 'shop',
      scripts: Object.fromEntries(many(9, (index) => [`s${index}`, 'run'])),
    });
    expect(unit).toMatchObject({
      kind: 'entry',
      name: 'scripts',
      start: 3,
      head: 3,
      end: 13,
      rule: 'oversized-rows',
    });
  });

  it('jsonFormat never begins or ends a part inside a value', () => {
    const texts = [
      issueList(9),
      layOutJson(commitList(30)) ?? '',
      JSON.stringify({ a: [[1, [2]], { b: many(40, String) }] }, undefined, 2),
    ];
    for (const text of texts) {
      const lines = text.split('\n');
      for (const { start, end, head } of flat(jsonFormat.units(lines, {}))) {
        expect(() => JSON.parse(`{"x":[${asValue(lines.slice(start - 1, end).join('\n'))}]}`)).not.toThrow();
        // A head ends with a whole field.
        expect(head === start - 1 || head === start || /[,{]$/.test(lines[head - 1] ?? '')).toBe(true);
      }
    }
  });

  it('jsonFormat reads the complete part of truncated JSON', () => {
    const lines = issueList(10).split('\n').slice(0, 90);
    expect(jsonFormat.units(lines, {}).filter(({ kind }) => kind === 'record').length).toBeGreaterThan(3);
  });
});

/** A member of an object or an element of a list as an element. */
function asValue(text: string): string {
  const value = text.trim().replace(/,$/, '');
  return /^"(?:[^"\\]|\\.)*":/.test(value) ? `{${value}}` : value;
}

it('[P55] jsonFormat reads the longest list as the records, even if it is inside a few larger records', () => {
  const frames = many(20, (at) => ({
    file: `lib/part-${at}.js`,
    line: at,
    column: 7,
    context: 'x'.repeat(90),
  }));
  const entries = [
    { type: 'exception', data: { frames } },
    { type: 'message', data: null },
    { type: 'request', data: { url: '/shop' } },
  ];
  const kinds = flat(read(entries)).filter(({ kind }) => kind === 'record');
  expect(kinds).toHaveLength(20);
});

describe('layOutJson', () => {
  it('layOutJson returns one field per line, with keys in order and numbers as written', () => {
    const text = `{"b":1.10,"a":12345678901234567890,"pad":"${'x'.repeat(2000)}","list":[1,2],"e":{}}`;
    expect(
      layOutJson(text)
        ?.split('\n')
        .filter((line) => !line.includes('pad')),
    ).toEqual(['{', ' "b": 1.10,', ' "a": 12345678901234567890,', ' "list": [1,2],', ' "e": {}', '}']);
  });

  it('layOutJson returns JSON with the same value', () => {
    expect(JSON.parse(layOutJson(commitList(40)) ?? '')).toEqual(JSON.parse(commitList(40)));
  });

  it('layOutJson splits long lines of JSON lines and keeps other lines', () => {
    const long = JSON.stringify({ id: 1, items: many(300, (index) => ({ index })) });
    const laidOut = layOutJson(`2 results\n${long}\n{"id":2}`) ?? '';
    expect(laidOut.startsWith('2 results\n{\n "id": 1,\n')).toBe(true);
    expect(laidOut.endsWith('\n}\n{"id":2}')).toBe(true);
  });

  it('layOutJson returns undefined for short lines, for text and for invalid JSON', () => {
    expect(layOutJson('{"a":1}')).toBeUndefined();
    expect(layOutJson('word '.repeat(1000))).toBeUndefined();
    expect(layOutJson(commitList(40).slice(0, -5))).toBeUndefined();
  });

  it('layOutJson does not throw for brackets nested 100,000 times', () => {
    expect(() => layOutJson(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).not.toThrow();
  });
});
