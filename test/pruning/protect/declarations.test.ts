import { describe, expect, it } from 'vitest';
import { inlineEngine } from '../../../src/pruning/inline-engine.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { splitLines } from '../../../src/text/lines.ts';
import { pruneRequest, testPruner } from '../../support/pruner.ts';
import { filler, needsNothing, survivors } from './survivors.ts';

const declarationsByLanguage: [string, string[]][] = [
  [
    'Python',
    [
      'import os',
      'from a.b import (',
      '    c,',
      '    d,',
      ')',
      '@cached',
      'def load(path):',
      'class Retry(Base):',
      '    async def wait(self,',
      '                   attempt):',
    ],
  ],
  [
    'TypeScript',
    [
      "import { a } from './a.ts';",
      'import type {',
      '  B,',
      "} from './b.ts';",
      'export class Store<T> extends Base {',
      '  private async get(id: string): Promise<T> {',
      'export interface Options {',
      'type Id = string;',
      'export const load = async (path: string) => {',
      'export default function main(',
      '  argv: string[],',
      '): void {',
      'enum Kind {',
    ],
  ],
  [
    'JavaScript',
    [
      "const fs = require('node:fs');",
      "'use strict';",
      'function* walk(tree) {',
      'module.exports = function (x) {',
      '  render() {',
      '  static get size() {',
    ],
  ],
  [
    'Go',
    [
      'package main',
      'import (',
      '\t"fmt"',
      '\t"os"',
      ')',
      'func (s *Store) Get(id string) (string, error) {',
      'type Store struct {',
      'type Reader interface {',
    ],
  ],
  [
    'Rust',
    [
      'use std::{',
      '    fs,',
      '    io,',
      '};',
      'pub(crate) struct Store<T> {',
      'impl<T> Store<T> {',
      '    pub async fn get(&self, id: &str) -> Option<T> {',
      'pub trait Reader {',
      'mod tests {',
      'macro_rules! check {',
    ],
  ],
  [
    'Java',
    [
      'package com.acme.app;',
      'import java.util.List;',
      'public final class Store<T> extends Base {',
      '    private static <T> List<T> read(String path) throws IOException {',
      '    @Override',
      '    public String toString() {',
      'public interface Reader {',
      'record Point(int x, int y) {',
    ],
  ],
  [
    'C',
    [
      '#include <stdio.h>',
      'typedef struct node node_t;',
      'struct node {',
      'static int read_all(const char *path, size_t n)',
      'int main(int argc, char **argv) {',
    ],
  ],
  [
    'C++',
    [
      '#include "store.hpp"',
      'namespace acme {',
      'class Store : public Base {',
      'template <typename T>',
      'void Store::get(const std::string& id) {',
    ],
  ],
  [
    'C#',
    [
      'using System.Linq;',
      'namespace Acme.App',
      'public sealed class Store : Base',
      '    public async Task<int> CountAsync(string id)',
    ],
  ],
  ['Ruby', ["require 'json'", 'module Acme', 'class Store < Base', '  def get(id)', '  def self.open(path)']],
  [
    'PHP',
    [
      'use Acme\\Store\\Reader;',
      'final class Store',
      '    public function get(string $id): ?string',
      'function helper($x)',
    ],
  ],
  [
    'Kotlin',
    [
      'import kotlinx.coroutines.*',
      'data class Point(val x: Int)',
      '    suspend fun get(id: String): String {',
      'object Registry {',
    ],
  ],
  [
    'Swift',
    [
      'import Foundation',
      'struct Point {',
      '    func get(id: String) -> String {',
      'protocol Reader {',
      'extension Store {',
    ],
  ],
  ['Shell', ['source ./lib.sh', 'build() {', 'function deploy {']],
  ['Elixir', ['defmodule Acme.Store do', '  use GenServer', '  def get(id) do', '  defp read(path) do']],
  ['SQL', ['CREATE TABLE users (', 'CREATE OR REPLACE FUNCTION total() RETURNS int AS $$']],
];

describe('[P21] code keeps imports, declarations and file headers where all structure is asked for', () => {
  it.each<[string, string[]]>(declarationsByLanguage)('of %s', async (_language, declarations) => {
    const lines = declarations.flatMap((line) => (opensMore(line) ? [line] : [line, ...filler(6)]));
    expect(await survivors(lines, 'code')).toEqual(expect.arrayContaining(declarations));
  });

  it('or set for all requests', async () => {
    const lines = ['import os', 'def load(path):', ...filler(30), 'class Retry:', ...filler(30)];
    const engine = inlineEngine({ scorer: needsNothing, clock: systemClock });
    const { prunedText } = await testPruner({ engine, structure: 'all' }).prune(
      pruneRequest({ text: lines.join('\n'), options: { maxPruneRatio: 0.95 } }),
    );
    expect(splitLines(prunedText)).toEqual(
      expect.arrayContaining(['import os', 'def load(path):', 'class Retry:']),
    );
  });

  it('or at .6 and below', async () => {
    const lines = ['import os', 'def load(path):', ...filler(30), 'class Store:', ...filler(30)];
    const declared = ['import os', 'def load(path):', 'class Store:'];
    expect(await survivors(lines, 'code', { maxPruneRatio: 0.6 })).toEqual(expect.arrayContaining(declared));
    expect(await survivors(lines, 'code', { maxPruneRatio: 0.95 })).not.toEqual(
      expect.arrayContaining(declared),
    );
  });

  /** The next line continues this one. */
  function opensMore(line: string): boolean {
    return /[({,]$|^@|^ +@|^\t"|^ {4}(?:c|d|fs|io),$|^ {2}B,$/.test(line) && !/\) \{$|[\w>] \{$/.test(line);
  }

  it('and prunes the bodies', async () => {
    const kept = await survivors(['def load(path):', ...filler(30), 'def save(path):'], 'code');
    const whole = expect.stringMatching(/^⟦PRUNÉ: prune_id=\S+ lignes 2-31 \(30\) raison=.*⟧$/);
    expect(kept).toEqual(['def load(path):', whole, 'def save(path):']);
  });

  it('with line numbers in front as well', async () => {
    const lines = ['import os', ...filler(9), 'def load(path):', ...filler(9)].map(
      (line, index) => `${String(index + 1).padStart(6)}\t${line}`,
    );
    const kept = await survivors(lines, 'code');
    expect(kept).toEqual(expect.arrayContaining(['     1\timport os', '    11\tdef load(path):']));
  });

  it('whatever the licence at the top says', async () => {
    const header = ['#!/usr/bin/env python3', '# Copyright the authors', '# Licensed under the MIT licence'];
    expect(await survivors([...header, '', ...filler(30)], 'code')).toEqual(expect.arrayContaining(header));
  });
});

it('[P21] keeps the declarations around a line that stays, whatever else goes', async () => {
  const lines = ['class Store:', ...filler(20), '    def get(self, id):', ...filler(10, '        ')];
  lines.push('        return zeppelin(id)', ...filler(20, '        '), 'class Other:', ...filler(20));
  const { prunedText } = await testPruner().prune(
    pruneRequest({
      text: lines.join('\n'),
      focus: { question: 'zeppelin' },
      options: { maxPruneRatio: 0.95 },
    }),
  );
  expect(splitLines(prunedText)).toEqual(
    expect.arrayContaining(['class Store:', '    def get(self, id):', '        return zeppelin(id)']),
  );
  expect(prunedText).not.toContain('\nclass Other:');
});
