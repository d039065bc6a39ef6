import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface ServerCommand {
  file: string;
  args: readonly string[];
}

export interface ServerExit {
  exit_code?: number;
  signal?: string;
}

export interface SpawnOptions {
  command: ServerCommand;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  onLine: (line: string) => void;
}

/** The server and its process group. Its standard input is a lifeline: when this process dies, the server sees it close and ends. */
export class ServerProcess {
  readonly #child: ChildProcess;
  /** Resolves when the process is gone, never rejects. */
  readonly exited: Promise<ServerExit>;

  /** Resolves to the running process, or to the reason why there is none. */
  static async spawn(options: SpawnOptions): Promise<ServerProcess | Error> {
    const { command, cwd, env } = options;
    try {
      const child = spawn(command.file, command.args, {
        cwd,
        env: { ...env },
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
      });
      await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
      return new ServerProcess(child, options.onLine);
    } catch (error) {
      return error instanceof Error ? error : new Error('spawn failed');
    }
  }

  private constructor(child: ChildProcess, onLine: (line: string) => void) {
    this.#child = child;
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        resolve({ ...(code === null ? {} : { exit_code: code }), ...(signal === null ? {} : { signal }) });
      });
    });
    child.stdin?.on('error', () => {});
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on('line', onLine);
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** SIGTERM, then SIGKILL to the whole group; false when it had to come to that. */
  async stop(timeoutMs: number): Promise<boolean> {
    if (!this.running) {
      this.#signalGroup('SIGKILL');
      return true;
    }
    this.#child.kill('SIGTERM');
    const inTime = await this.#exitsWithin(timeoutMs);
    this.#signalGroup('SIGKILL');
    await this.exited;
    return inTime;
  }

  async kill(): Promise<void> {
    this.#signalGroup('SIGKILL');
    if (this.running) await this.exited;
  }

  async #exitsWithin(timeoutMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, false);
    });
    const gone = this.exited.then(() => true as const);
    return Promise.race([gone, late]).finally(() => clearTimeout(timer));
  }

  #signalGroup(signal: NodeJS.Signals): void {
    if (this.#child.pid === undefined) return;
    try {
      // A negative pid means the group; Windows has none, and kills the one process.
      process.kill(process.platform === 'win32' ? this.#child.pid : -this.#child.pid, signal);
    } catch {
      // Already gone, which is what was wanted.
    }
  }
}
