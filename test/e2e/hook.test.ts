import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bashEvent,
  CLIENT_ENV,
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
    server = await startSecateur(['pruner'], { env: CLIENT_ENV });
  });
  afterAll(() => server.stop());

  const post = (client: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/hooks/${client}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  it('[A1] secateur hook prints what POST /hooks/CLIENT returns, and records the saving', async () => {
    const dataDir = temporaryFolder();
    const event = JSON.stringify(bashEvent(TEST_RUN));
    const own = await secateur(['hook', 'claude-code'], { dataDir, input: event });
    expect(own).toMatchObject({ code: 0, stderr: '' });
    const served = await post('claude-code', event);
    // Replaces the program, because a server is installed as `secateur` and this process runs from a long
    // path.
    const withoutIds = (text: string) =>
      text.replaceAll(/ or `secateur recover prn_\w+ A-B,C-D`/g, '').replaceAll(/prn_\w+/g, 'prn_');
    expect(withoutIds(own.stdout)).toBe(withoutIds(await served.text()));
    expect(own.stdout).toContain('not ok 301');
    const stats = await secateur(['stats', '--json'], { dataDir });
    expect(JSON.parse(stats.stdout).bySystem.hook.calls).toBe(1);
  });

  it('[A7] secateur recover prints lines that the hook removed', async () => {
    const dataDir = temporaryFolder();
    const { stdout } = await secateur(['hook', 'claude-code'], {
      dataDir,
      input: JSON.stringify(bashEvent(TEST_RUN)),
    });
    const id = /prn_[0-9A-Z]+/.exec(stdout)?.[0] ?? '';
    const recovered = await secateur(['recover', id, '7-8'], { dataDir });
    expect(recovered.stdout).toBe(`${TEST_RUN.split('\n').slice(6, 8).join('\n')}\n`);
  });

  it('[AU6] [A5] secateur hook stores a record of each shortened output, and no record contains a word of the conversation', async () => {
    const dataDir = temporaryFolder();
    const transcript_path = claudeTranscript(userSays('Why does the zanzibar connection fail?'));
    const input = JSON.stringify(bashEvent(TEST_RUN, { transcript_path }));
    const { stdout } = await secateur(['hook', 'claude-code'], { dataDir, input, env: CLIENT_ENV });
    const id = /prn_[0-9A-Z]+/.exec(stdout)?.[0] ?? '';
    const { stdout: told } = await secateur(['explain', id], { dataDir });
    expect(told).toMatch(/\d+ of \d+ lines removed/);
    expect(told).toContain('tests passed');
    const { stdout: all } = await secateur(['explain', id, '--json'], { dataDir });
    expect(JSON.parse(all).text.focus).toEqual({ question: '', command: 'npm test' });
    expect(filesHolding(dataDir, 'zanzibar')).toEqual([]);
  });

  it('[A7] [F23] secateur recover --chars prints characters of a minified line', async () => {
    const dataDir = temporaryFolder();
    const minified = Array.from({ length: 500 }, (_, at) => `function f${at}(e){return e+${at}};`).join('');
    const input = JSON.stringify(bashEvent(minified));
    const { stdout } = await secateur(['hook', 'claude-code'], { dataDir, input });
    const [, id = '', from = '', to = ''] = /(prn_[0-9A-Z]+): .*? \[(\d+)-(\d+)\] /.exec(stdout) ?? [];
    const recovered = await secateur(['recover', id, '1', '--chars', `${from}-${to}`], { dataDir });
    expect(recovered.stdout).toBe(`${minified.slice(Number(from) - 1, Number(to))}\n`);
  });

  it('[A1] POST /hooks/CLIENT refuses requests of web pages', async () => {
    const { status } = await post('claude-code', '{}', { origin: 'https://evil.example' });
    expect(status).toBe(403);
  });

  it('[A2] POST /hooks/CLIENT returns {} for an event that it cannot read', async () => {
    for (const body of ['', '{', '[]', '7', JSON.stringify(claudeEvent('Bash', { tool_response: 3 }))]) {
      const answer = await post('codex', body);
      expect([answer.status, await answer.text()]).toEqual([200, '{}']);
    }
  });

  it('[A2] secateur hook prints {} with exit code 0 and nothing on standard error for any malformed event', async () => {
    const event = JSON.stringify(readEvent(SOURCE));
    const badConfig = temporaryFolder();
    mkdirSync(join(badConfig, 'secateur'));
    writeFileSync(join(badConfig, 'secateur/config.toml'), 'this is = = no TOML');
    const noFolder = join(temporaryFolder(), 'data');
    writeFileSync(noFolder, 'a file where the data directory should be');
    const cases = [
      secateur(['hook', 'claude-code'], { input: event.slice(0, 400) }),
      secateur(['hook', 'claude-code'], { input: '' }),
      secateur(['hook', 'nobody'], { input: event }),
      secateur(['hook'], { input: event }),
      secateur(['hook', 'claude-code', '--wrong'], { input: event }),
      secateur(['hook', 'claude-code'], { input: event, env: { XDG_CONFIG_HOME: badConfig } }),
      secateur(['hook', 'claude-code'], { input: event, env: { SECATEUR_HOOK_ENABLED: 'false' } }),
      secateur(['hook', 'claude-code'], { input: event, env: { SECATEUR_DATA_DIR: noFolder } }),
      secateur(['hook', 'claude-code'], { input: event, env: { SECATEUR_HOOK_TIMEOUT_MS: 'never' } }),
    ];
    for (const outcome of await Promise.all(cases))
      expect(outcome).toEqual({ code: 0, stdout: '{}', stderr: '' });
  });

  it('[A2] secateur hook stops pruning after its time limit, and logs it', async () => {
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

  it('[X26] secateur hook renames a file in the place of its store, logs it once, and shortens the output', async () => {
    const dataDir = temporaryFolder();
    mkdirSync(join(dataDir, 'recovery', 'data.mdb'), { recursive: true });
    writeFileSync(join(dataDir, 'recovery', 'texts'), '');
    const input = JSON.stringify(bashEvent(TEST_RUN));
    for (let call = 0; call < 2; call += 1) {
      const outcome = await secateur(['hook', 'claude-code'], { dataDir, input });
      expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('✂ prn_'), stderr: '' });
    }
    const log = readFileSync(join(dataDir, 'hook.log'), 'utf8');
    expect(log.match(/"recovery\.set_aside"/g)).toHaveLength(2);
  });

  it('[A2] secateur hook logs why an output was returned unchanged, and prints the log on standard error if requested', async () => {
    const dataDir = temporaryFolder();
    const input = JSON.stringify(bashEvent(TEST_RUN));
    mkdirSync(join(dataDir, 'recovery'), { recursive: true });
    // The kernel refuses writes to this folder.
    symlinkSync('/proc/self', join(dataDir, 'recovery', 'drafts'));
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
    expect(asked.stderr).toContain('"recovery_unavailable"');
  });
});

describe('secateur hook in a cloned repository', () => {
  it('[X22] secateur hook ignores settings in files of the cloned repository', async () => {
    const input = JSON.stringify(bashEvent(TEST_RUN));
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, '.git'));
    const cut = async () => {
      const dataDir = temporaryFolder();
      const { stdout, stderr } = await secateur(['hook', 'claude-code'], { dataDir, cwd, input });
      expect([stderr, readdirSync(dataDir).includes('recovery')]).toEqual(['', true]);
      return stdout.replaceAll(/prn_\w+/g, 'prn_');
    };
    const expected = await cut();
    expect(expected).toContain('not ok 301');
    for (const name of ['config.toml', '.secateur.toml'])
      writeFileSync(join(cwd, name), '[secateur]\nstore = "redis"\ndata_dir = "elsewhere"\n');
    expect(await cut()).toBe(expected);
    for (const name of ['config.toml', '.secateur.toml']) {
      rmSync(join(cwd, name));
      execFileSync('mkfifo', [join(cwd, name)]);
    }
    expect(await cut()).toBe(expected);
    rmSync(join(cwd, '.secateur.toml'));
    writeFileSync(join(cwd, '.secateur.toml'), '[hook]\nenabled = false\n[secateur]\nstore = "redis"\n');
    expect((await secateur(['hook', 'claude-code'], { cwd, input })).stdout).toBe('{}');
    for (const command of ['status', 'doctor']) {
      const { stdout } = await secateur([command], { cwd });
      expect(stdout, command).toContain(join(cwd, '.secateur.toml'));
      expect(stdout, command).toContain('ignored: secateur.store: a project may not set this');
    }
  });
});

function filesHolding(folder: string, word: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return files.filter((file) => readFileSync(file, 'latin1').includes(word));
}

describeWith(['node 22'], 'secateur hook on a newer version of Node', (paths) => {
  it('[A2] secateur hook on a newer Node prints the same result, and nothing on standard error', async () => {
    const dataDir = temporaryFolder();
    const input = JSON.stringify(bashEvent(TEST_RUN));
    const own = await secateur(['hook', 'claude-code'], { dataDir, input });
    const newer = await secateur(['hook', 'claude-code'], { dataDir, input, node: paths['node 22'] });
    expect(newer).toEqual({ code: 0, stdout: own.stdout, stderr: '' });
  });
});
