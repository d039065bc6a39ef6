import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { settings } from '../../packages/serving/src/config/settings.ts';

const page = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8');

it('[X20] SECURITY.md has sections on reporting, trusted parties, promises and exclusions', () => {
  for (const heading of ['Reporting', 'Who is trusted', 'What is promised', 'What is not promised'])
    expect(page).toContain(`## ${heading}`);
});

it('[X20] every setting and source folder in SECURITY.md exists', () => {
  const known = new Set(
    Object.values(settings).flatMap((section) =>
      Object.values(section).map((row) => (row as { env?: string }).env),
    ),
  );
  const named = [...page.matchAll(/SECATEUR_[A-Z_]+/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
