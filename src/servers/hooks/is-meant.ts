import { relative } from 'node:path';
import { matcherOf } from '../../text/glob.ts';
import type { ToolCall } from './client.ts';

/** Whether one of the globs means a file: by its whole path, or by its path from the working directory. */
export function isMeant(path: string, globs: readonly string[], { cwd }: Pick<ToolCall, 'cwd'>): boolean {
  const whole = path.startsWith('/') ? path.slice(1) : path;
  return globs.some((glob) => {
    const matches = matcherOf(glob);
    return matches(whole) || (cwd !== undefined && matches(relative(cwd, path)));
  });
}
