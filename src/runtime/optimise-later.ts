import { setFlagsFromString } from 'node:v8';

/** Ten times as much as usual, in the words of the V8 that each line of Node has; an unknown flag would be said on standard error. */
const LATER: Readonly<Record<string, string>> = {
  20: '--interrupt-budget=700000',
  22: '--invocation-count-for-turbofan=30000',
};

/**
 * For a process that ends after one cut: V8 optimises what has run for long, not what has run for a moment. Otherwise it compiles half of the
 * scorer while the one text is being read, and most of that is thrown away unused.
 */
export function optimiseLater(): void {
  const [major = ''] = process.versions.node.split('.');
  const flag = LATER[major];
  if (flag !== undefined) setFlagsFromString(flag);
}
