import { describe, expect, it } from 'vitest';
import { configFormat } from '../../../../packages/engine/src/reading/formats/config.ts';
import { flat } from '../removal.ts';

const read = (text: string) => configFormat.units(text.split('\n'), {});
const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join('\n');

describe('configFormat.units', () => {
  it('[P55] configFormat keeps the fields that identify an item of a long list, and lets other fields be removed', () => {
    const item = (index: number) => [
      '- apiVersion: v1',
      '  kind: Pod',
      '  metadata:',
      `    name: web-${index}`,
      `    uid: ${'0123456789abcdef'.repeat(2)}${1000 + index}`,
      '  spec:',
      `    image: registry.example/shop/web:${index}`,
      '    ports:',
      '    - 80',
      `    note: ${`several words about pod ${index} `.repeat(8)}`,
    ];
    const lines = ['items:', ...Array.from({ length: 12 }, (_, index) => item(index)).flat()];
    const units = configFormat.units(lines, {});
    const second = units[0]?.children?.[1];
    expect(second).toMatchObject({ kind: 'record', start: 12, end: 21 });
    expect(second?.rule).toBeUndefined();
    const removable = flat(second?.children ?? []).filter(({ rule }) => rule !== undefined);
    expect(removable.map(({ name, rule, start, end }) => [name, rule, start, end])).toEqual(
      expect.arrayContaining([
        ['kind', 'record-fields', 13, 13],
        ['uid', 'record-fields', 16, 16],
        ['spec', 'oversized-rows', 17, 21],
      ]),
    );
    expect(removable.map(({ name }) => name)).not.toContain('name');
  });

  it('configFormat reads a YAML key, its nested lines and the comment before it as one entry', () => {
    const units = read(
      'version: 3\n# the shop\nweb:\n  image: a\n  ports:\n    - "80:80"\ndb:\n  image: b\n  restart: always',
    );
    expect(units).toMatchObject([
      { kind: 'entry', name: 'web', start: 2, head: 3, end: 6, rule: 'oversized-rows' },
      { kind: 'entry', name: 'db', start: 7, head: 7, end: 9 },
    ]);
  });

  it('configFormat splits an entry of more than 60 lines into smaller entries', () => {
    const [services] = read(
      `services:\n${many(30, (index) => `  s${index}:\n    image: a\n    restart: always`)}`,
    );
    expect(services?.rule).toBeUndefined();
    expect(services?.children?.[2]).toMatchObject({
      name: 's2',
      start: 8,
      head: 8,
      end: 10,
      rule: 'oversized-rows',
    });
  });

  it('configFormat reads YAML list items that begin with a key as records', () => {
    const units = read(
      `repos:\n${many(30, (index) => `  - repo: https://host.example/r${index}\n    rev: v1.${index}.0`)}`,
    );
    expect(units[0]?.children?.[4]).toMatchObject({
      kind: 'record',
      name: 'https://host.example/r4',
      start: 10,
      end: 11,
    });
  });

  it('configFormat keeps a TOML array over several lines in one entry', () => {
    const units = read('[extras]\nbig = [\n  "a",\n  "b",\n]\nsmall = [\n  "c",\n  "d",\n]');
    expect(units[0]).toMatchObject({ name: '[extras]', start: 1, head: 1, end: 9 });
    expect(units[0]?.children).toMatchObject([
      { name: 'big', start: 2, end: 5 },
      { name: 'small', start: 6, end: 9 },
    ]);
  });

  it('configFormat reads sections with the same name as records', () => {
    const units = read(many(8, (index) => `[[package]]\nname = "p${index}"\nversion = "1.${index}.0"\n`));
    expect(units[3]).toMatchObject({
      kind: 'record',
      name: 'p3',
      start: 13,
      end: 15,
      rule: 'oversized-rows',
    });
  });

  it('configFormat reads blocks of keys between blank lines as records, and keeps a record with a rare value', () => {
    const units = read(
      many(120, (index) => `Package: p${index}\nStatus: ${index === 60 ? 'broken' : 'installed'}\n`),
    );
    expect(units).toHaveLength(120);
    expect(units[60]).toMatchObject({ name: 'p60', start: 181, end: 182, standsOut: true });
    expect(units[59]?.standsOut).toBeUndefined();
  });

  it('configFormat reads expanded rows of psql and mysql as records', () => {
    const units = read(many(9, (index) => `-[ RECORD ${index + 1} ]-\nid   | ${index}\nname | n${index}`));
    expect(units[4]).toMatchObject({ kind: 'record', name: 'n4', start: 13, end: 15 });
    expect(
      configFormat.recognise(['*************************** 1. row ***************************', 'id: 1']),
    ).toBe(true);
  });

  it('configFormat reads each stage of a Dockerfile with its FROM line and all its instructions as one entry', () => {
    const units = read(
      'FROM node AS build\nRUN a && \\\n  b && \\\n  c\nFROM nginx\nCOPY x y\nUSER z\nCMD q',
    );
    expect(units).toMatchObject([
      { name: 'FROM node AS build', start: 1, head: 1, end: 4 },
      { name: 'FROM nginx', start: 5, head: 5, end: 8 },
    ]);
  });

  it('configFormat reads many short settings as one entry per line', () => {
    const units = read(many(50, (index) => `key${index}=value ${index}`));
    expect(units).toHaveLength(50);
    expect(units[10]).toMatchObject({ kind: 'entry', name: 'key10', rule: 'oversized-rows' });
  });

  it('configFormat recognises the licence at the top, and lets a long comment be removed while the setting below stays', () => {
    const licence = '# Copyright the authors\n# Licensed under a licence\n# that says what\n# you may do';
    const units = read(`${licence}\n\na: 1\n# one\n# two\n# three\n# four\nb: 2`);
    expect(units).toMatchObject([
      { kind: 'licence', start: 1, end: 4, rule: 'licence-header' },
      { kind: 'paragraph', name: 'one', start: 7, end: 10, rule: 'oversized-rows' },
    ]);
  });

  it('configFormat reads a line of a requirements file and the indented comments below it as one entry', () => {
    const units = read(many(40, (index) => `pkg${index}==1.${index}.0\n    # via\n    #   other${index}`));
    expect(units[5]).toMatchObject({
      kind: 'entry',
      name: 'pkg5',
      start: 16,
      end: 18,
      head: 15,
      rule: 'oversized-rows',
    });
  });

  it('configFormat recognises the licence before the first section', () => {
    const [licence] = read(
      '# Copyright the authors\n# Licensed to you\n# as it is\n# without more\n\n[a]\nx = 1\n\n[b]\ny = 2',
    );
    expect(licence).toMatchObject({ kind: 'licence', start: 1, end: 4 });
  });

  it('configFormat never begins a part inside an array, a joined line or a quoted string', () => {
    const text = `a = [\n  "x",\n  "y",\n]\nb = """\nk: v\n  z\n"""\nc: |\n  k: v\n  l: w\nrun \\\n  d=1 \\\n  e=2\nf = 1`;
    const inside = new Set([2, 3, 4, 6, 7, 8, 13, 14]);
    expect(
      flat(read(text)).filter(
        ({ start, end, head }) => (inside.has(start) && head < start) || inside.has(end + 1),
      ),
    ).toEqual([]);
  });
});
