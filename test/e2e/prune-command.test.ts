import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';

const body = (name: string) =>
  Array.from({ length: 20 }, (_, index) => `    ${name}_${index} = compute(${index}, "padding")`);
const code = [
  'import time',
  '',
  'def parse_yaml(path):',
  ...body('yaml'),
  '',
  'def retry(policy):',
  '    policy.attempts += 1',
  ...body('wait'),
  '',
].join('\n');
const goal = ['--goal', 'how are retry attempts counted'];

describe('secateur prune and secateur recover', () => {
  it('[P35] secateur recover prints lines after the process that removed them has exited', async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'app.py'), code);
    const data = ['--data-dir', join(folder, 'data')];
    const pruned = await secateur(['prune', 'app.py', ...goal, ...data], { cwd: folder });
    expect(pruned.code).toBe(0);
    expect(pruned.stdout).toContain('    policy.attempts += 1\n');
    const [, id = '', range = ''] = /prune_id=(\S+) lignes (\d+-\d+) /.exec(pruned.stdout) ?? [];
    const recovered = await secateur(['recover', id, range, ...data], { cwd: folder });
    const [start = 0, end = 0] = range.split('-').map(Number);
    expect(recovered.stdout).toBe(
      `${code
        .split('\n')
        .slice(start - 1, end)
        .join('\n')}\n`,
    );
  });

  it('[P16] putting recovered lines in the place of their markers restores the file byte for byte', async () => {
    const folder = temporaryFolder();
    const data = ['--data-dir', folder];
    const { stdout } = await secateur(['prune', '--type', 'code', ...goal, ...data], { input: code });
    const markers = [...stdout.matchAll(/^⟦PRUNÉ: prune_id=(\S+) lignes (\d+-\d+) .*⟧$/gm)];
    expect(markers.length).toBeGreaterThan(0);
    let whole = stdout;
    for (const [marker, id = '', range = ''] of markers) {
      const hidden = await secateur(['recover', id, range, ...data]);
      whole = whole.replace(marker, () => hidden.stdout.slice(0, -1));
    }
    expect(whole).toBe(code);
  });

  it('[A14] secateur recover prints the whole text without line numbers, and prints each of several ranges after a line with its numbers', async () => {
    const folder = temporaryFolder();
    const data = ['--data-dir', folder];
    const { stdout } = await secateur(['prune', '--type', 'code', ...goal, ...data], { input: code });
    const [, id = ''] = /prune_id=(\S+) /.exec(stdout) ?? [];
    expect((await secateur(['recover', id, ...data])).stdout).toBe(code.endsWith('\n') ? code : `${code}\n`);
    const lines = code.split('\n');
    const some = await secateur(['recover', id, '1-2,4', '3', ...data]);
    expect(some.stdout).toBe(
      `lines 1-2:\n1│ ${lines[0]}\n2│ ${lines[1]}\nlines 4-4:\n4│ ${lines[3]}\nlines 3-3:\n3│ ${lines[2]}\n`,
    );
  });

  it('secateur prune mentions secateur recover only if the text is stored', async () => {
    const asked = ['prune', '--type', 'code', ...goal];
    const kept = await secateur([...asked], { input: code });
    expect(kept.stderr).toMatch(/lines removed, ~\d+ tokens saved; secateur recover prn_\w+ START-END\n$/);
    const forgotten = await secateur([...asked, '--store', 'memory'], { input: code });
    expect(forgotten.stderr).toMatch(/ of \d+ lines removed, ~\d+ tokens saved\n$/);
    const whole = await secateur(asked, { input: 'one line\n' });
    expect(whole.stderr).toBe('0 of 1 lines removed, ~0 tokens saved\n');
  });

  it('secateur prune and secateur recover print JSON with --json', async () => {
    const folder = temporaryFolder();
    const data = ['--data-dir', folder];
    const pruned = await secateur(['prune', '-t', 'code', '--json', ...goal, ...data], { input: code });
    const answer = JSON.parse(pruned.stdout);
    expect(answer).toMatchObject({
      prune_id: expect.stringMatching(/^prn_/),
      stats: { used_fallback: false },
    });
    const recovered = await secateur(['recover', answer.prune_id, '1-2', '--json', ...data]);
    expect(JSON.parse(recovered.stdout)).toEqual({
      raw_text: 'import time\n',
      ranges: [{ start: 1, end: 2 }],
    });
  });

  it.each<[string, string[]]>([
    ['a goal that is missing', ['prune']],
    ['a ratio that is none', ['prune', ...goal, '--ratio', '2']],
    ['a type that is none', ['prune', ...goal, '--type', 'poem']],
    ['lines that are none', ['recover', 'prn_x', 'one-two']],
    ['characters that are none', ['recover', 'prn_x', '1', '--chars', 'all']],
  ])('secateur exits with code 2 for %s', async (_what, args) => {
    expect(await secateur(args)).toMatchObject({ code: 2, stdout: '' });
  });

  it.each<[string, string[]]>([
    ['a file that is not there', ['prune', 'nowhere.py', ...goal]],
    ['an unknown id', ['recover', 'prn_00000000000000000000000000', '1-2']],
  ])('secateur exits with an error message for %s', async (_what, args) => {
    const folder = temporaryFolder();
    const { code: exitCode, stderr } = await secateur([...args, '--data-dir', folder]);
    expect(exitCode).toBe(1);
    expect(stderr).not.toContain(' at ');
    expect(stderr).toMatch(/cannot be read|prune_id_not_found/);
  });
});
