import { chmod } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { noProcessWatchdog } from '../../../packages/base/src/runtime/process-watchdog.ts';
import { systemClock } from '../../../packages/base/src/runtime/time.ts';
import { noPipes } from '../../../packages/serving/src/workspace/output-pipes.ts';
import { type CommandRequest, runCommand } from '../../../packages/serving/src/workspace/run-command.ts';
import { bareEnvironment } from '../../support/bare-environment.ts';
import { temporaryTree } from '../../support/temporary-tree.ts';

function run(cwd: string, command: string, more: Partial<CommandRequest> = {}) {
  return runCommand({
    command,
    cwd,
    ownEnv: bareEnvironment,
    env: {},
    timeoutMs: 20_000,
    maxOutputBytes: 10_000,
    signal: new AbortController().signal,
    watchdog: noProcessWatchdog,
    pipes: noPipes,
    clock: systemClock,
    ...more,
  });
}

it('[X15] runCommand uses the first shell on an absolute entry of PATH', async () => {
  const { real } = await temporaryTree({ 'fake/bash': '#!/bin/sh\necho fake\n', 'empty/x': '' });
  await chmod(join(real, 'fake/bash'), 0o755);
  const withPath = async (...folders: string[]) => {
    const PATH = [...folders, bareEnvironment.PATH].join(':');
    return (await run(real, 'echo real', { ownEnv: { ...bareEnvironment, PATH } })).stdout;
  };
  expect(await withPath(relative(process.cwd(), join(real, 'fake')), '', '.')).toBe('real\n');
  expect(await withPath(join(real, 'empty'))).toBe('real\n');
  expect(await withPath(join(real, 'fake'))).toBe('fake\n');
});

it('[F6] [X10] a command gets the environment of the server without unset variables and without secrets, by name or value', async () => {
  const { real } = await temporaryTree();
  const ownEnv = {
    ...bareEnvironment,
    UNSET: undefined,
    EMPTY: '',
    SHOWN: 'plain',
    HARMLESS: `ghp_${'a1B2'.repeat(9)}`,
    REPLACED: 'old',
  };
  const printed = async (env: Record<string, string>) => {
    const { stdout } = await run(real, 'env', { ownEnv, env });
    return stdout
      .split('\n')
      .filter((line) => /^(?:UNSET|EMPTY|SHOWN|HARMLESS|REPLACED)=/.test(line))
      .sort();
  };
  expect(await printed({ REPLACED: 'new' })).toEqual(['EMPTY=', 'REPLACED=new', 'SHOWN=plain']);
});

const MUCH = { out: 'yes o | head -c 5000', err: 'yes e | head -c 5000 >&2' };
const LITTLE = { out: 'printf 1234567890', err: 'printf 1234567890 >&2' };

it.each([
  { printed: 'only stdout', command: MUCH.out, out: 1024, err: 0 },
  { printed: 'only stderr', command: MUCH.err, out: 0, err: 1024 },
  { printed: 'much on both', command: `${MUCH.out}; ${MUCH.err}`, out: 512, err: 512 },
  { printed: 'little on stderr', command: `${MUCH.out}; ${LITTLE.err}`, out: 1014, err: 10 },
  { printed: 'little on stdout', command: `${LITTLE.out}; ${MUCH.err}`, out: 10, err: 1014 },
])('[F5] [F8] $printed: a stream may use bytes that the other leaves', async ({ command, out, err }) => {
  const { real } = await temporaryTree();
  const { stdout, stderr, truncated } = await run(real, command, { maxOutputBytes: 1024 });
  expect(truncated).toBe(true);
  for (const [text, bytes] of [
    [stdout, out],
    [stderr, err],
  ] as const) {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
    // Half of a small limit is reserved for the note about removed text.
    expect(Buffer.byteLength(text)).toBeGreaterThanOrEqual(Math.floor(bytes / 2));
  }
});

it('[F5] runCommand does not shorten two streams that fill the limit to the last byte', async () => {
  const { real } = await temporaryTree();
  const command = 'printf %0700d 1; printf %0300d 2 >&2';
  const { stdout, stderr, truncated } = await run(real, command, { maxOutputBytes: 1000 });
  expect([stdout.length, stderr.length, truncated]).toEqual([700, 300, false]);
  expect((await run(real, command, { maxOutputBytes: 999 })).truncated).toBe(true);
});
