import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Lifeline } from '../../../../workspace/lifeline.ts';
import { LineReader, type LineSink } from './line-reader.ts';

export interface ChildOptions {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string | undefined;
  readonly maxLineBytes: number;
  /** Ends the group if the gateway is killed before it could. */
  readonly lifeline: Lifeline;
}

export interface ChildEvents extends LineSink {
  /** Once, when the process is gone or could not be started. */
  gone(reason: ChildEnd): void;
}

export interface ChildEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly cause: unknown;
  /** The last words on stderr, for the event log. */
  readonly lastWords: string;
}

const STDERR_KEPT = 500;
const CLOSE_STEPS_MS = 700;

/**
 * One MCP server process. It leads a process group of its own, so that what a wrapper such as npx has started goes
 * with it.
 */
export class Child {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  readonly #lifeline: Lifeline;
  #lastWords = '';
  #gone = false;

  constructor(options: ChildOptions, events: ChildEvents) {
    const [program = '', ...args] = options.command;
    this.#process = spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: 'pipe',
      detached: true,
    });
    const reader = new LineReader(options.maxLineBytes, events);
    this.#process.stdout.on('data', (chunk: Buffer) => reader.push(chunk));
    this.#process.stderr.on('data', (chunk: Buffer) => {
      this.#lastWords = (this.#lastWords + chunk.toString()).slice(-STDERR_KEPT);
    });
    // A child that dies while it is written to is told of by its end.
    this.#process.stdin.on('error', () => {});
    this.#lifeline = options.lifeline;
    this.#ended = new Promise((resolve) => this.#watch(events, resolve));
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get alive(): boolean {
    return !this.#gone;
  }

  send(text: string): void {
    if (!this.#gone) this.#process.stdin.write(`${text}\n`);
  }

  /** Asks by closing stdin, then by SIGTERM, then does not ask. */
  async close(): Promise<void> {
    if (this.#gone) return;
    this.#process.stdin.end();
    if (await this.#endsWithin(CLOSE_STEPS_MS)) return;
    this.#signalGroup('SIGTERM');
    if (await this.#endsWithin(CLOSE_STEPS_MS)) return;
    this.#signalGroup('SIGKILL');
    await this.#ended;
  }

  #watch(events: ChildEvents, resolve: () => void): void {
    const killGroup = () => this.#signalGroup('SIGKILL');
    const { pid } = this.#process;
    process.once('exit', killGroup);
    if (pid !== undefined) this.#lifeline.tie(pid);
    const end = (code: number | null, signal: string | null, cause?: unknown) => {
      if (this.#gone) return;
      this.#gone = true;
      process.off('exit', killGroup);
      // Whatever the leader leaves behind would be an orphan.
      killGroup();
      if (pid !== undefined) this.#lifeline.untie(pid);
      events.gone({ code, signal, cause, lastWords: this.#lastWords });
      resolve();
    };
    this.#process.once('error', (error) => end(null, null, error));
    this.#process.once('close', (code, signal) => end(code, signal));
    // A grandchild may hold the pipes open after the server itself is gone.
    this.#process.once('exit', (code, signal) => setTimeout(end, 200, code, signal).unref());
  }

  async #endsWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, ms, false);
    });
    const inTime = await Promise.race([this.#ended.then(() => true), late]);
    clearTimeout(timer);
    return inTime;
  }

  #signalGroup(signal: NodeJS.Signals): void {
    if (this.#process.pid === undefined) return;
    try {
      process.kill(-this.#process.pid, signal);
    } catch {
      // Nobody is left in the group.
    }
  }
}
