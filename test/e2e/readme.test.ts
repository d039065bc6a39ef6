import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { reverseSpec } from '../../packages/reverse-spec/src/cli/program.ts';
import { programs } from '../../packages/secateur/src/cli/programs.ts';
import type { Executable } from '../../packages/serving/src/commands/command.ts';
import { printed, spawnSecateur } from '../support/secateur-cli.ts';
import { describeWith } from '../support/system-parts.ts';

const root = new URL('../..', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');
const shellBlocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);

describeWith(['curl'], 'the README', () => {
  it('[H7] the curl command of the README returns a result (with another port)', async () => {
    const curl = shellBlocks.find((block) => block.startsWith('curl')) ?? '';
    const pruner = spawnSecateur(['pruner', '--port', '0']);
    const [, port = ''] = /127\.0\.0\.1:(\d+)/.exec(await printed(pruner.stderr, /127\.0\.0\.1:\d+/)) ?? [];
    const { stdout } = await promisify(execFile)('bash', ['-c', curl.replace('8006', port)], {
      cwd: fileURLToPath(root),
    });
    const answer = JSON.parse(JSON.parse(stdout).result.content[0].text);
    expect(answer.pruned_text).toContain('FAIL: test_whitespace');
    expect(answer.stats.pruned_lines).toBeGreaterThan(200);
  });
});

it('[H7] the README starts with two commands, and .ci/run runs its test command', () => {
  expect(shellBlocks[0]).toMatch(/^npm install && npm start\b.*\nnpm install && npm test\b.*\n$/);
  expect(readFileSync(new URL('.ci/run', root), 'utf8')).toMatch(/^npm test$/m);
});

it('[H7] every command in the README exists', () => {
  const all: Executable[] = [...Object.values(programs), reverseSpec];
  const named = [...readme.matchAll(/(?:^|`|-- |\| )(secateur|reverse-spec) (mcp \w+|[\w-]+)/gm)];
  expect(named.length).toBeGreaterThan(5);
  for (const [, executable = '', name = ''] of named) {
    const program = all.find((each) => each.name === executable);
    const names = Object.keys(program?.commands ?? {});
    if (!name.startsWith('--')) expect(names).toContain(name);
  }
});

it('[H7] the links of the root pages lead to existing files', () => {
  for (const page of ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']) {
    const text = readFileSync(new URL(page, root), 'utf8');
    for (const [, path = ''] of text.matchAll(/\]\(([^)#:]+)\)/g)) {
      expect(existsSync(fileURLToPath(new URL(path, root))), `${page}: ${path}`).toBe(true);
    }
  }
});

it('[A12] the README has a section on removing secateur, with and without the package', () => {
  const section = readme.split(/^## /m).find((each) => each.includes('remove it')) ?? '';
  expect(section).toContain('secateur connect claude-code --undo');
  expect(section).toContain('npm rm -g secateur');
  expect(section).toContain('sh ~/.config/secateur/connect/undo.sh');
});
