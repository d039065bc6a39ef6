import { type ChildProcess, spawn } from 'node:child_process';

/** Ends process groups when this process dies without having ended them itself (SIGKILL, out of memory). */
export interface Lifeline {
  /** Starts what watches: called before a group is started, so that tying it is one write and no process start. */
  prepare(): void;
  tie(group: number): void;
  untie(group: number): void;
}

/** Ties nothing: for tests, and for Windows, which has neither process groups nor `sh`. */
export const noLifeline: Lifeline = { prepare: () => {}, tie: () => {}, untie: () => {} };

/**
 * Keeps the list of groups; its input ends when we die. One watcher for all commands, our own child: one
 * beside each command would cost a process per call and, if no init collects orphans, leave a zombie each
 * time.
 */
const WATCHER = `groups=' '
while read -r verb group; do
  case $verb in
    tie) groups="$groups$group " ;;
    untie) case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done`;

/** Starts its watcher with the first command; the watcher ends with us. */
export function openLifeline(): Lifeline {
  if (process.platform === 'win32') return noLifeline;
  let watcher: ChildProcess | undefined;
  const running = () => {
    watcher ??= startWatcher(() => {
      watcher = undefined;
    });
    return watcher;
  };
  const say = (words: string) => {
    running().stdin?.write(`${words}\n`);
  };
  return {
    prepare: () => {
      running();
    },
    tie: (group) => say(`tie ${group}`),
    untie: (group) => say(`untie ${group}`),
  };
}

function startWatcher(onGone: () => void): ChildProcess {
  const watcher = spawn('/bin/sh', ['-c', WATCHER], {
    env: {},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.once('error', onGone).once('exit', onGone);
  watcher.stdin.on('error', onGone);
  // It must not keep a finished process alive.
  watcher.unref();
  (watcher.stdin as unknown as { unref?(): void }).unref?.();
  return watcher;
}
