import { readFileSync } from 'node:fs';

/** The version in package.json, which lies two folders above this file in the sources and in the package alike. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return version;
}
