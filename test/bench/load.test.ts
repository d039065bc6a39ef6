import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

async function rowsOf(script: string, ...args: string[]): Promise<Record<string, string>[]> {
  const path = fileURLToPath(new URL(`../../bench/${script}`, import.meta.url));
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', path, ...args], { timeout: 100_000 });
  const [head = [], , ...rows] = (await run).stdout
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [head[at] ?? '', cell])));
}

const SERVERS = ['pruner', 'focus', 'gateway'];

it('[X18] [X7] every server responds to calls and health checks under load', {
  timeout: 120_000,
}, async () => {
  const rows = await rowsOf('load.ts', '0.5', '4');
  expect(rows.map(({ server }) => server)).toEqual(SERVERS);
  for (const row of rows) expect(row).toMatchObject({ clients: '4', failed: '0', refused: '0' });
  for (const row of rows) expect(Number(row['health p99 ms'])).toBeGreaterThan(0);
});

it('[X18] [X4] no server uses more and more memory under steady load', { timeout: 120_000 }, async () => {
  const rows = await rowsOf('soak.ts', '0.05');
  expect(rows.map(({ server }) => server)).toEqual(SERVERS);
  for (const row of rows) expect(row).toMatchObject({ failed: '0' });
});
