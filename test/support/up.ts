import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { printed } from './secateur-cli.ts';
import { secateurProgram } from './secateur-process.ts';

export interface StartedUp {
  readonly dataDir: string;
  /** Addresses without a trailing slash. */
  readonly pruner: string;
  readonly focus: string;
  readonly gateway: string;
  /** A tool of the pruner; the text of its answer. */
  call(tool: string, args: object): Promise<string>;
  /** Another command over the same data; what it prints. */
  run(...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

/** `secateur up` as its users start it, on free ports, with a data directory of its own. */
export async function startUp(
  env: Readonly<Record<string, string>> = {},
  { config }: { readonly config?: string } = {},
): Promise<StartedUp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'secateur-up-'));
  if (config !== undefined) writeFileSync(join(dataDir, 'config.toml'), config);
  const whole = { PATH: process.env.PATH, HOME: dataDir, SECATEUR_DATA_DIR: dataDir, ...env };
  const ports = ['--pruner-port', '0', '--focus-port', '0', '--gateway-port', '0'];
  const options = { env: whole, cwd: dataDir };
  const child = spawn(process.execPath, [secateurProgram, 'up', ...ports], options);
  child.stderr.resume();
  const text = await printed(child.stdout, /secateur status/);
  const at = (name: string) => new URL(new RegExp(`${name} +(http://\\S+)`).exec(text)?.[1] ?? '').origin;
  const run = promisify(execFile);
  return {
    dataDir,
    pruner: at('pruner'),
    focus: at('focus'),
    gateway: at('gateway'),
    call: (tool, args) => callTool(`${at('pruner')}/rpc`, tool, args),
    run: async (...args) => (await run(process.execPath, [secateurProgram, ...args], options)).stdout,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function callTool(url: string, name: string, args: object): Promise<string> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { result, error } = (await answer.json()) as {
    result?: { content: { text: string }[] };
    error?: unknown;
  };
  if (result === undefined) throw new Error(JSON.stringify(error));
  return result.content[0]?.text ?? '';
}
