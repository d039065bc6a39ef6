export interface Program {
  file: string;
  args: readonly string[];
}

/**
 * A watcher in the program's own group that reads from descriptor 3 until its other end closes, which happens only
 * when this process dies without having ended the group: then the group must not outlive it.
 */
const WATCH = '(read -r _ <&3; kill -KILL 0) </dev/null >/dev/null 2>&1 & exec 3<&-; exec "$@"';

/** The same program, tied to this process by a pipe at descriptor 3. */
export function withLifeline({ file, args }: Program): Program {
  return { file: 'sh', args: ['-c', WATCH, 'sh', file, ...args] };
}
