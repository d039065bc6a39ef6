import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { WritingParts } from '../../packages/reverse-spec/src/spec/generate.ts';
import { handClock } from './hand-clock.ts';

/** A folder with the given files, gone when the test is done. */
export function project(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'spec-project-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  write(folder, files);
  return folder;
}

export function write(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Returns the dependencies of the domain, none of which leaves the machine. */
export function parts(cwd: string, more: Partial<WritingParts> = {}): WritingParts {
  return {
    clock: handClock(),
    cwd,
    version: 'test',
    maxFileBytes: 1_048_576,
    tokenBudget: 100_000,
    modelWriter: undefined,
    defaultLanguage: 'zh',
    embedBaseline: false,
    ...more,
  };
}
