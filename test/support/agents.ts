import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';
import type { Script, ScriptedModel } from './scripted-model.ts';
import { systemPart } from './system-parts.ts';

const OUTSIDE = fileURLToPath(new URL('../outside/node_modules/', import.meta.url));
const CLAUDE_CODE = systemPart('claude code') ?? '';

export interface AgentRun {
  /** A folder of the agent's own: home, configuration and working directory. */
  home: string;
  model: ScriptedModel;
  prompt: string;
}

export interface AgentOutcome {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface ClaudeRun extends AgentRun {
  mcpServers: Record<string, unknown>;
}

/** The real Claude Code against a scripted model; every MCP tool is allowed. */
export async function runClaudeCode({ home, model, prompt, mcpServers }: ClaudeRun): Promise<AgentOutcome> {
  const configPath = join(home, 'mcp.json');
  await writeFile(configPath, JSON.stringify({ mcpServers }));
  const allowed = Object.keys(mcpServers).map((name) => `mcp__${name}`);
  const args = [
    '-p',
    prompt,
    '--mcp-config',
    configPath,
    '--strict-mcp-config',
    '--allowedTools',
    ...allowed,
  ];
  return run({
    file: CLAUDE_CODE,
    args: [...args, '--output-format', 'stream-json', '--verbose'],
    cwd: home,
    env: claudeEnvironment(home, model),
  });
}

export interface UserRun extends AgentRun {
  /** Working directory of the agent; its settings are those of `home`. */
  cwd: string;
  env?: Record<string, string>;
}

const CLAUDE_TOOLS = [
  'Bash',
  'Read',
  'Grep',
  'Edit',
  'Write',
  'mcp__secateur',
  'mcp__plugin_secateur_secateur',
] as const;

/** The real Claude Code as its user has set it up: settings, hooks and servers of its home folder. */
export function runClaudeCodeAsUser(
  { home, model, prompt, cwd, env }: UserRun,
  { file = CLAUDE_CODE, flags = [] as string[], allowed = CLAUDE_TOOLS as readonly string[] } = {},
): Promise<AgentOutcome> {
  const rules = allowed.length === 0 ? [] : ['--allowedTools', ...allowed];
  return run({
    file,
    args: ['-p', prompt, ...flags, ...rules, '--output-format', 'stream-json', '--verbose'],
    cwd,
    env: { ...claudeEnvironment(home, model), ...env },
  });
}

/** One command of Claude Code's own, such as `plugin validate`. */
export function claudeCommand(home: string, args: string[]): Promise<AgentOutcome> {
  const env = { PATH: process.env.PATH ?? '', HOME: home, DISABLE_AUTOUPDATER: '1', IS_SANDBOX: '1' };
  return run({ file: CLAUDE_CODE, args, cwd: home, env });
}

/** Returns the variables that keep Claude Code and the Agent SDK on loopback. */
export function claudeEnvironment(home: string, model: ScriptedModel): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'sk-fake',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // Otherwise MCP tools are deferred and a scripted model never sees them.
    ENABLE_TOOL_SEARCH: 'false',
    IS_SANDBOX: '1',
  };
}

/**
 * Makes a scripted model wait until the transcript of Claude Code has every result that was sent to it. The client writes
 * them up to 100 ms later: a real model answers after that, and hooks read what was shown before from the transcript.
 */
export function afterTranscript(home: string, script: Script): Script {
  return async (turn) => {
    const results = turn.told.match(/"tool_use_id":"\w+"/g) ?? [];
    await eventually(async () => {
      const written = results.length === 0 ? '' : transcriptsIn(home);
      return results.every((result) => written.includes(result)) || undefined;
    }, 'the transcript of Claude Code');
    return script(turn);
  };
}

/** Returns the text of all transcripts of Claude Code whose path contains `part`. */
export function transcriptsIn(home: string, part = ''): string {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
  return files
    .filter((path) => path.endsWith('.jsonl') && path.includes(part))
    .map((path) => readFileSync(join(home, path), 'utf8'))
    .join('');
}

export interface CodexRun extends AgentRun {
  /** `--config` arguments that name the MCP servers. */
  configArguments: string[];
}

/** The real Codex against a scripted model. */
export async function runCodex({ home, model, prompt, configArguments }: CodexRun): Promise<AgentOutcome> {
  const codexHome = join(home, '.codex');
  await mkdir(codexHome, { recursive: true });
  await writeFile(join(codexHome, 'config.toml'), codexProvider(model));
  const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '--json'];
  return run({
    file: join(OUTSIDE, '.bin/codex'),
    args: ['exec', ...flags, ...configArguments, prompt],
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, CODEX_HOME: codexHome, FAKE_KEY: 'sk-fake' },
  });
}

/** Returns the part of config.toml that Codex needs to talk to a scripted model. */
export function codexProvider(model: ScriptedModel): string {
  const provider = `name = "fake"\nbase_url = "${model.url}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\n`;
  // Codex begins its first turn after a second, without the tools of servers that are still starting: on a busy machine ours would be among them.
  const patience = 'mcp_optional_startup_grace_ms = 0';
  return `model = "scripted"\nmodel_provider = "fake"\n${patience}\n[model_providers.fake]\n${provider}`;
}

/** The real Codex as its user has set it up; hooks run without the review a person would make. */
export function runCodexAsUser(
  { home, prompt, cwd, env }: UserRun,
  {
    approvals = ['--dangerously-bypass-approvals-and-sandbox'],
    hookTrust = ['--dangerously-bypass-hook-trust'],
  } = {},
): Promise<AgentOutcome> {
  const flags = ['--skip-git-repo-check', ...approvals];
  return run({
    file: join(OUTSIDE, '.bin/codex'),
    args: ['exec', ...flags, ...hookTrust, '--json', prompt],
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      CODEX_HOME: join(home, '.codex'),
      FAKE_KEY: 'sk-fake',
      ...env,
    },
  });
}

interface CodexHook {
  readonly key: string;
  readonly currentHash: string;
  readonly trustStatus: string;
}

/** Returns what the real Codex itself says of the hooks in its home folder. */
export async function codexHooks(home: string): Promise<readonly CodexHook[]> {
  const child = spawn(join(OUTSIDE, '.bin/codex'), ['app-server'], {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, CODEX_HOME: join(home, '.codex') },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  send({ id: 1, method: 'initialize', params: { clientInfo: { name: 'test', version: '1' } } });
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const { id, result } = JSON.parse(line) as { id?: number; result?: { data: { hooks: CodexHook[] }[] } };
      if (id === 1) send({ method: 'initialized' });
      if (id === 1) send({ id: 2, method: 'hooks/list', params: { cwds: [home] } });
      if (id === 2) return result?.data[0]?.hooks ?? [];
    }
    return [];
  } finally {
    child.kill();
  }
}

/** The real GitHub Copilot CLI as its user has set it up, with a model of one's own instead of GitHub's. */
export function runCopilotAsUser(
  { home, model, prompt, cwd, env }: UserRun,
  { allowed = ['--allow-all-tools', '--allow-all-paths'] } = {},
): Promise<AgentOutcome> {
  return run({
    file: systemPart('copilot cli') ?? '',
    args: ['-p', prompt, ...allowed, '--no-auto-update'],
    cwd,
    env: {
      HOME: home,
      COPILOT_PROVIDER_BASE_URL: model.url,
      COPILOT_PROVIDER_TYPE: 'anthropic',
      COPILOT_PROVIDER_API_KEY: 'fake',
      COPILOT_MODEL: 'claude-sonnet-4',
      COPILOT_OFFLINE: 'true',
      ...env,
    },
  });
}

/** Returns the part of opencode.json that opencode needs to talk to a scripted model. */
export function opencodeProvider(model: ScriptedModel): string {
  const options = { baseURL: `${model.url}/v1`, apiKey: 'fake' };
  const scripted = { npm: '@ai-sdk/anthropic', name: 'scripted', options, models: { m: { name: 'm' } } };
  const settings = { model: 'scripted/m', small_model: 'scripted/m', autoupdate: false, share: 'disabled' };
  return `// mine\n${JSON.stringify({ provider: { scripted }, ...settings }, null, 2)}\n`;
}

/** The real opencode as its user has set it up. */
export function runOpencodeAsUser({ home, prompt, cwd, env }: UserRun): Promise<AgentOutcome> {
  return run({
    file: systemPart('opencode') ?? '',
    args: ['run', prompt],
    cwd,
    env: { HOME: home, OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', ...env },
  });
}

interface Command {
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

async function run({ file, args, cwd, env }: Command): Promise<AgentOutcome> {
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  const [exitCode] = await once(child, 'close');
  return { exitCode, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}
