import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reverseSpecProgram } from '../support/reverse-spec-process.ts';
import { temporaryFolder } from '../support/secateur-cli.ts';
import { secateurProgram } from '../support/secateur-process.ts';

const EXECUTABLES = ['secateur', 'jeeves-mcp-pruner', 'reverse-spec'];

describe.each(EXECUTABLES)('%s on Node 18', (name) => {
  it('[A12] the executable prints one sentence with the required and the current Node version', () => {
    const { status, stdout, stderr } = runOld(name, ['--help']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(
      `${name} needs Node 20.19 or newer, but ${process.execPath} is Node 18.20.4; install a newer Node, or start ${name} with another one.\n`,
    );
  });
});

describe('the executables', () => {
  it('[A12] secateur hook on Node 18 prints "no change"', () => {
    expect(runOld('secateur', ['hook', 'claude-code'])).toMatchObject({
      status: 0,
      stdout: '{}',
      stderr: '',
    });
  });

  it('[A12] the executables load only code that an old Node can parse before they have checked its version', () => {
    const loaded = new Set(EXECUTABLES.map(executable));
    for (const file of loaded) {
      const text = readFileSync(file, 'utf8');
      expect(text, file).not.toMatch(/\bawait\b|\?\?|\?\.(?!\d)|#\w+ *[=(;]/);
      for (const [, path = ''] of text.matchAll(/(?:^|[;}\n])import(?:[\w{},* ]+from)? *"([^"]+)"/g))
        loaded.add(join(dirname(file), path));
    }
    const chunks = [...loaded].filter((file) => file.includes('chunks'));
    expect(chunks.filter((file) => !file.includes('reverse-spec')).length).toBeLessThanOrEqual(2);
    expect(chunks.filter((file) => file.includes('reverse-spec')).length).toBeLessThanOrEqual(2);
  });
});

function executable(name: string): string {
  return name === 'reverse-spec' ? reverseSpecProgram : join(dirname(secateurProgram), `${name}.js`);
}

/** Runs an executable in a Node that says it is version 18. */
function runOld(name: string, args: readonly string[]) {
  const disguise = join(temporaryFolder(), 'disguise.cjs');
  writeFileSync(disguise, `Object.defineProperty(process.versions, 'node', { value: '18.20.4' });`);
  return spawnSync(process.execPath, ['--require', disguise, executable(name), ...args], {
    encoding: 'utf8',
    input: '{}',
  });
}
