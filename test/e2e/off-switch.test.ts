import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bashEvent, SOURCE, TEST_RUN } from '../support/hook-events.ts';
import { type CliOptions, secateur, temporaryFolder } from '../support/secateur-cli.ts';

/** A home folder with two projects. */
function world() {
  const home = temporaryFolder();
  const [project, other] = [join(home, 'project'), join(home, 'other')];
  for (const folder of [project, other]) mkdirSync(join(folder, '.git'), { recursive: true });
  mkdirSync(join(project, 'src'));
  writeFileSync(join(project, 'run.log'), TEST_RUN);
  writeFileSync(join(project, 'src/plants.ts'), SOURCE);
  const run = (args: readonly string[], options: CliOptions = {}) =>
    secateur(args, { dataDir: home, cwd: project, ...options });
  return { home, project, other, run };
}

type World = ReturnType<typeof world>;

async function isCut({ run, project }: World, options: CliOptions = {}): Promise<boolean> {
  const cwd = options.cwd ?? project;
  const input = JSON.stringify(bashEvent(TEST_RUN, { cwd }));
  const { stdout, code } = await run(['hook', 'claude-code'], { cwd, ...options, input });
  expect(code).toBe(0);
  return stdout !== '{}';
}

const isRunCut = async ({ run, project }: World, options: CliOptions = {}) =>
  (await run(['run', '--', 'cat', join(project, 'run.log')], options)).stdout !== TEST_RUN;

describe('secateur off', () => {
  it('[A17] SECATEUR=off makes hooks and secateur run return outputs unchanged', async () => {
    const there = world();
    expect([await isCut(there), await isRunCut(there)]).toEqual([true, true]);
    const off = { env: { SECATEUR: 'off' } };
    expect([await isCut(there, off), await isRunCut(there, off)]).toEqual([false, false]);
    expect((await there.run(['status'], off)).stdout).toContain(
      'Cuts are off here: SECATEUR=off in the environment.',
    );
    expect(await isCut(there, { env: { SECATEUR: 'on' } })).toBe(true);
  });

  it('[A17] secateur off and on apply to the project and its folders, and status gives the reason', async () => {
    const there = world();
    const { run, project, other, home } = there;
    expect((await run(['off'], { cwd: join(project, 'src') })).stdout).toBe(`Cuts are off in ${project}.\n`);
    expect([await isCut(there), await isRunCut(there)]).toEqual([false, false]);
    expect(await isCut(there, { cwd: join(project, 'src') })).toBe(false);
    expect(await isCut(there, { cwd: other })).toBe(true);
    const file = join(home, '.config/secateur/off.json');
    expect((await run(['status'])).stdout).toContain(
      `Cuts are off here: \`secateur off\` for ${project}, in ${file}.`,
    );
    expect(JSON.parse((await run(['status', '--json'])).stdout).cuts).toMatchObject({ on: false });
    expect((await run(['on'])).stdout).toBe(`Cuts are on in ${project}.\n`);
    expect(await isCut(there)).toBe(true);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ everywhere: false, projects: [] });
  });

  it('[A17] secateur off --everywhere applies to all projects, and secateur on reports which switch is still off', async () => {
    const there = world();
    await there.run(['off', '--everywhere']);
    expect([await isCut(there), await isCut(there, { cwd: there.other })]).toEqual([false, false]);
    expect((await there.run(['on'])).stderr).toContain('still off here: `secateur off --everywhere`');
    expect(await isCut(there)).toBe(false);
    await there.run(['on', '--everywhere']);
    expect(await isCut(there)).toBe(true);
  });

  it('[A17] outputs are returned unchanged if the stored switch cannot be read, and status reports it', async () => {
    const there = world();
    await there.run(['off']);
    writeFileSync(join(there.home, '.config/secateur/off.json'), 'no JSON');
    expect(await isCut(there, { cwd: there.other })).toBe(false);
    expect((await there.run(['status'])).stdout).toContain('off.json cannot be read');
    await there.run(['on', '--everywhere']);
    expect(await isCut(there)).toBe(true);
  });

  it('[A17] status prints the variable or file of each switch', async () => {
    const { run, project, home } = world();
    writeFileSync(join(project, '.secateur.toml'), '[hook]\nexclude = ["*.sql"]\n');
    mkdirSync(join(home, '.config/secateur'), { recursive: true });
    const own = join(home, '.config/secateur/config.toml');
    writeFileSync(own, '[hook]\nenabled = false\nexclude_commands = ["npm run report"]\n');
    const { stdout } = await run(['status'], { env: { SECATEUR_HOOK_WRITE_GUARD: 'off' } });
    expect(stdout).toContain(`Cuts are off here: hook.enabled is false: ${own} hook.enabled.`);
    expect(stdout).toContain(`not cut: files *.sql (${project}/.secateur.toml hook.exclude)`);
    expect(stdout).toContain(`not cut: commands npm run report (${own} hook.exclude_commands)`);
    expect(stdout).toContain('write guard: off (SECATEUR_HOOK_WRITE_GUARD)');
  });
});

describe('secateur raw', () => {
  it('[A17] secateur raw runs a command with unchanged output, input and exit code', async () => {
    const { run } = world();
    const shown = await run(['raw', '--', 'sh', '-c', 'cat; echo no >&2; exit 3'], { input: TEST_RUN });
    expect(shown).toEqual({ code: 3, stdout: TEST_RUN, stderr: 'no\n' });
    expect(await run(['raw', '--', '/no/such/program'])).toMatchObject({ code: 127 });
    expect(await run(['raw'])).toMatchObject({ code: 2 });
  });

  it('[A17] hooks return the output of secateur raw unchanged', async () => {
    const { run } = world();
    const input = JSON.stringify(
      bashEvent(TEST_RUN, { tool_input: { command: 'secateur raw -- npm test' } }),
    );
    expect((await run(['hook', 'claude-code'], { input })).stdout).toBe('{}');
  });
});
