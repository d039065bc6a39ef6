import { type ChildProcess, spawn } from 'node:child_process';

/** Ends process groups when this process dies without having ended them itself (SIGKILL, out of memory). */
export interface ProcessWatchdog {
  /** Starts what watches: called before a group is started, so that watching it is one write and no process start. */
  prepare(): void;
  watch(group: number): void;
  unwatch(group: number): void;
}

/** Watches nothing: for tests, and for Windows, which has neither process groups nor `sh`. */
export const noProcessWatchdog: ProcessWatchdog = { prepare: () => {}, watch: () => {}, unwatch: () => {} };

/**
 * Keeps the list of groups; its input ends when we die. One watcher for all commands, our own child: one
 * beside each command would cost a process per call and, if no init collects orphans, leave a zombie each
 * time.
 */
const WATCHER = `groups=' '
while read -r verb group; do
  case $verb in
    watch) groups="$groups$group " ;;
    unwatch) case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done`;

/** Starts its watcher with the first command; the watcher ends with us. */
export function openProcessWatchdog(): ProcessWatchdog {
  if (process.platform === 'win32') return noProcessWatchdog;
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
    watch: (group) => say(`watch ${group}`),
    unwatch: (group) => say(`unwatch ${group}`),
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
