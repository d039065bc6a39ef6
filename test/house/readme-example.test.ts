import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { withBeforeAfter } from '../../scripts/docs/before-after.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('[P29] the README example is the result of the default settings (npm run docs updates it)', () => {
  const readme = readFileSync(`${root}/README.md`, 'utf8');
  expect(withBeforeAfter(root, readme)).toBe(readme);
});
