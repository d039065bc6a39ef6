import { describe, expect, it } from 'vitest';
import { readLandmarks } from '../../../../packages/engine/src/reading/declaration-patterns.ts';

const found = (lines: readonly string[], fileName?: string) =>
  readLandmarks(lines, fileName).map(({ index, role, noun, name }) =>
    `${index + 1} ${role === 'declaration' ? noun : role} ${name}`.trim(),
  );

describe('[P21] the landmarks of code are', () => {
  it('its imports and declarations, each with its place', () => {
    expect(
      readLandmarks(['import os', '', 'class Store:', '    limit = 5', '    async def get(self):']),
    ).toEqual([
      { index: 0, role: 'import', noun: 'module', name: '', indent: 0 },
      { index: 2, role: 'declaration', noun: 'class', name: 'Store', indent: 0 },
      { index: 4, role: 'declaration', noun: 'method', name: 'get', indent: 4 },
    ]);
  });

  it('what it exports from elsewhere, but no constant', () => {
    const lines = [
      "export * from './a.ts';",
      'export {',
      '  b,',
      "} from './b.ts';",
      'export const LIMIT = 5;',
    ];
    expect(found(lines, 'a.ts')).toEqual(['1 import', '2 import', '4 import']);
  });

  it('what only the language of its file knows', () => {
    expect(found(['\t"fmt"', 'const Limit = 5'], 'main.go')).toEqual(['1 import']);
    expect(found(['init(size: Int) {', 'impl Store {'], 'store.swift')).toEqual([
      '1 constructor init',
      '2 type Store',
    ]);
    expect(found(['init(size: Int) {', 'impl Store {'], 'store.rs')).toEqual(['2 implementation Store']);
    expect(found(['init(size: Int) {', '\t"fmt"'])).toEqual([]);
  });

  it('keywords of any language, if its own rules find none', () => {
    expect(found(["require 'json'", 'fn load() {'], 'store.swift')).toEqual(['1 import', '2 function load']);
  });

  it('but no argument that is a call', () => {
    expect(found(['    init(size: Int) {', '    init(size: 1),'], 'store.swift')).toEqual([
      '1 constructor init',
    ]);
  });

  it('the tables, functions and types of SQL, in any case', () => {
    const lines = [
      'CREATE TABLE users (',
      'create table if not exists "orders" (',
      'CREATE OR REPLACE FUNCTION total() RETURNS int AS $$',
      'CREATE VIEW v AS SELECT 1;',
      'CREATE TYPE mood AS ENUM (',
    ];
    expect(found(lines)).toEqual([
      '1 table users',
      '2 table orders',
      '3 function total',
      '4 table v',
      '5 type mood',
    ]);
  });
});
