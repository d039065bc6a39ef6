import { describe, expect, it } from 'vitest';
import {
  readDeclarations,
  structureAt,
} from '../../../../packages/engine/src/reading/declaration-patterns.ts';

const found = (lines: readonly string[], fileName?: string) =>
  readDeclarations(lines, fileName).map(({ index, noun, name }) => `${index + 1} ${noun} ${name}`);

it('[P21] structureAt finds imports and re-exports', () => {
  const lines = ['import os', "export * from './a.ts';", "require 'json'", 'class Store:', 'a = import'];
  expect(lines.filter((line) => structureAt(line) === 'import')).toEqual(lines.slice(0, 3));
});

describe('[P21] readDeclarations', () => {
  it('readDeclarations returns the position of each declaration and no imports', () => {
    expect(
      readDeclarations(['import os', '', 'class Store:', '    limit = 5', '    async def get(self):']),
    ).toEqual([
      { index: 2, noun: 'class', name: 'Store' },
      { index: 4, noun: 'method', name: 'get' },
    ]);
  });

  it('readDeclarations omits re-exports and constants', () => {
    const lines = [
      "export * from './a.ts';",
      'export {',
      '  b,',
      "} from './b.ts';",
      'export const LIMIT = 5;',
    ];
    expect(found(lines, 'a.ts')).toEqual([]);
  });

  it('readDeclarations uses keywords that only the language of the file has', () => {
    expect(found(['\t"fmt"', 'const Limit = 5'], 'main.go')).toEqual([]);
    expect(found(['init(size: Int) {', 'impl Store {'], 'store.swift')).toEqual([
      '1 constructor init',
      '2 type Store',
    ]);
    expect(found(['init(size: Int) {', 'impl Store {'], 'store.rs')).toEqual(['2 implementation Store']);
    expect(found(['init(size: Int) {', '\t"fmt"'])).toEqual([]);
  });

  it('readDeclarations uses the keywords of any language if the language of the file finds none', () => {
    expect(found(["require 'json'", 'fn load() {'], 'store.swift')).toEqual(['2 function load']);
  });

  it('readDeclarations omits arguments that are calls', () => {
    expect(found(['    init(size: Int) {', '    init(size: 1),'], 'store.swift')).toEqual([
      '1 constructor init',
    ]);
  });

  it('readDeclarations finds tables, functions and types of SQL in upper and lower case', () => {
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

  it('[P54] readDeclarations finds functions that JavaScript assigns to a member or to a key of an object', () => {
    const lines = [
      'List.prototype.map = function (callback) {',
      'app.handle = async (request) => {',
      "  'number, string': function (a, b) {",
      '  open: (path) => {',
      '  ready = value === 1 ? (a) : b;',
      '  list.size = count(items);',
      '  limit: 5,',
    ];
    expect(found(lines, 'list.js')).toEqual([
      '1 method map',
      '2 method handle',
      '3 method number, string',
      '4 method open',
    ]);
  });
});
