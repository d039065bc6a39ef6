import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { programs } from '../../../packages/secateur/src/cli/programs.ts';
import { runProgram } from '../../../packages/serving/src/commands/main.ts';
import { writtenTo } from '../../support/written-to.ts';

const SERVERS = {
  'claude-code': '.claude.json',
  codex: '.codex/config.toml',
  'copilot-cli': '.copilot/mcp-config.json',
  opencode: '.config/opencode/opencode.json',
} as const;

const CLIENTS = Object.entries(SERVERS);

describe.each(CLIENTS)('connect %s', (client, servers) => {
  it('[A13] connect adds a server that offers only recover_text by default', async () => {
    const home = place();
    const { said } = await connect(home, client, '--write');
    expect(said).toContain('recover_text, which gives removed lines back');
    expect(said).not.toContain('bash');
    expect(readFileSync(join(home, servers), 'utf8')).toMatch(/"mcp",\s*"recover"/);
  });

  it('[A13] connect --with-tools adds read, bash and grep, and warns that deny rules do not apply to these tools', async () => {
    const home = place();
    const { said } = await connect(home, client, '--with-tools', '--write');
    expect(said).toMatch(/Deny rules of .* do not reach read, bash and grep/);
    expect(readFileSync(join(home, servers), 'utf8')).toMatch(/"mcp",\s*"focus"/);
    await connect(home, client, '--write');
    expect(readFileSync(join(home, servers), 'utf8')).toMatch(/"mcp",\s*"recover"/);
  });

  it('[A14] connect --only hooks writes hooks that report a missing recover_text until this tool is added', async () => {
    const home = place();
    const hooks = await connect(home, client, '--only', 'hooks', '--write');
    expect(hooks.code).toBe(0);
    const noTool = 'SECATEUR_HOOK_RECOVER_TOOL=false';
    const all = () => HOOKS.map((path) => textOf(join(home, path))).join('');
    expect(all()).toContain(noTool);
    await connect(home, client, '--write');
    expect(all()).not.toContain(noTool);
  });
});

const HOOKS = [
  '.claude/settings.json',
  '.codex/hooks.json',
  '.copilot/hooks/secateur.json',
  '.config/opencode/plugins/secateur.js',
];

describe('connect --with-tools and deny rules', () => {
  it.each([
    [
      'opencode',
      '.config/opencode/opencode.json',
      '{ "permission": { "bash": { "rm *": "deny" } } }',
      'permission.bash.rm *',
    ],
    [
      'opencode',
      '.config/opencode/opencode.jsonc',
      '{ "tools": { "bash": false } /* never */ }',
      'tools.bash',
    ],
    [
      'opencode',
      'opencode.json',
      '{ "agent": { "plan": { "permission": { "edit": "deny" } } } }',
      'agent.plan.permission.edit',
    ],
    ['copilot-cli', '.copilot/settings.json', '{ "deniedUrls": ["github.com"] }', 'deniedUrls'],
    [
      'copilot-cli',
      '.github/copilot/settings.json',
      '{ "permissions": { "deny": ["shell(rm)"] } }',
      'permissions.deny',
    ],
  ])(
    '[A13] connect --with-tools adds no shell tools for %s with a deny rule in %s',
    async (...[client, file, text, rule]) => {
      const home = place({ [file]: text });
      expect(await connect(home, client, '--with-tools', '--write')).toMatchObject({
        code: 1,
        said: expect.stringContaining(`has a deny rule (${rule} in ${join(home, file)})`),
      });
      expect(await connect(home, client, '--write')).toMatchObject({ code: 0 });
    },
  );
});

describe('connect and rules that allow recovery', () => {
  it('[A14] connect adds rules for recovery to the permissions of Claude Code once, and shows them before it writes', async () => {
    const home = place({ '.claude/settings.json': '{"permissions":{"allow":["Bash(secateur recover:*)"]}}' });
    expect((await connect(home, 'claude-code')).said).toContain('    mcp__secateur__recover_text');
    await connect(home, 'claude-code', '--only', 'permissions', '--write');
    expect(JSON.parse(textOf(join(home, '.claude/settings.json')))).toEqual({
      permissions: { allow: ['Bash(secateur recover:*)', 'mcp__secateur__recover_text'] },
    });
  });

  it('[A14] connect writes rules for recovery to a separate rule file of Codex', async () => {
    const home = place();
    await connect(home, 'codex', '--write');
    const rules = textOf(join(home, '.codex/rules/secateur.rules'));
    expect(rules).toContain('prefix_rule(pattern=["secateur","recover"], decision="allow")');
  });

  it.each<[string, unknown, unknown]>([
    ['nothing is set', undefined, undefined],
    ['everything is allowed', 'allow', 'allow'],
    [
      'everything is asked about',
      'ask',
      {
        '*': 'ask',
        bash: { '*': 'ask', 'secateur recover *': 'allow' },
        secateur_recover_text: 'allow',
      },
    ],
    ['the shell is asked about', { bash: 'ask' }, { bash: { '*': 'ask', 'secateur recover *': 'allow' } }],
    ['the shell is denied', { bash: 'deny' }, { bash: 'deny' }],
  ])('[A14] connect adds rules to opencode only if it would ask: %s', async (_, permission, expected) => {
    const path = '.config/opencode/opencode.json';
    const home = place({ [path]: JSON.stringify({ permission }) });
    await connect(home, 'opencode', '--write');
    expect(JSON.parse(textOf(join(home, path))).permission).toEqual(expected);
  });
});

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function place(files: Readonly<Record<string, string>> = {}): string {
  const home = mkdtempSync(join(tmpdir(), 'secateur-connect-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return home;
}

async function connect(home: string, ...argv: string[]): Promise<{ code: number; said: string }> {
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const code = await runProgram(programs.secateur, {
    argv: ['connect', ...argv, '--gateway-port', '1'],
    origin: { env: { HOME: home }, cwd: home, platform: 'linux', homeDir: home },
    streams: { input: new PassThrough(), output, errors },
    interrupted: () => new AbortController().signal,
    self: [],
  });
  return { code, said: writtenTo(output) + writtenTo(errors) };
}
