import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { PATIENT } from './secateur-process.ts';

const script = fileURLToPath(new URL('../../packages/secateur/dist/main/secateur.js', import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
  /** Another Node than the one the tests run on. */
  readonly node?: string;
}

/** Runs the built `secateur` to its end. */
export async function secateur(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const child = spawnSecateur(args, options);
  child.stdin.end(options.input ?? '');
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout: stdout(), stderr: stderr() };
}

/** Starts the built `secateur`; a test that leaves it running fails the next one, so it is killed at the end. */
export function spawnSecateur(
  args: readonly string[],
  options: CliOptions = {},
): ChildProcessWithoutNullStreams {
  const dataDir = options.dataDir ?? temporaryFolder();
  const child = spawn(options.node ?? process.execPath, [script, ...args], {
    cwd: options.cwd ?? dataDir,
    env: { PATH: process.env.PATH, HOME: dataDir, SECATEUR_DATA_DIR: dataDir, ...PATIENT, ...options.env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Resolves with everything printed so far once `pattern` is among it. */
export function printed(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    stream.on('data', (chunk) => {
      text += chunk;
      if (pattern.test(text)) resolve(text);
    });
    stream.once('end', () => reject(new Error(`ended without ${pattern}:\n${text}`)));
  });
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'secateur-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: string[] = [];
  stream.setEncoding('utf8').on('data', (chunk) => chunks.push(String(chunk)));
  return () => chunks.join('');
}
