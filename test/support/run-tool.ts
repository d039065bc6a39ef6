import { execFile } from 'node:child_process';

export interface ToolRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end; a failure is a code, not an exception. */
export function runTool(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ToolRun> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 1 << 26, timeout: 50_000 };
    const child = execFile(program, [...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code: Number.isNaN(code) ? -1 : code, stdout, stderr });
    });
    child.stdin?.end();
  });
}
