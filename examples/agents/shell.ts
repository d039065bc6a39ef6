import { exec } from 'node:child_process';

/** Runs a shell command and returns what it printed. The tool of every example in this folder. */
export function shell(command: string): Promise<string> {
  return new Promise((resolve) => {
    exec(command, { maxBuffer: 1 << 26 }, (_, stdout, stderr) => resolve(stdout + stderr));
  });
}
