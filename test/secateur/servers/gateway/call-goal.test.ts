import { expect, it } from 'vitest';
import { goalOf, originOf } from '../../../../packages/secateur/src/servers/gateway/prune-first.ts';

it('[G17] goalOf returns the most specific argument of a call', () => {
  expect(goalOf({ arguments: { path: 'a.ts', query: 'where is it' } })).toBe('where is it');
  expect(goalOf({ arguments: { path: 'src/retry.ts', limit: 5 } })).toBe('src/retry.ts');
  expect(goalOf({ uri: 'file:///retry.md' })).toBe('file:///retry.md');
  expect(goalOf({ arguments: { content: 'x'.repeat(1000) } })).toBe('');
  expect(goalOf({})).toBe('');
});

it('[G17] goalOf joins several specific arguments, with the clearest first', () => {
  expect(goalOf({ arguments: { pattern: 'retry', path: 'src', goal: 'find the budget' } })).toBe(
    'find the budget retry',
  );
  expect(goalOf({ arguments: { query: ' ', path: 'src' }, uri: 'file:///a' })).toBe('src file:///a');
});

it('[G17] goalOf returns at most 500 characters, ignores a longer argument and shortens several arguments together', () => {
  const longest = 'x'.repeat(500);
  expect(goalOf({ arguments: { query: longest } })).toBe(longest);
  expect(goalOf({ arguments: { query: `${longest}x`, path: 'src' } })).toBe('src');
  expect(goalOf({ arguments: { query: longest, pattern: 'y' } })).toBe(longest);
  expect(goalOf({ arguments: { query: 7, path: ['src'] } })).toBe('');
  expect(goalOf({ arguments: 'query', uri: null })).toBe('');
});

it('[G17] originOf returns the file or the command of a call', () => {
  const read = { name: 'read_file', arguments: { path: 'README.md', head: 5 } };
  expect(originOf(read)).toEqual({ kind: 'file', path: 'README.md' });
  expect(originOf({ uri: 'file:///a.log' })).toEqual({ kind: 'file', path: 'file:///a.log' });
  expect(originOf({ arguments: { cmd: 'cat a.py', path: '.' } })).toEqual({
    kind: 'command',
    command: 'cat a.py',
  });
  expect(originOf({ name: 'run', arguments: {} })).toEqual({ kind: 'other' });
  expect(originOf({ arguments: { command: 'make', cmd: 'cat a.py' } })).toMatchObject({ command: 'make' });
  expect(originOf({ arguments: { command: ' ', path: ['a'], filename: 'b.ts' } })).toMatchObject({
    path: 'b.ts',
  });
  expect(originOf({ arguments: null, uri: 'file:///b' })).toMatchObject({ path: 'file:///b' });
  for (const name of ['path', 'file_path', 'file', 'filename', 'uri'])
    expect(originOf({ arguments: { [name]: 'a.ts' }, uri: 'file:///b' })).toMatchObject({ path: 'a.ts' });
});
