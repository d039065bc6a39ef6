import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import type { LanguageId } from '../../../packages/base/src/languages/languages.ts';
import type { Declaration } from '../../../packages/reverse-spec/src/syntax/outline.ts';
import { createOutliner } from '../../../packages/reverse-spec/src/syntax/read-outline.ts';

const outliner = createOutliner();
afterAll(() => outliner.close());

function everything(declarations: readonly Declaration[]): Declaration[] {
  return declarations.flatMap((each) => [each, ...everything(each.members)]);
}

const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'service.ts': {
    TIMEOUT_MS: 'How long to wait.',
    find: 'Finds things.\n@param id which',
    start: 'Starts.',
    Red: 'Warm.',
  },
  'legacy.cjs': { readText: 'Reads a file.\n@param {string} path', on: 'Listens.' },
  'catalog.py': { Item: 'One thing.\n\nWith a name.', label: 'What to show.', find: 'Finds one by name.' },
  'queue.go': {
    Idle: 'Idle means nothing runs.',
    Queue: 'Queue is a bounded queue.',
    Push: 'Push adds a job.',
  },
  'Inventory.java': {
    Inventory: 'Keeps what is on the shelves.\n\n@param <T> what is kept',
    find: 'Finds one.',
  },
  'arena.rs': { Arena: 'An arena.\n\nKeeps nodes.', nodes: 'The nodes.', map: 'Makes a map.' },
  'buffer.h': { BUFFER_START: 'How much a buffer holds at first.', buffer_t: 'A growing buffer.' },
  'matrix.hpp': { Matrix: 'A matrix.', 'operator+': 'The sum.', dot: 'Dot product.' },
  'Orders.cs': { OrderBook: '<summary>Takes orders.</summary>', Closed: '<summary>Done.</summary>' },
  'ledger.rb': { Bank: 'Keeps money.', balance: 'How much.', 'self.load': 'Reads one.' },
  'Router.php': { Router: 'Finds the handler of a path.', add: 'Adds one.' },
  'Cache.kt': { Cache: 'Keeps values.', LOW: 'Low.', doubled: 'Doubles.' },
  'Store.swift': { Store: 'Keeps things.', find: 'Finds one.', added: 'Added.' },
};

it.each(Object.entries(expected))('[SY8] an outliner reads doc comments of %s', async (file, docs) => {
  const source = readFileSync(new URL(`../../fixtures/syntax/${file}`, import.meta.url), 'utf8');
  const found = everything((await outliner.outline(source, { path: file })).declarations);
  for (const [name, doc] of Object.entries(docs))
    expect(found.find((each) => each.name === name)?.doc).toBe(doc);
});

async function first(language: LanguageId, ...lines: string[]): Promise<Declaration | undefined> {
  return (await outliner.outline(lines.join('\n'), { language })).declarations[0];
}

it('[SY8] an outliner uses the nearest of several comments, but no comment before a blank line or after code', async () => {
  expect((await first('typescript', '/** far */', '/** near */', 'export function f() {}'))?.doc).toBe(
    'near',
  );
  expect((await first('go', '// far', '', '// near', '// nearer', 'func F() {}'))?.doc).toBe('near\nnearer');
  expect((await first('go', '// far', '', 'func F() {}'))?.doc).toBeUndefined();
  expect((await first('rust', '// aside', 'fn f() {}'))?.doc).toBeUndefined();
});

it('[SY8] an outliner returns the number of the line on which a body begins', async () => {
  expect((await first('java', 'class A', '{', '}'))?.bodyStartLine).toBe(2);
  expect((await first('typescript', 'function f(', '  a: number,', ') {', '}'))?.bodyStartLine).toBe(3);
  expect((await first('python', 'def f(', '    a,', '):', '    return a'))?.bodyStartLine).toBe(4);
  expect((await first('c', 'int f(void);'))?.bodyStartLine).toBeUndefined();
});

it('[SY2] the signature of a member does not contain the separator after the member', async () => {
  const outline = await outliner.outline('interface A {\n  a: number,\n  b(): void;\n}\n', {
    language: 'typescript',
  });
  expect(outline.declarations[0]?.members.map(({ signature }) => signature)).toEqual([
    'a: number',
    'b(): void',
  ]);
});

it('[SY8] an outliner uses a comment behind a line of Go, C or C++ as documentation, unless it is an instruction for tools', async () => {
  const docsOf = async (language: LanguageId, source: string) =>
    everything((await outliner.outline(source, { language })).declarations).map(({ doc }) => doc);
  const go = 'const (\n\tHour = iota // The hour.\n\tDay // nolint:all\n\t// Above.\n\tYear // Behind.\n)\n';
  expect(await docsOf('go', go)).toEqual(['The hour.', undefined, 'Above.']);
  expect(await docsOf('c', 'struct box {\n  int width; /* In pixels. */\n  int lid;\n} ;\n')).toEqual([
    undefined,
    'In pixels.',
    undefined,
  ]);
  expect(await docsOf('cpp', 'int open(int a) {\n  return a;\n} // open\nint lid; ///< How far.\n')).toEqual([
    undefined,
    'How far.',
  ]);
  expect(await docsOf('rust', 'pub struct A {\n    pub b: u8, // Not said.\n}\n')).toEqual([
    undefined,
    undefined,
  ]);
});
