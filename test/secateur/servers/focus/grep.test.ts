import { symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startFocus } from '../../../support/focus.ts';
import { temporaryTree } from '../../../support/temporary-tree.ts';

it('grep returns all fields that the contract lists [F7]', async () => {
  const focus = await startFocus({
    root: await temporaryTree({ 'a.ts': 'x\nlet needle;\n', 'b/c.ts': 'needle\n' }),
  });
  const { structuredContent, content } = await focus.call('grep', { pattern: 'needle', paths: ['.'] });
  expect(structuredContent).toEqual({
    tool: 'grep',
    pattern: 'needle',
    paths: ['.'],
    matches: [
      { path: 'a.ts', line: 2, column: 5, text: 'let needle;' },
      { path: 'b/c.ts', line: 1, column: 1, text: 'needle' },
    ],
    match_count: 2,
    truncated: false,
    duration_ms: expect.any(Number),
    pruning: {
      attempted: false,
      applied: false,
      fallback: false,
      reason: 'no_focus_question',
      raw_bytes: 34,
    },
  });
  expect(content[0]?.text).toBe('a.ts:2:let needle;\nb/c.ts:1:needle');
});

it('grep returns an empty list without a match, and accepts a leading dash, max_matches, case and literals [F7] [FV21] [FV22] [FV24]', async () => {
  const focus = await startFocus({
    root: await temporaryTree({ 'a.txt': '-v one\nA.B\naxb\n', '-f': 'dash\n' }),
  });
  const found = async (args: object) =>
    (await focus.call('grep', { paths: ['.'], ...args })).structuredContent;
  expect(await found({ pattern: 'nothing' })).toMatchObject({
    matches: [],
    match_count: 0,
    truncated: false,
  });
  expect(await found({ pattern: '-v' })).toMatchObject({ match_count: 1 });
  expect(await found({ pattern: 'dash', paths: ['-f'] })).toMatchObject({ matches: [{ path: '-f' }] });
  expect(await found({ pattern: '.', max_matches: 2 })).toMatchObject({ match_count: 4, truncated: true });
  expect(await found({ pattern: 'a.b', case_sensitive: false })).toMatchObject({ match_count: 2 });
  expect(await found({ pattern: 'A.B', fixed_string: true })).toMatchObject({ matches: [{ line: 2 }] });
});

it('grep reports the number of all matches if it returns only some, in text and structured content [F17]', async () => {
  const files = { 'a.txt': 'hit a\n'.repeat(900), 'b.txt': 'hit b\n'.repeat(100) };
  const focus = await startFocus({ root: await temporaryTree(files) });
  const cut = await focus.call('grep', { pattern: 'hit', paths: ['.'], max_matches: 10 });
  expect(cut.structuredContent).toMatchObject({ match_count: 1000, truncated: true });
  expect(cut.structuredContent).not.toHaveProperty('match_count_exact');
  expect(cut.structuredContent.matches).toHaveLength(10);
  expect(cut.content[0]?.text).toMatch(/^a\.txt:1:hit a\n[^[]*\n\[the first 10 of 1000 matches\]$/);
  // A match takes 12 or 13 bytes with its line break.
  const small = await focus.call('grep', { pattern: 'hit', paths: ['.'], max_output_bytes: 1024 });
  const shown = small.structuredContent.matches.length;
  expect(small.structuredContent).toMatchObject({ match_count: 1000, truncated: true });
  expect(small.content[0]?.text).toContain(`\n[the first ${shown} of 1000 matches]`);
  const whole = await focus.call('grep', { pattern: 'hit', paths: ['b.txt'] });
  expect(whole.structuredContent).toMatchObject({ match_count: 100, truncated: false });
  expect(whole.content[0]?.text).not.toContain('[');
});

it('grep returns one match of one line for a file whose name contains a line break [F7]', async () => {
  const focus = await startFocus({ root: await temporaryTree({ 'odd\nname.txt': 'needle\n' }) });
  const { structuredContent, content } = await focus.call('grep', { pattern: 'needle', paths: ['.'] });
  expect(structuredContent).toMatchObject({
    match_count: 1,
    matches: [{ path: 'odd\nname.txt', line: 1, text: 'needle' }],
  });
  expect(content).toEqual([{ type: 'text', text: 'odd\\nname.txt:1:needle' }]);
});

it('grep omits complete matches that do not fit into max_output_bytes [F8] [FV26]', async () => {
  const focus = await startFocus({
    root: await temporaryTree({ 'a.txt': `${'é'.repeat(100)}\n`.repeat(50) }),
  });
  const args = { pattern: 'é', paths: ['.'], max_output_bytes: 1024 };
  const { structuredContent } = await focus.call('grep', args);
  expect(structuredContent).toMatchObject({ match_count: 50, truncated: true });
  expect(structuredContent.matches).toHaveLength(4);
  expect(structuredContent.pruning.raw_bytes).toBeLessThanOrEqual(1024);
  expect(structuredContent.matches.every(({ text }: { text: string }) => text === 'é'.repeat(100))).toBe(
    true,
  );
});

it('grep includes line breaks between matches in max_output_bytes [F8]', async () => {
  // Seven lines of 127 bytes, one of 128 and the seven breaks between them are 1024; one more byte is too many.
  const lines = (last: string) => [...Array.from({ length: 7 }, () => 'x'.repeat(119)), last].join('\n');
  const root = await temporaryTree({ 'a.txt': lines('x'.repeat(120)), 'b.txt': lines('x'.repeat(121)) });
  const focus = await startFocus({ root });
  const found = async (path: string) =>
    (await focus.call('grep', { pattern: 'x', paths: [path], max_output_bytes: 1024 })).structuredContent;
  expect(await found('a.txt')).toMatchObject({
    match_count: 8,
    truncated: false,
    pruning: { raw_bytes: 1024 },
  });
  const cut = await found('b.txt');
  expect(cut).toMatchObject({ match_count: 8, truncated: true });
  expect(cut.matches).toHaveLength(7);
});

it('grep returns rg_error for an invalid pattern, and invalid_path for a missing path or a path outside the root [F4] [FEV4]', async () => {
  const outside = await temporaryTree({ 's.txt': 'x' });
  const root = await temporaryTree({ 'a.txt': 'x' });
  await symlink(outside.real, join(root.real, 'out'));
  const focus = await startFocus({ root });
  expect(await focus.call('grep', { pattern: '(', paths: ['.'] })).toMatchObject({
    isError: true,
    structuredContent: { tool: 'grep', error: { code: 'rg_error', exit_code: 2, message: /unclosed group/ } },
  });
  for (const args of [{ paths: ['gone'] }, { paths: ['a.txt', 'out'] }, { paths: ['.'], cwd: 'gone' }]) {
    expect(await focus.call('grep', { pattern: 'x', ...args })).toMatchObject({
      isError: true,
      structuredContent: { tool: 'grep', error: { code: 'invalid_path' } },
    });
  }
  const codes = focus.events
    .filter(({ event }) => event === 'tool.exec_failed')
    .map(({ data }) => data?.code);
  expect(codes).toEqual(['rg_error', 'invalid_path', 'invalid_path', 'invalid_path']);
});

it('grep returns paths relative to the root for any cwd [FV19] [FV20]', async () => {
  const focus = await startFocus({ root: await temporaryTree({ 'a.txt': 'x', 'd/b.txt': 'x' }) });
  const { structuredContent } = await focus.call('grep', { pattern: 'x', paths: ['a.txt', 'd'], cwd: 'd' });
  expect(structuredContent.matches).toMatchObject([{ path: 'a.txt' }, { path: 'd/b.txt' }]);
});

it('grep ends a search after the time limit and reports it [FE4] [FEV5] [FV23]', async () => {
  const root = await temporaryTree({ 'huge.txt': 'start\n' });
  await truncate(join(root.real, 'huge.txt'), 256 * 2 ** 30);
  const focus = await startFocus({ root });
  const answer = await focus.call('grep', { pattern: 'no such thing', paths: ['huge.txt'], timeout_ms: 100 });
  expect(answer).toMatchObject({
    isError: true,
    structuredContent: { tool: 'grep', error: { code: 'timeout' } },
  });
  expect((await focus.event('tool.exec_timeout')).data).toEqual({ tool: 'grep', timeout_ms: 100 });
  expect((await focus.event('tool.exec_failed')).data).toMatchObject({ tool: 'grep', code: 'timeout' });
});
