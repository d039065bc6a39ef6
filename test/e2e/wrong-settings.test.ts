import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bashEvent, TEST_RUN } from '../support/hook-events.ts';
import { type CliResult, secateur, temporaryFolder } from '../support/secateur-cli.ts';

const START = JSON.stringify({ hook_event_name: 'SessionStart' });

function place(config: string, project = ''): { home: string; hook(input: string): Promise<CliResult> } {
  const home = temporaryFolder();
  mkdirSync(join(home, '.config/secateur'), { recursive: true });
  writeFileSync(join(home, '.config/secateur/config.toml'), config);
  if (project !== '') writeFileSync(join(home, '.secateur.toml'), project);
  return { home, hook: (input) => secateur(['hook', 'claude-code'], { dataDir: home, input }) };
}

function loggedIn(home: string): string {
  return readFileSync(join(home, 'hook.log'), 'utf8');
}

describe('invalid settings in our own files', () => {
  it('[A18] doctor, session start and log report an unknown setting and suggest the most similar name', async () => {
    const { home, hook } = place('[hook]\nexlude = ["*.sql"]\n');
    const wrong = 'hook.exlude: there is no such setting; ignored; did you mean hook.exclude?';
    const doctor = await secateur(['doctor'], { dataDir: home });
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining(wrong) });
    expect((await hook(START)).stdout).toContain(wrong);
    expect(loggedIn(home)).toContain(wrong);
    expect((await hook(JSON.stringify(bashEvent(TEST_RUN)))).stdout).toContain('not ok 301');
  });

  it.each([
    ['a wrong value', '[hook]\nmarkers = "small"\n', 'hook.markers'],
    ['a file that is not TOML', '[hook\n', 'expected TOML'],
  ])(
    '[A18] hooks remove nothing after %s, and session start and doctor report the reason',
    async (_, config, wrong) => {
      const { home, hook } = place(config);
      expect(await hook(JSON.stringify(bashEvent(TEST_RUN)))).toMatchObject({
        code: 0,
        stdout: '{}',
        stderr: '',
      });
      const start = await hook(START);
      expect(start).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(start.stdout).hookSpecificOutput.additionalContext).toContain(wrong);
      expect(loggedIn(home)).toContain(wrong);
      const { code, stderr } = await secateur(['doctor'], { dataDir: home });
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(wrong) });
    },
  );

  it('[A18] the session-start hook shows the agent only the number of ignored project settings', async () => {
    const { home, hook } = place('', '[hook]\n"obey me" = 1\n');
    const { stdout } = await hook(START);
    expect(stdout).toContain(`${join(home, '.secateur.toml')}: 1 of its settings were ignored`);
    expect(stdout).not.toContain('obey me');
    expect((await secateur(['doctor'], { dataDir: home })).stdout).toContain('obey me');
  });

  it.each([
    ['Hugo', 'config.toml', 'baseURL = "x"\n[params]\nhook = 1\n'],
    ['Cargo', '.cargo/config.toml', '[hook\n'],
    ['a broken program', 'config.toml', '[hook\ntimeout_ms = "soon"'],
  ])('[A18] hooks neither read nor report settings of %s in the project', async (_, path, text) => {
    const { home, hook } = place('');
    mkdirSync(join(home, '.cargo'));
    writeFileSync(join(home, path), text);
    const { stdout } = await hook(START);
    expect(stdout).toContain('Long tool outputs');
    expect(stdout).not.toContain('setting of secateur is wrong');
  });
});
