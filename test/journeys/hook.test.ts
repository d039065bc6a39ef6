import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bashEvent,
  claudeEvent,
  claudeTranscript,
  readEvent,
  SOURCE,
  TEST_RUN,
  userSays,
} from '../support/hook-events.ts';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';
import { type SecateurProcess, startSecateur } from '../support/secateur-process.ts';
import { describeWith } from '../support/system-parts.ts';

describe('secateur hook', () => {
  let server: SecateurProcess;
  beforeAll(async () => {
    server = await startSecateur(['pruner']);
  });
  afterAll(() => server.stop());

  const post = (client: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/hooks/${client}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  it('[A1] answers on standard output what the server answers over HTTP, and notes the saving', async () => {
    const dataDir = temporaryFolder();
    const event = JSON.stringify(bashEvent(TEST_RUN));
    const own = await secateur(['hook', 'claude-code'], { dataDir, input: event });
    expect(own).toMatchObject({ code: 0, stderr: '' });
    const served = await post('claude-code', event);
    // A server is installed as `secateur`; this process runs from a path, which is too long for the first line.
    const withoutIds = (text: string) =>
      text.replaceAll(/ or `secateur recover prn_\w+ A-B,C-D`/g, '').replaceAll(/prn_\w+/g, 'prn_');
    expect(withoutIds(own.stdout)).toBe(withoutIds(await served.text()));
    expect(own.stdout).toContain('not ok 301');
    const stats = await secateur(['stats', '--json'], { dataDir });
    expect(JSON.parse(stats.stdout).bySystem.hook.calls).toBe(1);
  });

  it('[A7] gives lines back in the shell of the agent', async () => {
    const dataDir = temporaryFolder();
    const { stdout } = await secateur(['hook', 'claude-code'], {
      dataDir,
      input: JSON.stringify(bashEvent(TEST_RUN)),
    });
    const id = /prn_[0-9A-Z]+/.exec(stdout)?.[0] ?? '';
    const recovered = await secateur(['recover', id, '7-8'], { dataDir });
    expect(recovered.stdout).toBe(`${TEST_RUN.split('\n').slice(6, 8).join('\n')}\n`);
  });

  it('[AU6] [A5] leaves a note of each cut, without a word of the conversation', async () => {
    const dataDir = temporaryFolder();
    const transcript_path = claudeTranscript(userSays('Why does the zanzibar connection fail?'));
    const input = JSON.stringify(bashEvent(TEST_RUN, { transcript_path }));
    const { stdout } = await secateur(['hook', 'claude-code'], { dataDir, input });
    const id = /prn_[0-9A-Z]+/.exec(stdout)?.[0] ?? '';
    const { stdout: told } = await secateur(['explain', id], { dataDir });
    expect(told).toMatch(/\d+ of \d+ lines removed/);
    expect(told).toContain('tests passed');
    const { stdout: all } = await secateur(['explain', id, '--json'], { dataDir });
    expect(JSON.parse(all).text.focus).toEqual({ question: '', command: 'npm test' });
    expect(filesHolding(dataDir, 'zanzibar')).toEqual([]);
  });

  it('[A7] [F23] gives characters of a minified line back', async () => {
    const dataDir = temporaryFolder();
    const minified = Array.from({ length: 500 }, (_, at) => `function f${at}(e){return e+${at}};`).join('');
    const input = JSON.stringify(bashEvent(minified));
    const { stdout } = await secateur(['hook', 'claude-code'], { dataDir, input });
    const [, id = '', from = '', to = ''] = /(prn_[0-9A-Z]+): .*? \[(\d+)-(\d+)\] /.exec(stdout) ?? [];
    const recovered = await secateur(['recover', id, '1', '--chars', `${from}-${to}`], { dataDir });
    expect(recovered.stdout).toBe(`${minified.slice(Number(from) - 1, Number(to))}\n`);
  });

  it('[A1] keeps web pages and other machines from the hooks', async () => {
    const { status } = await post('claude-code', '{}', { origin: 'https://evil.example' });
    expect(status).toBe(403);
  });

  it('[A2] answers {} over HTTP to whatever it cannot read', async () => {
    for (const body of ['', '{', '[]', '7', JSON.stringify(claudeEvent('Bash', { tool_response: 3 }))]) {
      const answer = await post('codex', body);
      expect([answer.status, await answer.text()]).toEqual([200, '{}']);
    }
  });

  it('[A2] answers {} and ends with 0 whatever is wrong, without a word on standard error', async () => {
    const event = JSON.stringify(readEvent(SOURCE));
    const badConfig = temporaryFolder();
    writeFileSync(join(badConfig, 'config.toml'), 'this is = = no TOML');
    const noFolder = join(temporaryFolder(), 'data');
    writeFileSync(noFolder, 'a file where the data directory should be');
    const cases = [
      secateur(['hook', 'claude-code'], { input: event.slice(0, 400) }),
      secateur(['hook', 'claude-code'], { input: '' }),
      secateur(['hook', 'nobody'], { input: event }),
      secateur(['hook'], { input: event }),
      secateur(['hook', 'claude-code', '--wrong'], { input: event }),
      secateur(['hook', 'claude-code'], { input: event, cwd: badConfig }),
      secateur(['hook', 'claude-code'], { input: event, env: { SECATEUR_DATA_DIR: noFolder } }),
      secateur(['hook', 'claude-code'], { input: event, env: { SECATEUR_HOOK_TIMEOUT_MS: 'never' } }),
    ];
    for (const outcome of await Promise.all(cases))
      expect(outcome).toEqual({ code: 0, stdout: '{}', stderr: '' });
  });

  it('[A2] stops a cut that takes longer than the limit, and says so in its log', async () => {
    const dataDir = temporaryFolder();
    const long = Array.from({ length: 40_000 }, (_, at) => `${at}: ${at ** 3} litres for floor ${at % 97}`);
    const outcome = await secateur(['hook', 'claude-code'], {
      dataDir,
      input: JSON.stringify(bashEvent(long.join('\n'))),
      env: { SECATEUR_HOOK_TIMEOUT_MS: '150' },
    });
    expect(outcome).toEqual({ code: 0, stdout: '{}', stderr: '' });
    expect(readFileSync(join(dataDir, 'hook.log'), 'utf8')).toContain('"hook.passed"');
  });

  it('[A2] changes nothing where a folder stands for the lock of its store', async () => {
    const dataDir = temporaryFolder();
    mkdirSync(join(dataDir, 'recovery', 'lock.mdb'), { recursive: true });
    const input = JSON.stringify(bashEvent(TEST_RUN));
    const outcome = await secateur(['hook', 'claude-code'], { dataDir, input });
    expect(outcome).toEqual({ code: 0, stdout: '{}', stderr: '' });
  });

  it('[A2] says in its log, or on standard error where asked, why an output passed', async () => {
    const dataDir = temporaryFolder();
    // A file where the store wants its folder.
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, 'recovery'), '');
    const input = JSON.stringify(bashEvent(TEST_RUN));
    expect(await secateur(['hook', 'claude-code'], { dataDir, input })).toEqual({
      code: 0,
      stdout: '{}',
      stderr: '',
    });
    expect(readdirSync(dataDir)).toContain('hook.log');
    expect(readFileSync(join(dataDir, 'hook.log'), 'utf8')).toContain('"hook.passed"');
    const asked = await secateur(['hook', 'claude-code'], {
      dataDir,
      input,
      env: { SECATEUR_HOOK_LOG: 'stderr' },
    });
    expect(asked.stderr).toContain('"store_unavailable"');
  });
});

function filesHolding(folder: string, word: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return files.filter((file) => readFileSync(file, 'latin1').includes(word));
}

describeWith(['node 22'], 'secateur hook on a newer Node', (paths) => {
  it('[A2] answers the same, and nothing on standard error', async () => {
    const dataDir = temporaryFolder();
    const input = JSON.stringify(bashEvent(TEST_RUN));
    const own = await secateur(['hook', 'claude-code'], { dataDir, input });
    const newer = await secateur(['hook', 'claude-code'], { dataDir, input, node: paths['node 22'] });
    expect(newer).toEqual({ code: 0, stdout: own.stdout, stderr: '' });
  });
});
