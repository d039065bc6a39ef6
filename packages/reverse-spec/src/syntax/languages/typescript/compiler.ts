import { createRequire } from 'node:module';
import type { ts } from '@ts-morph/common';

export type TypeScript = typeof ts;

/**
 * The compiler, in the package that carries its API and puts no `tsc` beside its user's own. By `require`: `import()` would
 * first search twelve megabytes for the names they export.
 */
export function loadTypeScript(): TypeScript {
  return createRequire(import.meta.url)('@ts-morph/common').ts;
}
