import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const secateurProgram = fileURLToPath(new URL('../../dist/main/secateur.js', import.meta.url));

export interface SecateurProcess {
  /** Without a trailing slash. */
  readonly url: string;
  stop(): Promise<void>;
}

const ANNOUNCED = /http:\/\/127\.0\.0\.1:(\d+)|"port":(\d+)/;

/** A built server as its users start it, on a free port, with a home folder of its own. */
export async function startSecateur(args: readonly string[]): Promise<SecateurProcess> {
  const home = mkdtempSync(join(tmpdir(), 'secateur-home-'));
  const child = spawn(process.execPath, [secateurProgram, ...args, '--port', '0'], {
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    await ended(child);
    rmSync(home, { recursive: true, force: true });
  };
  try {
    return { url: `http://127.0.0.1:${await announcedPort(child)}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function announcedPort(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk;
      const port = ANNOUNCED.exec(text);
      if (port !== null) resolve(port[1] ?? port[2] ?? '');
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('close', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('close', () => resolve());
    child.kill('SIGTERM');
  });
}
