import { describe, expect, it } from 'vitest';
import { inlineEngine } from '../../src/pruning/inline-engine.ts';
import type { PruneOptions } from '../../src/pruning/request.ts';
import type { LineScorer, SourceType } from '../../src/ranking/scorer.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { splitLines } from '../../src/text/lines.ts';
import { pruneRequest, testPruner } from '../support/pruner.ts';

const filler = (count: number, indent = '    ') =>
  Array.from(
    { length: count },
    (_, index) => `${indent}value_${index} = compute_something_boring(${index}, "padding padding")`,
  );

/** Wants none of the lines, so that only protection keeps any. */
const needsNothing: LineScorer = ({ lines }) => ({
  scores: new Float64Array(lines.length).fill(-100),
  areLogOdds: true,
  tier: 'none',
});

/** The lines that survive the hardest cut the options allow. A text that passes whole would prove nothing. */
async function survivors(
  lines: readonly string[],
  sourceType: SourceType,
  options: Partial<PruneOptions> = { maxPruneRatio: 1, structure: 'all' },
): Promise<string[]> {
  const request = pruneRequest({ text: lines.join('\n'), sourceType, options });
  const engine = inlineEngine({ scorer: needsNothing, clock: systemClock });
  const { prunedText, stats } = await testPruner({ engine }).prune(request);
  expect(stats).toMatchObject({ usedFallback: false, prunedLines: expect.toSatisfy((count) => count > 0) });
  return splitLines(prunedText);
}

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

const tracesByLanguage: [string, string[]][] = [
  [
    'Python',
    [
      'Traceback (most recent call last):',
      '  File "a.py", line 3, in <module>',
      '    main()',
      '  File "b.py", line 9, in main',
      '    raise Late("x")',
      'acme.Late: x',
    ],
  ],
  [
    'Java',
    [
      'Exception in thread "main" java.lang.IllegalStateException: no',
      '\tat com.acme.App.run(App.java:12)',
      '\tat com.acme.App.main(App.java:5)',
      'Caused by: java.io.IOException: gone',
      '\tat com.acme.Io.read(Io.java:7)',
      '\t... 2 more',
    ],
  ],
  [
    'JavaScript',
    [
      'TypeError: x is not a function',
      '    at run (/app/a.js:1:2)',
      '    at async main (/app/b.js:3:4)',
      '    at node:internal/main:9:1',
    ],
  ],
  [
    'Go',
    [
      'panic: runtime error',
      'goroutine 1 [running]:',
      'main.run(0x1)',
      '\t/app/main.go:10 +0x1d',
      'main.main()',
      '\t/app/main.go:5 +0x2a',
    ],
  ],
  [
    'Rust',
    [
      "thread 'main' panicked at src/main.rs:2:5:",
      'stack backtrace:',
      '   0: std::panicking::begin_panic',
      '             at /rustc/std/src/panicking.rs:616:12',
      '   1: app::main',
      '             at ./src/main.rs:2:5',
    ],
  ],
  [
    'Ruby',
    [
      "app.rb:3:in `run': gone (RuntimeError)",
      "\tfrom app.rb:7:in `block in main'",
      "\tfrom app.rb:9:in `main'",
    ],
  ],
  [
    '.NET',
    [
      'Unhandled exception. System.Exception: no',
      '   at Acme.App.Run() in /src/App.cs:line 12',
      '   at Acme.App.Main()',
    ],
  ],
  [
    'gdb',
    [
      'Program received signal SIGSEGV',
      '#0  0x00007f in read_all (path=0x0) at io.c:3',
      '#1  0x00007f in main () at main.c:9',
    ],
  ],
];

describe('[P21] logs keep failure, with its context', () => {
  const quiet = (count: number) =>
    Array.from(
      { length: count },
      (_, index) => `2026-01-01 00:00:${index} DEBUG heartbeat number ${index} from worker pool`,
    );

  it.each(['ERROR', 'Error', 'exception', 'Traceback', 'FATAL', 'critical', 'panic', 'Failed', '--- FAIL:'])(
    'that says %s',
    async (word) => {
      const lines = [
        ...quiet(20),
        'before the failure',
        `12:00 ${word} somewhere`,
        'after the failure',
        ...quiet(20),
      ];
      expect(await survivors(lines, 'logs')).toEqual(
        expect.arrayContaining(['before the failure', `12:00 ${word} somewhere`, 'after the failure']),
      );
    },
  );

  it.each<[string, string[]]>(tracesByLanguage)('in whole stack traces of %s', async (_language, trace) => {
    const kept = await survivors([...quiet(30), ...trace, ...quiet(30)], 'logs');
    expect(kept).toEqual(expect.arrayContaining(trace));
  });

  it('through colours and progress bars', async () => {
    const red = '\u001b[31mERR\u001b[0m\u001b[31mOR\u001b[0m it broke';
    const bar = '10%\r50%\rfailed at 60%\r';
    expect(await survivors([...quiet(20), red, ...quiet(20), bar, ...quiet(20)], 'logs')).toEqual(
      expect.arrayContaining([red, bar]),
    );
  });

  it.each(['12 passed; 0 failed; 0 ignored', 'compiled with no errors'])(
    'but a line that denies one only where all structure is asked for: %s',
    async (denial) => {
      const lines = [...quiet(20), denial, ...quiet(20)];
      expect(await survivors(lines, 'logs', { maxPruneRatio: 1 })).not.toContain(denial);
      expect(await survivors(lines, 'logs')).toContain(denial);
    },
  );

  it('that is told word for word again stays twice; one that differs stays', async () => {
    const failure = 'ERROR connection to the database lost';
    const lines = [...quiet(5), ...Array.from({ length: 9 }, () => [failure, ...quiet(5)]).flat()];
    const all = [...lines, `${failure} at 12:03`, ...quiet(5)];
    const kept = await survivors(all, 'logs', { maxPruneRatio: 1 });
    expect(kept.filter((line) => line === failure)).toHaveLength(2);
    expect(kept).toContain(`${failure} at 12:03`);
    expect((await survivors(all, 'logs')).filter((line) => line === failure)).toHaveLength(9);
  });

  it('and names what it repeats with a count', async () => {
    const lines = ['starting up the worker pool now', ...quiet(214), 'finished with the worker pool'];
    const request = pruneRequest({
      text: lines.join('\n'),
      focus: { question: 'worker pool' },
      sourceType: 'logs',
      options: { maxPruneRatio: 1 },
    });
    const { annotations } = await testPruner().prune(request);
    expect(annotations.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^répétition: 21\d lignes semblables$/),
    ]);
  });
});

describe('[P21] docs keep headings where all structure is asked for, and do not cut a fenced block in two', () => {
  const prose = (count: number) =>
    Array.from(
      { length: count },
      (_, index) => `Sentence number ${index} talks about something else entirely, at some length.`,
    );

  it.each<[string, string[]]>([
    ['Markdown', ['# Title', '### Deep heading ###']],
    ['underlined', ['Installation', '============']],
    ['reStructuredText', ['*****', 'Title', '*****']],
    ['AsciiDoc', ['== Section']],
    ['HTML', ['<h2>Section</h2>']],
    ['LaTeX', ['\\section{Methods}']],
  ])('%s headings', async (_kind, heading) => {
    expect(await survivors([...prose(12), '', ...heading, '', ...prose(12)], 'docs')).toEqual(
      expect.arrayContaining(heading),
    );
  });

  it.each([0.2, 0.4, 0.6, 0.8, 1])('fenced blocks at ratio %d', async (maxPruneRatio) => {
    const fence = ['```sh', 'npm install retry', '# not a heading', 'npm run retry --policy', '```'];
    const lines = [
      ...prose(9),
      ...fence,
      ...prose(9),
      '~~~',
      'plain',
      '```',
      'still inside',
      '~~~',
      ...prose(3),
    ];
    const request = pruneRequest({
      text: lines.join('\n'),
      focus: { question: 'retry policy' },
      sourceType: 'docs',
      options: { maxPruneRatio },
    });
    const { annotations } = await testPruner().prune(request);
    for (const block of [
      { start: 10, end: 14 },
      { start: 24, end: 28 },
    ]) {
      const hidden = annotations.filter(({ start, end }) => start <= block.end && end >= block.start);
      expect(hidden.every(({ start, end }) => start <= block.start && end >= block.end)).toBe(true);
    }
  });

  it('and says which section went', async () => {
    const request = pruneRequest({
      text: ['# Retry policy', ...prose(3), '# Install', ...prose(20)].join('\n'),
      sourceType: 'docs',
      options: { maxPruneRatio: 1 },
    });
    expect((await testPruner().prune(request)).annotations.at(-1)?.reason).toBe(
      'hors focus: section Install',
    );
  });
});

it('[P21] passes a text whole, without a fallback, when protection leaves nothing to prune', async () => {
  const text = Array.from({ length: 50 }, (_, index) => `import module_number_${index}`).join('\n');
  const { prunedText, stats, warnings } = await testPruner().prune(
    pruneRequest({ text, options: { maxPruneRatio: 1, structure: 'all' } }),
  );
  expect(prunedText).toBe(text);
  expect(stats).toMatchObject({ usedFallback: false, prunedLines: 0 });
  expect(warnings).toEqual([]);
});

it('[P17] names the function a block of code belonged to', async () => {
  const text = ['def retry(policy):', ...filler(3), 'def parse_yaml(path):', ...filler(20)].join('\n');
  const { annotations } = await testPruner().prune(
    pruneRequest({ text, focus: { question: 'retry policy' }, options: { maxPruneRatio: 1 } }),
  );
  expect(annotations.at(-1)?.reason).toBe('hors focus: fonction parse_yaml');
});

it('[P17] lists what a block hid, what the goal speaks of first, and counts the rest', async () => {
  const functions = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
  const text = [
    'def retry(policy):',
    ...filler(3),
    ...functions.flatMap((name) => [`def handle_${name}(path):`, ...filler(12)]),
  ].join('\n');
  const { annotations } = await testPruner().prune(
    pruneRequest({
      text,
      focus: { question: 'retry policy, not handle_zeta' },
      options: { maxPruneRatio: 0.97 },
    }),
  );
  const reasons = annotations.map(({ reason }) => reason).filter((reason) => reason.includes('handle_'));
  expect(reasons.length).toBeGreaterThan(0);
  for (const reason of reasons) expect(reason.length).toBeLessThanOrEqual(60);
  expect(reasons.join()).toMatch(/fonctions? handle_\w+(?:, handle_\w+)* \+\d/);
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

it('[P21] keeps the changes of a diff and only prunes their context', async () => {
  const context = (name: string) =>
    Array.from({ length: 15 }, (_, index) => ` context line ${index} of ${name}, long enough to pay`);
  const lines = [
    'diff --git a/a.c b/a.c',
    '--- a/a.c',
    '+++ b/a.c',
    '@@ -1,30 +1,31 @@',
    ...context('one'),
    '-old();',
    '+new();',
    ...context('two'),
  ];
  const kept = await survivors(lines, 'code');
  expect(kept).toEqual(
    expect.arrayContaining(['diff --git a/a.c b/a.c', '@@ -1,30 +1,31 @@', '-old();', '+new();']),
  );
  expect(kept.length).toBeLessThan(lines.length);
});

it('[P21] leaves no half of a short statement', async () => {
  const call = ['    report = build_report(', '        retry_policy,', '        title,', '    )'];
  const lines = ['def run():', ...filler(20), ...call, ...filler(20)];
  const { annotations } = await testPruner().prune(
    pruneRequest({
      text: lines.join('\n'),
      focus: { question: 'retry_policy' },
      options: { maxPruneRatio: 0.9 },
    }),
  );
  const hidden = (number: number) => annotations.some(({ start, end }) => start <= number && number <= end);
  expect([22, 23, 24, 25].map(hidden)).toEqual([false, false, false, false]);
});
