import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { processStartOf, readLiveState } from '../../../packages/secateur/src/cli/up/running.ts';
import { temporaryFolder } from '../../support/secateur-cli.ts';

const HINT = 'delete the file; the next `secateur up` writes it again';

it.each<[string, (path: string) => void, string]>([
  ['half a file', (path) => writeFileSync(path, '{"pid": 12'), 'is damaged'],
  ['null', (path) => writeFileSync(path, 'null'), 'is damaged'],
  ['another JSON value', (path) => writeFileSync(path, '{"pid":"x","servers":[]}'), 'is damaged'],
  ['a folder', (path) => mkdirSync(path), 'is a folder, not a regular file'],
  ['a pipe', (path) => execFileSync('mkfifo', [path]), 'is a pipe, not a regular file'],
])('[X17] the error of readLiveState explains what to do about %s as up.json', (_, make, reason) => {
  const path = join(temporaryFolder(), 'up.json');
  make(path);
  expect(() => readLiveState(path)).toThrow(`${path} ${reason}: servers of \`up\` may still run`);
  expect(() => readLiveState(path)).toThrow(
    expect.objectContaining({ code: 'state_unreadable', hint: expect.stringContaining(HINT) }),
  );
});

it('readLiveState returns the state of a running process, and undefined after the process has exited', () => {
  const path = join(temporaryFolder(), 'up.json');
  expect(readLiveState(path)).toBeUndefined();
  const { pid } = process;
  const state = { pid, processStart: processStartOf(pid), startedAt: '', version: '1', servers: [] };
  writeFileSync(path, JSON.stringify(state));
  expect(readLiveState(path)).toEqual(JSON.parse(JSON.stringify(state)));
  writeFileSync(path, JSON.stringify({ ...state, pid: 2 ** 30 }));
  expect(readLiveState(path)).toBeUndefined();
});
