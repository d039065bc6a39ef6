import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const secateurProgram = fileURLToPath(
  new URL('../../packages/secateur/dist/main/secateur.js', import.meta.url),
);

export interface SecateurProcess {
  /** URL without a trailing slash. */
  readonly url: string;
  readonly pid: number;
  /** Everything it has said so far, on both streams. */
  said(): string;
  /** SIGTERM. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Once it has ended by itself or by `stop`. */
  exitCode(): number | null;
}

/** A busy machine must not look like a slow cut. */
export const PATIENT = { SECATEUR_HOOK_TIMEOUT_MS: '20000' };

export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

const ANNOUNCED = /http:\/\/127\.0\.0\.1:(\d+)|"port":(\d+)/;

/** A built server as its users start it, on a free port, with a home folder of its own. */
export async function startSecateur(
  args: readonly string[],
  { env, cwd }: ProcessOptions = {},
): Promise<SecateurProcess> {
  const home = mkdtempSync(join(tmpdir(), 'secateur-home-'));
  const child = spawn(process.execPath, [secateurProgram, ...args, '--port', '0'], {
    env: { PATH: process.env.PATH, HOME: home, ...PATIENT, ...env },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  const end = async (signal: NodeJS.Signals) => {
    await ended(child, signal);
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const url = `http://127.0.0.1:${await announcedPort(child, () => text)}`;
    return {
      url,
      pid: child.pid ?? 0,
      said: () => text,
      stop: () => end('SIGTERM'),
      kill: () => end('SIGKILL'),
      exitCode: () => child.exitCode,
    };
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
}

function announcedPort(child: ChildProcess, said: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const port = ANNOUNCED.exec(said());
      if (port !== null) resolve(port[1] ?? port[2] ?? '');
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('close', (code) => reject(new Error(`the server ended with ${code}: ${said()}`)));
  });
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill(signal);
    await once(child, 'close');
  }
}
