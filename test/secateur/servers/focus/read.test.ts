import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startFocus } from '../../../support/focus.ts';
import { temporaryTree } from '../../../support/temporary-tree.ts';

it('read returns all fields that the contract lists [F3] [FT7]', async () => {
  const focus = await startFocus({ root: await temporaryTree({ 'src/a.ts': 'const a = "é";\n' }) });
  const { content, structuredContent, isError } = await focus.call('read', { path: 'src/a.ts' });
  expect(structuredContent).toEqual({
    tool: 'read',
    path: 'src/a.ts',
    encoding: 'utf-8',
    content: 'const a = "é";\n',
    truncated: false,
    bytes: 16,
    duration_ms: expect.any(Number),
    pruning: {
      attempted: false,
      applied: false,
      fallback: false,
      reason: 'no_focus_question',
      raw_bytes: 16,
    },
  });
  expect(content).toEqual([{ type: 'text', text: 'const a = "é";\n' }]);
  expect(isError).toBeUndefined();
});

it('read shortens a file to max_output_bytes between two characters; `bytes` is the size of the file [F8] [FT6]', async () => {
  const focus = await startFocus({ root: await temporaryTree({ 'a.txt': `x${'é'.repeat(2000)}` }) });
  const { structuredContent, content } = await focus.call('read', { path: 'a.txt', max_output_bytes: 1024 });
  expect(structuredContent).toMatchObject({
    content: `x${'é'.repeat(511)}`,
    truncated: true,
    bytes: 4001,
    pruning: { raw_bytes: 1023 },
  });
  expect(content[0]?.text).toContain('[cut after 1023 of 4001 bytes; the file goes on]');
});

it('read includes line numbers in max_output_bytes, and every line number is correct [X25] [F8] [F18]', async () => {
  const root = await temporaryTree({ 'short.txt': 'x\n'.repeat(1_000_000) });
  const focus = await startFocus({ root, textOnly: true });
  for (const max_output_bytes of [1024, 100_000, 10_485_760]) {
    const { content } = await focus.call('read', { path: 'short.txt', max_output_bytes });
    const [, numbered = '', shown] = /^([^[]*)\n\[cut after (\d+) of 2000000 bytes; the file goes on\]$/.exec(
      content[0]?.text ?? '',
    ) ?? [undefined, content[0]?.text];
    const size = Buffer.byteLength(numbered);
    expect(size).toBeLessThanOrEqual(max_output_bytes);
    expect(size).toBeGreaterThan(max_output_bytes - 16);
    const lines = numbered.split('\n');
    expect(lines.findIndex((line, index) => line !== `${index + 1}│ x`)).toBe(-1);
    expect(Number(shown)).toBe(2 * lines.length);
  }
});

it('read reports in text and structured content that a file is not valid UTF-8; `bytes` is the file size [FV9]', async () => {
  const latin = Buffer.from('name = caf\xe9\n', 'latin1');
  const root = await temporaryTree({ 'latin.txt': latin, 'utf8.txt': 'name = café �\n' });
  const focus = await startFocus({ root });
  const note = 'the file is not valid UTF-8; bytes that could not be decoded are shown as U+FFFD (�)';
  const { content, structuredContent } = await focus.call('read', { path: 'latin.txt' });
  expect(structuredContent).toMatchObject({ content: 'name = caf�\n', note, bytes: latin.length });
  expect(content[0]?.text).toBe(`name = caf�\n\n[${note}]`);
  expect((await focus.call('read', { path: 'utf8.txt' })).structuredContent.note).toBeUndefined();
});

it('read returns errors of the file system as tool errors with a code [F4] [FE3] [FT4] [FEV4]', async () => {
  const outside = await temporaryTree({ 'secret.txt': 's' });
  const root = await temporaryTree({ 'd/x': '', 'bin.dat': Buffer.from([1, 0, 2]) });
  await symlink(join(outside.real, 'secret.txt'), join(root.real, 'out'));
  execFileSync('mkfifo', [join(root.real, 'fifo')]);
  const focus = await startFocus({ root });
  const codes = {
    gone: 'not_found',
    out: 'invalid_path',
    d: 'invalid_path',
    fifo: 'invalid_path',
    'bin.dat': 'io_error',
  };
  for (const [path, code] of Object.entries(codes)) {
    expect(await focus.call('read', { path }), path).toMatchObject({
      isError: true,
      structuredContent: {
        tool: 'read',
        error: { code, message: expect.stringContaining(path) },
        pruning: { attempted: false, applied: false, fallback: false, raw_bytes: 0 },
      },
    });
  }
  const failed = focus.events.filter(({ event }) => event === 'tool.exec_failed');
  expect(failed.map(({ data }) => data?.code)).toEqual(Object.values(codes));
  expect(failed[0]?.data).toEqual({
    tool: 'read',
    code: 'not_found',
    message: 'gone: no such file or directory',
    duration_ms: expect.any(Number),
  });
});

it('read returns permission_denied for a file without read permission', async () => {
  const root = await temporaryTree({ 'locked.txt': 'x' });
  execFileSync('chmod', ['000', join(root.real, 'locked.txt')]);
  const focus = await startFocus({ root });
  const { structuredContent } = await focus.call('read', { path: 'locked.txt' });
  // Root may read every file, so only other users get the code.
  if (process.getuid?.() === 0) expect(structuredContent.content).toBe('x');
  else expect(structuredContent.error.code).toBe('permission_denied');
});
