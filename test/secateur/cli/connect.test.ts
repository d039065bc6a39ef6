import { execFileSync } from 'node:child_process';
import {
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
import { parse } from 'smol-toml';
import { expect, it } from 'vitest';
import { CLIENTS } from '../../../packages/secateur/src/cli/connect/clients.ts';
import { programs } from '../../../packages/secateur/src/cli/programs.ts';
import { runProgram } from '../../../packages/serving/src/commands/main.ts';
import { writtenTo } from '../../support/written-to.ts';

interface Place {
  readonly home: string;
  readonly cwd: string;
}

function place(files: Record<string, string> = {}): Place {
  const root = mkdtempSync(join(tmpdir(), 'secateur-connect-'));
  const here = { home: join(root, 'home'), cwd: join(root, 'project') };
  for (const folder of [here.home, here.cwd]) mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text, { mode: 0o600 });
  }
  return here;
}

async function secateur({ home, cwd }: Place, ...argv: string[]): Promise<{ code: number; said: string }> {
  const output = new PassThrough();
  const errors = new PassThrough();
  const code = await runProgram(programs.secateur, {
    argv,
    origin: { env: { HOME: home }, cwd, platform: 'linux', homeDir: home },
    streams: { input: new PassThrough(), output, errors },
    interrupted: () => new AbortController().signal,
    self: [],
  });
  return { code, said: writtenTo(output) + writtenTo(errors) };
}

/** The folder of copies of changed files. */
const copies = ({ home }: Place) => join(home, '.config/secateur/connect');

function copyOf(here: Place, file: string): string {
  const name = readdirSync(copies(here)).find((each) => each.endsWith(`-${file}`));
  return join(copies(here), name ?? 'no copy');
}

const read = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8');

const MCP_JSON = `{
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "server-files", "."], "env": {"LEVEL": "2"}, "timeout": 5 },
    "local": {"type": "http", "url": "http://127.0.0.1:9/mcp"},
    "remote": {"type": "http", "url": "https://mcp.example.com/"},
    "keyed": {"type": "http", "url": "https://mcp.example.com/k", "headers": {"X-Key": "s3cret"}},
    "database": {"command": "server-db", "env": {"DB_PASSWORD": "s3cret"}},
    "focus": {"command": "secateur", "args": ["mcp", "focus"]},
    "vars": {"command": "\${HOME}/bin/server"}
  },
  "other":   [1, 2]
}
`;

it('connect without --write prints what it would change and changes nothing', async () => {
  const here = place({ 'project/.mcp.json': MCP_JSON });
  const { code, said } = await secateur(here, 'connect', 'claude-code', '--only', 'gateway');
  expect(code).toBe(0);
  expect(said).toContain('http://127.0.0.1:8000/api/mcp-gateway/files/rpc');
  expect(said).toContain('[mcp_gateway.servers.files]');
  expect(said).toContain('remote (');
  expect(said).toContain('stays: it may ask you to sign in');
  expect(said).toContain('stays: it uses variables only the client fills in');
  expect(said).toContain('Nothing was changed.');
  expect(said).not.toContain('s3cret');
  expect(read(here.cwd, '.mcp.json')).toBe(MCP_JSON);
});

it('[A21] [X22] connect --write moves servers to the gateway, except servers with secrets and servers of Sécateur, and --undo restores every byte', async () => {
  const own = '[mcp_gateway]\nport = 8100\n';
  const foreign = '[mcp_gateway]\nport = 6666\n';
  const file = '.config/secateur/config.toml';
  const here = place({
    'project/.mcp.json': MCP_JSON,
    'project/config.toml': foreign,
    [`home/${file}`]: own,
  });
  expect(await secateur(here, 'connect', 'claude-code', '--only', 'gateway', '--write')).toMatchObject({
    code: 0,
  });
  const written = JSON.parse(read(here.cwd, '.mcp.json')) as { mcpServers: Record<string, unknown> };
  expect(written.mcpServers).toEqual({
    files: { type: 'http', url: 'http://127.0.0.1:8100/api/mcp-gateway/files/rpc', timeout: 5 },
    local: { type: 'http', url: 'http://127.0.0.1:8100/api/mcp-gateway/local/rpc' },
    remote: { type: 'http', url: 'https://mcp.example.com/' },
    keyed: { type: 'http', url: 'https://mcp.example.com/k', headers: { 'X-Key': 's3cret' } },
    database: { command: 'server-db', env: { DB_PASSWORD: 's3cret' } },
    focus: { command: 'secateur', args: ['mcp', 'focus'] },
    vars: { command: '$' + '{HOME}/bin/server' },
  });
  expect(read(here.cwd, '.mcp.json')).toContain('"other":   [1, 2]');
  const config = parse(read(here.home, file)) as {
    mcp_gateway: { servers: Record<string, unknown> };
  };
  expect(config.mcp_gateway.servers).toEqual({
    files: { command: ['npx', '-y', 'server-files', '.'], env: { LEVEL: '2' }, cwd: here.cwd },
    local: { url: 'http://127.0.0.1:9/mcp' },
  });
  for (const path of ['project/.mcp.json', `home/${file}`])
    expect(statSync(join(here.cwd, '..', path)).mode & 0o777).toBe(0o600);
  expect(statSync(copies(here)).mode & 0o777).toBe(0o700);
  expect(read(here.cwd, 'config.toml')).toBe(foreign);
  expect(await secateur(here, 'connect', 'claude-code', '--only', 'gateway', '--undo')).toMatchObject({
    code: 0,
  });
  expect(read(here.cwd, '.mcp.json')).toBe(MCP_JSON);
  expect(read(here.home, file)).toBe(own);
  expect((await secateur(here, 'connect', 'claude-code', '--only', 'gateway', '--undo')).said).toContain(
    'was not connected here',
  );
});

it.each<[string, (path: string) => void, string]>([
  ['a folder', (path) => mkdirSync(path, { recursive: true }), 'is a folder'],
  ['a pipe', (path) => execFileSync('mkfifo', [path]), 'is a pipe'],
  ['a device', (path) => symlinkSync('/dev/zero', path), 'is a device'],
])(
  '[X17] [X29] connect reports %s in the place of settings or a backup, and changes nothing',
  async (_, make, reason) => {
    const settings = ['home/.claude/settings.json', 'home/.claude.json', 'project/.mcp.json'];
    for (const name of settings) {
      const here = place();
      const path = join(here.home, '..', name);
      mkdirSync(dirname(path), { recursive: true });
      make(path);
      const only = name === 'project/.mcp.json' ? ['--only', 'gateway'] : [];
      const calls = [
        ['connect', 'claude-code', ...only],
        ['connect', 'claude-code', '--write', ...only],
      ];
      for (const argv of calls)
        expect(await secateur(here, ...argv), name).toMatchObject({
          code: 1,
          said: expect.stringContaining(reason),
        });
    }
    const here = place({ 'home/.claude/settings.json': '{}' });
    await secateur(here, 'connect', 'claude-code', '--write');
    writeFileSync(join(here.home, '.claude/settings.json'), '{}');
    const copy = copyOf(here, 'settings.json');
    rmSync(join(copy, 'after'));
    make(join(copy, 'after'));
    for (const flag of ['--write', '--undo'])
      expect(await secateur(here, 'connect', 'claude-code', flag), flag).toMatchObject({
        code: 1,
        said: expect.stringContaining(reason),
      });
    expect(read(here.home, '.claude/settings.json')).toBe('{}');
  },
);

it('[X17] connect reports a damaged backup, and --undo restores no file partially', async () => {
  const here = place({ 'project/.mcp.json': MCP_JSON });
  await secateur(here, 'connect', 'claude-code', '--write', '--only', 'gateway');
  const written = read(here.cwd, '.mcp.json');
  const copy = copyOf(here, 'config.toml');
  writeFileSync(join(copy, 'path'), 'elsewhere');
  for (const remove of [() => undefined, () => rmSync(join(copy, 'after'))]) {
    remove();
    expect(await secateur(here, 'connect', 'claude-code', '--undo', '--only', 'gateway')).toMatchObject({
      code: 1,
      said: expect.stringContaining('is not a copy that secateur made'),
    });
    expect(read(here.cwd, '.mcp.json')).toBe(written);
  }
});

it('a second connect --write changes nothing and keeps the first backup', async () => {
  const here = place({ 'project/.mcp.json': MCP_JSON });
  await secateur(here, 'connect', 'claude-code', '--only', 'gateway', '--write');
  const after = read(here.cwd, '.mcp.json');
  expect((await secateur(here, 'connect', 'claude-code', '--only', 'gateway', '--write')).said).toContain(
    'Nothing to change.',
  );
  expect(read(here.cwd, '.mcp.json')).toBe(after);
  await secateur(here, 'connect', 'claude-code', '--only', 'gateway', '--undo');
  expect(read(here.cwd, '.mcp.json')).toBe(MCP_JSON);
});

it('connect --undo keeps changes that the user made after --write', async () => {
  const here = place({ 'project/.mcp.json': MCP_JSON });
  await secateur(here, 'connect', 'claude-code', '--only', 'gateway', '--write');
  const edited = read(here.cwd, '.mcp.json').replace('[1, 2]', '[1, 2, 3]');
  writeFileSync(join(here.cwd, '.mcp.json'), edited);
  await secateur(here, 'connect', 'claude-code', '--only', 'gateway', '--undo');
  expect(read(here.cwd, '.mcp.json')).toBe(MCP_JSON.replace('[1, 2]', '[1, 2, 3]'));
});

it('connect finds user and project servers of Claude Code in one file', async () => {
  const here = place();
  const servers = (name: string) => ({ [name]: { command: name } });
  const state = {
    mcpServers: servers('everywhere'),
    projects: { [here.cwd]: { mcpServers: servers('here') } },
  };
  const text = JSON.stringify(state);
  writeFileSync(join(here.home, '.claude.json'), text);
  await secateur(here, 'connect', 'claude-code', '--only', 'gateway', '--write');
  const written = read(here.home, '.claude.json');
  expect(written).toContain('/api/mcp-gateway/everywhere/rpc');
  expect(written).toContain('/api/mcp-gateway/here/rpc');
  await secateur(here, 'connect', 'claude-code', '--only', 'gateway', '--undo');
  expect(read(here.home, '.claude.json')).toBe(text);
});

const CODEX = `model = "m" # mine

[mcp_servers.files] # a comment
command = "npx"
args = ["-y", "server-files"]

[mcp_servers.files.env]
LEVEL = "2"

[mcp_servers."with space"]
url = "http://127.0.0.1:9/mcp"

[tui]
theme = "dark"
`;

it('connect rewrites the server sections of Codex and keeps the other settings of the file', async () => {
  const here = place({ 'home/.codex/config.toml': CODEX });
  await secateur(here, 'connect', 'codex', '--only', 'gateway', '--write');
  const written = read(here.home, '.codex/config.toml');
  expect(parse(written)).toEqual({
    model: 'm',
    mcp_servers: {
      files: { url: 'http://127.0.0.1:8000/api/mcp-gateway/files/rpc' },
      'with space': { url: 'http://127.0.0.1:8000/api/mcp-gateway/with%20space/rpc' },
    },
    tui: { theme: 'dark' },
  });
  expect(written).toContain('model = "m" # mine');
  await secateur(here, 'connect', 'codex', '--only', 'gateway', '--undo');
  expect(read(here.home, '.codex/config.toml')).toBe(CODEX);
});

it.each([
  [
    'cline',
    'home/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    'streamableHttp',
  ],
  ['continue', 'project/.continue/mcpServers/mcp.json', 'streamable-http'],
  ['cursor', 'home/.cursor/mcp.json', 'rpc'],
  ['windsurf', 'home/.codeium/windsurf/mcp_config.json', 'serverUrl'],
  ['gemini-cli', 'home/.gemini/settings.json', 'httpUrl'],
])('connect finds the servers of %s and writes addresses in the same format', async (client, path, word) => {
  const here = place({ [path]: '{"mcpServers":{"files":{"command":"server-files"}}}' });
  await secateur(here, 'connect', client, '--write');
  const written = read(join(here.home, '..'), path);
  expect(written).toContain('/api/mcp-gateway/files/rpc');
  expect(written).toContain(word);
});

const ORIGIN = { env: {}, cwd: '/project', platform: 'linux', homeDir: '/home' } as const;
const WITH_SERVERS = CLIENTS.filter(({ name }) => name !== 'generic');

it.each(WITH_SERVERS.map((client) => [client.name, client] as const))(
  '[A21] connect moves servers of %s to the gateway, and --undo restores every byte and mode',
  async (name, client) => {
    const { path, at } = client.files(ORIGIN).at(-1) ?? { path: '' };
    expect(at).toBeUndefined();
    const entry = client.commandEntry?.(['server-files', '.']) ?? { command: 'server-files', args: ['.'] };
    const bare = client.format.add('', { path }, { name: 'files', entry });
    const commented = path.endsWith('.toml') ? `# mine\n${bare}# theirs` : `// mine\n${bare}/* theirs */`;
    for (const [text, mode] of [
      [bare, 0o644],
      [commented, 0o600],
      [commented, 0o400],
    ] as const) {
      const here = place();
      const file = path.replace('/project', here.cwd).replace('/home', here.home);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode });
      const only = [name, '--only', 'gateway'] as const;
      expect(await secateur(here, 'connect', ...only, '--write')).toMatchObject({ code: 0 });
      expect(readFileSync(file, 'utf8')).toContain('/api/mcp-gateway/files/rpc');
      expect(await secateur(here, 'connect', ...only, '--undo')).toMatchObject({ code: 0 });
      expect(readFileSync(file, 'utf8')).toBe(text);
      expect(statSync(file).mode & 0o777).toBe(mode);
      expect(readdirSync(here.cwd)).not.toContain('config.toml');
    }
  },
);

it.each(WITH_SERVERS.map(({ name }) => [name]))(
  '[A21] connect adds no server to a missing or empty file of %s',
  async (name) => {
    const here = place();
    const client = CLIENTS.find((each) => each.name === name);
    const { path } = client?.files(ORIGIN).at(-1) ?? { path: '' };
    expect(await secateur(here, 'connect', name, '--only', 'gateway', '--write')).toMatchObject({ code: 1 });
    expect([readdirSync(here.cwd), readdirSync(here.home)]).toEqual([[], []]);
    const file = path.replace('/project', here.cwd).replace('/home', here.home);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    await secateur(here, 'connect', name, '--only', 'gateway', '--write');
    expect(readFileSync(file, 'utf8')).toBe('');
    expect(readdirSync(dirname(file))).toHaveLength(1);
  },
);

it('connect changes the file given with --file', async () => {
  const here = place({ 'project/my.json': '{"mcpServers":{"files":{"command":"server-files"}}}' });
  await secateur(here, 'connect', 'generic', '--file', 'my.json', '--write');
  expect(read(here.cwd, 'my.json')).toContain('/api/mcp-gateway/files/rpc');
});

it('connect lists the files it searched for servers, and refuses files that it cannot change safely', async () => {
  const here = place({ 'project/.vscode/mcp.json': '{ "servers": {}\n oops }' });
  expect(await secateur(here, 'connect', 'cursor')).toMatchObject({
    code: 1,
    said: expect.stringContaining('.cursor/mcp.json'),
  });
  expect(await secateur(here, 'connect', 'vscode', '--write')).toMatchObject({
    code: 1,
    said: expect.stringContaining('is not JSON: line 2'),
  });
  expect(await secateur(here, 'connect', 'emacs')).toMatchObject({ code: 2 });
});
