import { readFileSync } from 'node:fs';

/** Returns the version of the package that contains this module: of the published one, if this is bundled. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return version;
}
