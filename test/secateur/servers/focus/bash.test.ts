import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bareEnvironment } from '../../../support/bare-environment.ts';
import { eventually } from '../../../support/eventually.ts';
import { startFocus } from '../../../support/focus.ts';
import { runningGroups } from '../../../support/running-groups.ts';
import { temporaryTree } from '../../../support/temporary-tree.ts';

it('bash returns all fields that the contract lists', async () => {
  const root = await temporaryTree({ 'd/a.txt': 'x' });
  const focus = await startFocus({ root });
  const args = { cmd: 'ls; echo warn >&2; echo $HANDSHAKE', cwd: 'd', env: { HANDSHAKE: 'hi' } };
  const { structuredContent, content } = await focus.call('bash', args);
  expect(structuredContent).toEqual({
    tool: 'bash',
    cmd: args.cmd,
    cwd: join(root.real, 'd'),
    stdout: 'a.txt\nhi\n',
    stderr: 'warn\n',
    exit_code: 0,
    timed_out: false,
    truncated: false,
    duration_ms: expect.any(Number),
    pruning: {
      attempted: false,
      applied: false,
      fallback: false,
      reason: 'no_focus_question',
      raw_bytes: 14,
    },
  });
  expect(content[0]?.text).toBe('a.txt\nhi\n[stderr]\nwarn\n');
});

it('bash returns a non-zero exit as a tool error with code, stdout and stderr [F5] [FT4] [FEV4]', async () => {
  const focus = await startFocus({ root: await temporaryTree() });
  const answer = await focus.call('bash', { cmd: 'echo out; echo err >&2; exit 7' });
  expect(answer).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: '[exit code 7]\nout\n[stderr]\nerr\n' }],
    structuredContent: {
      tool: 'bash',
      error: { code: 'nonzero_exit', message: 'exit code 7', exit_code: 7 },
      stdout: 'out\n',
      stderr: 'err\n',
    },
  });
  expect((await focus.event('tool.exec_failed')).data).toEqual({
    tool: 'bash',
    code: 'nonzero_exit',
    message: 'exit code 7',
    exit_code: 7,
    duration_ms: expect.any(Number),
  });
});

it('bash ends a command and its process group after the time limit, and returns the output that was printed until then [F5] [FE4] [FEV5]', async () => {
  const focus = await startFocus({ root: await temporaryTree() });
  const mark = `secateur-timeout-${process.pid}`;
  const cmd = `echo started; bash -c 'exec -a ${mark} sleep 300' & wait`;
  const answer = await focus.call('bash', { cmd, timeout_ms: 5_000 });
  expect(answer).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'timeout' }, stdout: 'started\n', stderr: '' },
  });
  expect((await focus.event('tool.exec_timeout')).data).toEqual({ tool: 'bash', timeout_ms: 5_000 });
  expect(await runningGroups(mark)).toEqual([]);
});

it('bash ends the command of a client that disconnects [FC1]', async () => {
  const focus = await startFocus({ root: await temporaryTree() });
  const mark = `secateur-cancel-${process.pid}`;
  const leaving = new AbortController();
  const params = { name: 'bash', arguments: { cmd: `exec -a ${mark} sleep 300` } };
  const call = fetch(`${focus.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    signal: leaving.signal,
  }).catch(() => 'left');
  await eventually(async () => ((await runningGroups(mark)).length > 0 ? true : undefined), 'the command');
  leaving.abort();
  expect(await call).toBe('left');
  await eventually(async () => ((await runningGroups(mark)).length === 0 ? true : undefined), 'its end');
  expect((await focus.event('tool.exec_failed')).data).toMatchObject({ tool: 'bash', code: 'cancelled' });
});

it('bash returns invalid_cwd if the working directory is missing, is a file or is outside the root [F4] [FV13]', async () => {
  const outside = await temporaryTree();
  const root = await temporaryTree({ 'file.txt': 'x' });
  await symlink(outside.real, join(root.real, 'out'));
  const focus = await startFocus({ root });
  for (const cwd of ['gone', 'file.txt', 'out']) {
    expect(await focus.call('bash', { cmd: 'true', cwd }), cwd).toMatchObject({
      isError: true,
      structuredContent: { tool: 'bash', error: { code: 'invalid_cwd' } },
    });
  }
});

it('bash returns spawn_error if the shell cannot be started', async () => {
  const focus = await startFocus({ root: await temporaryTree(), ownEnv: { PATH: '/nowhere' } });
  expect(await focus.call('bash', { cmd: 'true' })).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'spawn_error' } },
  });
});

it('bash does not pass secrets of the server to commands [F6]', async () => {
  const ownEnv = { ...bareEnvironment, ANTHROPIC_API_KEY: 'sk-1', SECATEUR_BEARER_TOKEN: 'bt', PLAIN: 'p' };
  const focus = await startFocus({ root: await temporaryTree(), ownEnv });
  const { structuredContent } = await focus.call('bash', { cmd: 'env', env: { GITHUB_TOKEN: 'given' } });
  expect(structuredContent.stdout).not.toMatch(/sk-1|BEARER/);
  expect(structuredContent.stdout).toMatch(/PLAIN=p/);
  expect(structuredContent.stdout).toMatch(/GITHUB_TOKEN=given/);
});

it('bash keeps the beginning and the end of an output above max_output_bytes, within that limit [F5] [F8]', async () => {
  const focus = await startFocus({ root: await temporaryTree() });
  const { structuredContent } = await focus.call('bash', { cmd: 'seq 1 99999', max_output_bytes: 2048 });
  expect(structuredContent).toMatchObject({ truncated: true, exit_code: 0 });
  expect(Buffer.byteLength(structuredContent.stdout)).toBeLessThanOrEqual(2048);
  expect(structuredContent.stdout).toMatch(
    /^1\n2\n[\s\S]*\[… \d+ bytes, \d+ lines cut here …\][\s\S]*\n99999\n$/,
  );
  expect(structuredContent.pruning.raw_bytes).toBe(Buffer.byteLength(structuredContent.stdout));
});
