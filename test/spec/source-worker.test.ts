import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { RecordBatch } from '../../src/spec/prepare/record.ts';
import { createSourceReader } from '../../src/spec/prepare/source-reader.ts';

/** As it is built: one file, wherever its modules stood before. */
const workerUrl = new URL('../../dist/spec/prepare/source-worker.js', import.meta.url);
const fixtures = fileURLToPath(new URL('../fixtures/syntax', import.meta.url));

async function readAll(url: URL | undefined): Promise<[path: string, record: string][]> {
  const paths = readdirSync(fixtures).filter((name) => !name.endsWith('.outline'));
  const reader = createSourceReader({
    workerUrl: url,
    fileCount: 100,
    maxFileBytes: 1_000_000,
    signal: undefined,
  });
  const records: [string, string][] = [];
  const requests = paths.map((path) => ({ path, absolute: fixtures + path, maxBytes: 1_000_000 }));
  await reader.read(requests, (start, batch) => {
    for (const [at, record] of recordsIn(batch).entries()) records.push([paths[start + at] ?? '', record]);
  });
  await reader.close();
  return records.sort();
}

function recordsIn({ text, lengths, briefs }: RecordBatch): string[] {
  const bytes = Buffer.from(text);
  let from = 0;
  return lengths.map((each, at) => {
    const start = from;
    from += each.reduce((sum, length) => sum + length, 0);
    return `${JSON.stringify(briefs[at])}${bytes.toString('utf8', start, from)}`;
  });
}

it('[R11] a thread reads every language as this one does', async () => {
  const there = await readAll(workerUrl);
  expect(there.length).toBeGreaterThan(14);
  expect(there).toEqual(await readAll(undefined));
});

it('a thread finds every file its modules stood beside', () => {
  const code = readFileSync(workerUrl, 'utf8');
  const places = [
    ...code.matchAll(/new URL\((?:"([^"]+)", )?new URL\("([^"]+)", import\.meta\.url\)\.href\)/g),
  ];
  expect(places.map(([, file]) => file)).toContain('./bodies.wasm');
  for (const [, file = '.', module = ''] of places)
    expect(existsSync(new URL(file, new URL(module, workerUrl))), `${file} beside ${module}`).toBe(true);
});
