import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { programs } from '../../../packages/secateur/src/cli/programs.ts';
import { runProgram } from '../../../packages/serving/src/commands/main.ts';
import { writtenTo } from '../../support/written-to.ts';

/** Files below a root, with their bytes and modes. */
type Snapshot = Record<string, string>;

const OTHER_HOOKS = `{
  "model": "opus",   "permissions": {"allow": ["Bash(ls)"]},
  "hooks": { "PostToolUse": [ {"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}]} ], "Stop": [] }
}
`;

/** Files in which each client lists its hooks and its servers, in its home folder. */
const FILES = {
  'claude-code': {
    hooks: '.claude/settings.json',
    servers: '.claude.json',
    script: '.claude/secateur/hook.sh',
  },
  codex: { hooks: '.codex/hooks.json', servers: '.codex/config.toml', script: '.codex/secateur/hook.sh' },
  'copilot-cli': {
    hooks: '.copilot/hooks/secateur.json',
    servers: '.copilot/mcp-config.json',
    script: '.copilot/secateur/hook.sh',
  },
  opencode: {
    hooks: '.config/opencode/plugins/secateur.js',
    servers: '.config/opencode/opencode.json',
    script: '.config/opencode/secateur/hook.sh',
  },
} as const;

type Client = keyof typeof FILES;
const CLIENTS = Object.keys(FILES) as Client[];

const SERVERS: Readonly<Record<Client, { plain: string; commented: string }>> = {
  'claude-code': {
    plain: '{"numStartups":12345678901234567890,"mcpServers":{"x":{"command":"y"}}}',
    commented: '{ // mine\n "mcpServers": { /* none, "yet": { */ } }',
  },
  codex: {
    plain: 'model = "m"\n[mcp_servers.x]\ncommand = "y"',
    commented: '# mine\nmodel = "m" # kept\n\n[mcp_servers.x] # theirs\ncommand = "y"',
  },
  'copilot-cli': {
    plain: '{"mcpServers":{"x":{"type":"local","command":"y","args":[],"tools":["*"]}}}',
    commented: '{\n  // mine\n  "mcpServers": {}\n}\n',
  },
  opencode: {
    plain: '{"model":"a/b","mcp":{"x":{"type":"local","command":["y"]}}}',
    commented: '{\n  // "mcp": {}\n  "model": "https://not-a-comment/b" /* last */\n}',
  },
};

const COMMENTED_HOOKS = `// my settings
${OTHER_HOOKS.replace('"Stop": []', '/* nothing, "yet": { */ "Stop": []')}`;

/** Files that a home folder may hold before `connect`, for each client. */
const STATES: Readonly<Record<string, (client: Client) => Readonly<Record<string, string>>>> = {
  'no file': () => ({}),
  'empty files': (client) => ({ [FILES[client].hooks]: '', [FILES[client].servers]: '' }),
  'other hooks and servers': (client) => ({
    [FILES[client].hooks]: OTHER_HOOKS,
    [FILES[client].servers]: SERVERS[client].plain,
  }),
  comments: (client) => ({
    [FILES[client].hooks]: COMMENTED_HOOKS,
    [FILES[client].servers]: SERVERS[client].commented,
  }),
  'no newline at the end': (client) => ({ [FILES[client].hooks]: '{"model":"opus"}' }),
};

describe.each(CLIENTS)('connect %s', (client) => {
  it.each(Object.entries(STATES))(
    '[A21] connect --write followed by --undo restores every byte of these settings: %s',
    async (_, files) => {
      const home = place(files(client));
      const before = snapshot(home);
      expect(await secateur(home, 'connect', client, '--write')).toMatchObject({ code: 0 });
      expectHooks(home, client);
      expect(readFileSync(join(home, FILES[client].servers), 'utf8')).toMatch(/"mcp",\s*"recover"/);
      const twice = snapshot(home);
      expect((await secateur(home, 'connect', client, '--write')).said).toContain('Nothing to change.');
      expect(snapshot(home)).toEqual(twice);
      expect(await secateur(home, 'connect', client, '--undo')).toMatchObject({ code: 0 });
      expect(snapshot(home)).toEqual(before);
    },
  );

  it('[A21] connect prints after --write and --undo that the client has to be restarted', async () => {
    const home = place({});
    expect((await secateur(home, 'connect', client, '--write')).said).toMatch(/^Changed\. Restart /m);
    expect((await secateur(home, 'connect', client, '--undo')).said).toMatch(/^Restart /m);
  });

  it('[A21] connect without --write prints what it would change and changes nothing', async () => {
    const home = place({});
    const { said } = await secateur(home, 'connect', client);
    expect(said).toContain(`hook ${client}`);
    expect(said).toContain('Nothing was changed.');
    expect(snapshot(home)).toEqual({});
  });

  it('[A21] connect keeps the mode of read-only files and keeps symbolic links', async () => {
    const home = place({ 'dotfiles/settings': OTHER_HOOKS });
    const path = hooksPath(home, client);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(home, 'dotfiles/settings'), path);
    chmodSync(join(home, 'dotfiles/settings'), 0o444);
    const before = snapshot(home);
    await secateur(home, 'connect', client, '--only', 'hooks', '--write');
    expectHooks(home, client);
    expect(statSync(join(home, 'dotfiles/settings')).mode & 0o777).toBe(0o444);
    await secateur(home, 'connect', client, '--undo');
    expect(snapshot(home)).toEqual(before);
  });

  it('[A21] connect --undo restores the mode of each read-only file', async () => {
    const home = place({ ...STATES['other hooks and servers']?.(client) });
    const { hooks, servers } = FILES[client];
    for (const path of [hooks, servers]) chmodSync(join(home, path), 0o400);
    const before = snapshot(home);
    expect(await secateur(home, 'connect', client, '--write')).toMatchObject({ code: 0 });
    expectHooks(home, client);
    await secateur(home, 'connect', client, '--undo');
    expect(snapshot(home)).toEqual(before);
  });

  it('[A21] connect --only tools does not change hooks, and --only hooks does not change tools', async () => {
    const home = place({});
    await secateur(home, 'connect', client, '--only', 'tools', '--write');
    expect(existsSync(hooksPath(home, client))).toBe(false);
    await secateur(home, 'connect', client, '--undo');
    expect(snapshot(home)).toEqual({});
  });

  it('[A21] connect --undo removes its own script even if the script was changed, and keeps changes of the user in other files', async () => {
    const home = place({ [FILES[client].servers]: SERVERS[client].plain });
    await secateur(home, 'connect', client, '--write');
    const [hooks, servers, script] = Object.values(FILES[client]).map((path) => join(home, path)) as [
      string,
      string,
      string,
    ];
    for (const path of [hooks, servers, script]) writeFileSync(path, `${readFileSync(path, 'utf8')}\n`);
    await secateur(home, 'connect', client, '--undo');
    expect(existsSync(hooks) ? readFileSync(hooks, 'utf8') : '').not.toContain('secateur');
    expect(existsSync(dirname(script))).toBe(false);
    expect(readFileSync(servers, 'utf8')).not.toContain('secateur');
    expect(readFileSync(servers, 'utf8')).toContain('"y"');
  });
});

describe('connect on systems other than Linux', () => {
  it('[A12] connect writes the program path into hooks on Windows, because Windows may have no shell for a script', async () => {
    const home = place({});
    await secateur({ home, platform: 'win32' }, 'connect', 'claude-code', '--only', 'hooks', '--write');
    const { hooks, env } = JSON.parse(readFileSync(hooksPath(home, 'claude-code'), 'utf8'));
    expect(hooks.PostToolUse[0].hooks[0].command).toBe('secateur hook claude-code');
    expect(env).toBeUndefined();
    expect(existsSync(join(home, '.claude/secateur'))).toBe(false);
  });

  it('[A11] connect installs no shell prefix on systems other than Linux', async () => {
    const home = place({});
    await secateur({ home, platform: 'darwin' }, 'connect', 'claude-code', '--only', 'hooks', '--write');
    expectHooks(home, 'claude-code');
    expect(readFileSync(hooksPath(home, 'claude-code'), 'utf8')).not.toContain('SHELL_PREFIX');
    expect(readdirSync(join(home, '.claude/secateur'))).not.toContain('shell-prefix.sh');
  });
});

describe('connect claude-code with a shell prefix of another program', () => {
  const before = '{"env": {"CLAUDE_CODE_SHELL_PREFIX": "/opt/audit"}, "model": "opus"}\n';
  const ours = (home: string) => join(home, '.claude/secateur/shell-prefix.sh');
  const prefixOf = (home: string) =>
    JSON.parse(readFileSync(hooksPath(home, 'claude-code'), 'utf8')).env.CLAUDE_CODE_SHELL_PREFIX;

  it.each([
    ['y', ours],
    ['n', () => '/opt/audit'],
  ])(
    '[A11] connect asks in a terminal before it replaces a foreign shell prefix; %s decides, and --undo restores the prefix',
    async (answer, expected) => {
      const home = place({ [FILES['claude-code'].hooks]: before });
      const { said } = await secateur(
        { home, answer },
        'connect',
        'claude-code',
        '--only',
        'hooks',
        '--write',
      );
      expect(said).toContain('Replace it');
      expect(prefixOf(home)).toBe(expected(home));
      await secateur(home, 'connect', 'claude-code', '--undo');
      expect(readFileSync(hooksPath(home, 'claude-code'), 'utf8')).toBe(before);
    },
  );

  it('[A11] connect --undo restores the foreign shell prefix in settings that the user changed after connect', async () => {
    const home = place({ [FILES['claude-code'].hooks]: before });
    await secateur({ home, answer: 'yes' }, 'connect', 'claude-code', '--only', 'hooks', '--write');
    const path = hooksPath(home, 'claude-code');
    writeFileSync(path, readFileSync(path, 'utf8').replace('opus', 'haiku'));
    await secateur(home, 'connect', 'claude-code', '--undo');
    expect(prefixOf(home)).toBe('/opt/audit');
  });
});

/** Clients that list our hooks among those of others. */
describe.each<Client>(['claude-code', 'codex'])('connect %s with a shared hooks file', (client) => {
  it('[A21] connect --undo removes only its own entries from a hooks file that the user changed after connect', async () => {
    const home = place({ ...STATES['other hooks and servers']?.(client) });
    await secateur(home, 'connect', client, '--only', 'hooks', '--write');
    const path = hooksPath(home, client);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"opus"', '"haiku"'));
    await secateur(home, 'connect', client, '--undo');
    const left = JSON.parse(readFileSync(path, 'utf8'));
    expect(left).toEqual({
      ...JSON.parse(OTHER_HOOKS),
      model: 'haiku',
    });
    expect(JSON.stringify(left)).not.toContain('secateur');
  });

  it('[A21] connect refuses a hooks file that it cannot parse and changes nothing', async () => {
    const home = place({ [FILES[client].hooks]: '{ "model": "opus"; }' });
    const before = snapshot(home);
    expect(await secateur(home, 'connect', client, '--write')).toMatchObject({ code: 1 });
    expect(snapshot(home)).toEqual(before);
  });
});

function place(files: Readonly<Record<string, string>>): string {
  const home = mkdtempSync(join(tmpdir(), 'secateur-connect-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text, { mode: 0o640 });
  }
  return home;
}

function snapshot(home: string): Snapshot {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    names.map((name) => {
      const found = statSync(join(home, name));
      const text = found.isFile() ? readFileSync(join(home, name), 'utf8') : 'a folder';
      return [name, `${found.mode.toString(8)} ${text}`];
    }),
  );
}

function hooksPath(home: string, client: Client): string {
  return join(home, FILES[client].hooks);
}

/** The file names our script three times, or once in a plugin. Earlier content stays in a shared file. */
/** One plugin, or one hook per event; Claude Code has one for the start of subagents too (A15). */
const HOOKS_OF: Readonly<Record<string, number>> = { opencode: 1, 'claude-code': 4 };

function expectHooks(home: string, client: Client): void {
  const text = readFileSync(hooksPath(home, client), 'utf8');
  const script = join(home, FILES[client].script);
  const commands = text.match(
    new RegExp(`"(?:SECATEUR_HOOK_RECOVER_TOOL=false )?sh '${script}' ${client} \\|\\| echo {}"`, 'g'),
  );
  expect(commands).toHaveLength(HOOKS_OF[client] ?? 3);
  expect(readFileSync(script, 'utf8')).toMatch(/^#!\/bin\/sh\n/);
}

interface Machine {
  readonly home: string;
  readonly platform?: NodeJS.Platform;
  /** Text that the user types. Without a text, the program has no terminal. */
  readonly answer?: string;
}

async function secateur(
  machine: string | Machine,
  ...argv: string[]
): Promise<{ code: number; said: string }> {
  const {
    home,
    platform = 'linux',
    answer,
  }: Machine = typeof machine === 'string' ? { home: machine } : machine;
  const isTTY = answer !== undefined;
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = Object.assign(new PassThrough(), { isTTY });
  const errors = new PassThrough();
  if (isTTY) input.write(`${answer}\n`);
  const code = await runProgram(programs.secateur, {
    // No server listens on this port: the gateway does not run.
    argv: [...argv, '--gateway-port', '1'],
    origin: { env: { HOME: home }, cwd: home, platform, homeDir: home },
    streams: { input, output, errors },
    interrupted: () => new AbortController().signal,
    self: [],
  });
  return { code, said: writtenTo(output) + writtenTo(errors) };
}
