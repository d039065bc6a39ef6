import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { SourceReading } from '../../../packages/reverse-spec/src/spec/prepare/read-source.ts';
import { readSources } from '../../../packages/reverse-spec/src/spec/prepare/source-reader.ts';
import { project } from '../../support/spec-project.ts';

const workerUrl = new URL(
  '../../../packages/reverse-spec/dist/spec/prepare/source-worker.js',
  import.meta.url,
);
const fixtures = fileURLToPath(new URL('../../fixtures/syntax/', import.meta.url));

async function readAll(folder: string, url: URL | undefined): Promise<Record<string, SourceReading>> {
  const paths = readdirSync(folder).filter((name) => !name.endsWith('.outline'));
  const requests = paths.map((path) => ({ path, absolute: join(folder, path), maxBytes: 1_000_000 }));
  const readings: Record<string, SourceReading> = {};
  await readSources(
    requests,
    { workerUrl: url, maxFileBytes: 1_000_000, signal: undefined },
    (at, reading) => {
      readings[paths[at] ?? ''] = reading;
    },
  );
  return readings;
}

it('[R11] a worker thread reads every language as the main thread does', async () => {
  const there = await readAll(fixtures, workerUrl);
  expect(Object.keys(there).length).toBeGreaterThan(14);
  expect(there).toEqual(await readAll(fixtures, undefined));
});

it('[R11] if a file crashes the parser, a worker thread reads this file by line patterns, and reads the next files with a new parser', async () => {
  const folder = project({
    'a.py': 'def f():\n    return 1\n',
    'b.py': `def g(): pass\n${'/* \n'.repeat(4000)}`,
    'c.py': 'def h():\n    return 1\n',
    'd.go': 'package a\nfunc F() {}\n',
  });
  const readings = await readAll(folder, workerUrl);
  const parsers = Object.entries(readings).map(([path, reading]) => [
    path,
    reading.kind === 'facts' && reading.facts.skeleton.parserUsed,
    reading.kind === 'facts' && reading.facts.skeleton.exports.map(({ name }) => name),
  ]);
  expect(parsers.sort()).toEqual([
    ['a.py', 'tree-sitter', ['f']],
    ['b.py', 'patterns', ['g']],
    ['c.py', 'tree-sitter', ['h']],
    ['d.go', 'tree-sitter', ['F']],
  ]);
}, 30_000);
