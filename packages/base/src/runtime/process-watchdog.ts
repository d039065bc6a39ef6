import { type ChildProcess, spawn } from 'node:child_process';

/** Ends process groups if this process dies before it has ended them, for example by SIGKILL or lack of memory. */
export interface ProcessWatchdog {
  /** Starts the watcher process. Call it before a group starts; `watch` then only writes a line to the watcher. */
  prepare(): void;
  watch(group: number): void;
  unwatch(group: number): void;
}

/** Watchdog without effect, for tests and for Windows, which has neither process groups nor `sh`. */
export const noProcessWatchdog: ProcessWatchdog = { prepare: () => {}, watch: () => {}, unwatch: () => {} };

/**
 * Script of the watcher, a child process. It keeps a list of groups and kills them when its input ends, which
 * happens when this process dies. One watcher serves all commands. One per command would cost a process per
 * call and, if no init collects orphans, leave zombies.
 */
const WATCHER = `groups=' '
while read -r verb group; do
  case $verb in
    watch) groups="$groups$group " ;;
    unwatch) case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done`;

/** Creates a watchdog. Its watcher starts with the first command and ends when this process ends. */
export function openProcessWatchdog(): ProcessWatchdog {
  if (process.platform === 'win32') return noProcessWatchdog;
  let watcher: ChildProcess | undefined;
  const running = () => {
    watcher ??= startWatcher(() => {
      watcher = undefined;
    });
    return watcher;
  };
  const say = (words: string) => void running().stdin?.write(`${words}\n`);
  return {
    prepare: () => void running(),
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
  // The watcher must not keep this process alive.
  watcher.unref();
  (watcher.stdin as unknown as { unref?(): void }).unref?.();
  return watcher;
}
