import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { attempt } from './domain-error.ts';
import type { ProcessWatchdog } from './process-watchdog.ts';
import { withTimeoutOr } from './time.ts';

export interface GroupOptions {
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly cwd: string | undefined;
  /** Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdio: StdioOptions;
  /** Watchdog that ends the group if this process dies first. */
  readonly watchdog?: ProcessWatchdog | undefined;
}

/** Exit of the leader, or the reason why it did not start. */
export type GroupEnd =
  | { readonly kind: 'exited'; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly kind: 'not_started'; readonly errno: string; readonly cause: unknown };

const GONE_MS = 500;
const MAX_PAUSE_MS = 20;

/**
 * A program that leads its own process group, so that processes that it starts (jobs of a shell, the program behind
 * `npx`) end with it. The caller must end the group with `stop` or `kill`, even after the leader exited by itself.
 */
export class ProcessGroup {
  /** Resolves when the leader has exited or could not be started; never rejects. */
  readonly ended: Promise<GroupEnd>;
  /** Resolves when all processes of the group have closed its standard streams. */
  readonly closed: Promise<void>;
  readonly #child: ChildProcess | undefined;
  readonly #watchdog: ProcessWatchdog | undefined;
  #end: GroupEnd | undefined;

  constructor(options: GroupOptions) {
    this.#watchdog = options.watchdog;
    this.#watchdog?.prepare();
    const child = started(options);
    if ('kind' in child) {
      this.#end = child;
      this.ended = Promise.resolve(child);
      this.closed = Promise.resolve();
      return;
    }
    this.#child = child;
    if (child.pid !== undefined) this.#watchdog?.watch(child.pid);
    this.closed = new Promise((resolve) => child.once('close', () => resolve()));
    this.ended = new Promise((resolve) => {
      const settle = (end: GroupEnd) => {
        this.#end ??= end;
        resolve(this.#end);
      };
      child.on('error', (cause) => settle(notStarted(cause)));
      child.once('exit', (code, signal) => settle({ kind: 'exited', code, signal }));
    });
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Exit of the leader; `undefined` while it runs. */
  get end(): GroupEnd | undefined {
    return this.#end;
  }

  get stdin(): Writable | null {
    return this.#child?.stdin ?? null;
  }

  get stdout(): Readable | null {
    return this.#child?.stdout ?? null;
  }

  get stderr(): Readable | null {
    return this.#child?.stderr ?? null;
  }

  /** Lets this process exit while the group still runs. */
  unref(): void {
    this.#child?.unref();
  }

  endsWithin(ms: number): Promise<boolean> {
    const ended = this.ended.then(() => true);
    return withTimeoutOr(ended, ms, false);
  }

  /** Ends the whole group: SIGTERM, then SIGKILL after `graceMs`. Returns `false` if SIGKILL was needed. */
  async stop(graceMs: number): Promise<boolean> {
    const complied =
      !this.#signal('SIGTERM') ||
      ((await this.endsWithin(graceMs)) && (await this.#isGone(Math.min(graceMs, GONE_MS))));
    if (complied) this.#unwatch();
    else await this.kill();
    return complied;
  }

  /** Sends SIGKILL to all remaining processes of the group. */
  async kill(): Promise<void> {
    if (this.#signal('SIGKILL')) {
      await this.ended;
      await this.#isGone(GONE_MS);
    }
    this.#unwatch();
  }

  #unwatch(): void {
    if (this.pid !== undefined) this.#watchdog?.unwatch(this.pid);
  }

  /** Sends a signal. Returns `false` if the group no longer exists. */
  #signal(name: NodeJS.Signals | 0): boolean {
    const { pid } = this;
    if (pid === undefined) return false;
    // A negative PID is a process group; Windows has no groups.
    return attempt(() => process.kill(process.platform === 'win32' ? pid : -pid, name)) ?? false;
  }

  async #isGone(withinMs: number): Promise<boolean> {
    let pauseMs = 1;
    for (let waited = 0; waited < withinMs; waited += pauseMs) {
      if (!(await this.#runs())) return true;
      await setTimeout(pauseMs);
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }
    return !(await this.#runs());
  }

  /** Whether a process of the group runs. Zombies do not count: in some containers they are never removed. */
  async #runs(): Promise<boolean> {
    if (!this.#signal(0)) return false;
    const processes = await readdir('/proc').catch(() => undefined);
    if (processes === undefined) return true;
    const states = await Promise.all(processes.filter((name) => /^\d+$/.test(name)).map(readState));
    return states.some((state) => state?.group === this.pid && !'ZX'.includes(state?.state ?? ''));
  }
}

function started({ command, cwd, env, stdio }: GroupOptions): ChildProcess | GroupEnd {
  const [program = '', ...args] = command;
  try {
    const own = env === undefined ? {} : { env: { ...env } };
    return spawn(program, args, { cwd, ...own, stdio, detached: true, windowsHide: true });
  } catch (cause) {
    return notStarted(cause);
  }
}

function notStarted(cause: unknown): GroupEnd {
  const { code } = cause as NodeJS.ErrnoException;
  return { kind: 'not_started', errno: code ?? 'unknown', cause };
}

async function readState(pid: string): Promise<{ state: string; group: number } | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  // Format: pid (name, which may contain anything) state parent group …
  const found = stat === undefined ? null : /\) (\S) \d+ (\d+) [^)]*$/.exec(stat);
  return found === null ? undefined : { state: found[1] ?? '', group: Number(found[2]) };
}
