import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isSecretVariable } from '@secateur/base/redaction/secret-variables.ts';
import type { Lifeline } from '@secateur/base/runtime/lifeline.ts';
import type { PipeSupply } from './output-pipes.ts';
import { type ChildEnd, type ChildRequest, runChild } from './programs/child.ts';
import { HeadAndTail } from './programs/head-and-tail.ts';

/** Its directory is a real one, checked by the caller. */
export interface CommandRequest
  extends Pick<ChildRequest, 'cwd' | 'env' | 'timeoutMs' | 'signal' | 'clock' | 'slots'> {
  command: string;
  /** The server's own environment; what looks like a secret is taken out of it. */
  ownEnv: Readonly<Record<string, string | undefined>>;
  /** For stdout and stderr together. */
  maxOutputBytes: number;
  lifeline: Lifeline;
  pipes: PipeSupply;
}

export interface CommandOutcome {
  end: ChildEnd;
  stdout: string;
  stderr: string;
  truncated: boolean;
}

/** Runs a shell command and returns what it printed, in whatever way it ended. Memory stays bounded. */
export async function runCommand(request: CommandRequest): Promise<CommandOutcome> {
  const stdout = new HeadAndTail(request.maxOutputBytes);
  const stderr = new HeadAndTail(request.maxOutputBytes);
  const end = await runChild({
    ...request,
    ...shell(request),
    env: commandEnvironment(request.ownEnv, request.env),
    onStdout: (chunk) => stdout.push(chunk),
    onStderr: (chunk) => stderr.push(chunk),
  });
  request.pipes.prepare();
  const share = shareBytes(request.maxOutputBytes, stdout.bytes, stderr.bytes);
  const out = stdout.text(share.stdout);
  const err = stderr.text(share.stderr);
  return { end, stdout: out.text, stderr: err.text, truncated: out.truncated || err.truncated };
}

/** Waits for the line that says it is tied to the lifeline; an end of input means that its caller is gone. */
const AFTER_A_LINE = 'read -r _ && exec "$0" -lc "$1" </dev/null';

function shell({ command, ownEnv }: CommandRequest): Pick<ChildRequest, 'file' | 'args' | 'awaitsLine'> {
  if (process.platform === 'win32') return { file: 'cmd.exe', args: ['/d', '/s', '/c', command] };
  const bash = findBash(ownEnv.PATH ?? '');
  if (bash === undefined) return { file: 'bash', args: ['-lc', command] };
  return { file: '/bin/sh', args: ['-c', AFTER_A_LINE, bash, command], awaitsLine: true };
}

/** On the server's own PATH: the one a call sets is for its command, and may lead nowhere. */
function findBash(path: string): string | undefined {
  const places = path.split(':').filter((folder) => isAbsolute(folder));
  return places.map((folder) => join(folder, 'bash')).find((file) => existsSync(file));
}

/** Each stream may use what the other leaves, and neither less than half when both want more. */
function shareBytes(maxBytes: number, stdout: number, stderr: number): { stdout: number; stderr: number } {
  const half = Math.floor(maxBytes / 2);
  const forStderr = Math.min(stderr, Math.max(half, maxBytes - stdout));
  return { stdout: maxBytes - forStderr, stderr: forStderr };
}

/**
 * The environment a command gets: the server's own without what looks like a secret, and over it what the
 * call named, secrets included.
 */
function commandEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  named: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && !isSecretVariable(name, value)) environment[name] = value;
  }
  return { ...environment, ...named };
}
