import { exec } from 'node:child_process';
import { promisify } from 'node:util';

export interface PrintingOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

/** Returns what a command line of the user's configuration prints; rejects if it fails or takes too long. */
export async function printedBy(commandLine: string, { env, timeoutMs }: PrintingOptions): Promise<string> {
  const { stdout } = await promisify(exec)(commandLine, { env: { ...env }, timeout: timeoutMs });
  return stdout.trimEnd();
}
