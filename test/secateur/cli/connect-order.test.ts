import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import jsonc from 'jsonc-parser';
import { parse } from 'smol-toml';
import { afterAll, describe, expect, it } from 'vitest';
import { programs } from '../../../packages/secateur/src/cli/programs.ts';
import { runProgram } from '../../../packages/serving/src/commands/main.ts';
import { writtenTo } from '../../support/written-to.ts';

const CODEX = `model = "m"

[mcp_servers.files] # mine
command = "codex-files" # starts it
# what it serves
args = ["."]

[mcp_servers.files.env]
LEVEL = "2"

# about the screen
[tui]
theme = "dark"
`;

const VSCODE = `{
  // servers of this project
  "servers": {
    "files": { "command": "vscode-files", "args": ["."], /* slow */ "timeout": 5, },
    "notes": { "command": "notes" }, // last
  },
}
`;

/** Files of several clients, all with a server of the same name. */
const FILES: Readonly<Record<string, string>> = {
  'project/.vscode/mcp.json': VSCODE,
  'project/.mcp.json': '{"mcpServers":{"files":{"command":"claude-files"}}}',
  'home/.codex/config.toml': CODEX,
  'home/.claude.json': '{ "numStartups": 12345678901234567890, "mcpServers": {} }\n',
  'home/.claude/settings.json':
    '{\n  // mine\n  "permissions": { "allow": ["Bash(ls)",], "deny": ["Read(.env)"] },\n  "hooks": { "Stop": [] },\n}\n',
  'home/.copilot/mcp-config.json':
    '{"mcpServers":{"files":{"type":"local","command":"copilot-files","args":[]}}}',
  'home/.config/opencode/opencode.json':
    '{\n  "permission": { "*": "ask", "bash": { "*": "ask", /* safe */ "ls": "allow" } },\n  "mcp": { "files": { "type": "local", "command": ["opencode-files"] } }\n}\n',
  'home/.cursor/mcp.json': '{"mcpServers":{"files":{"command":"codex-files","args":["."]}}}',
  'home/.config/secateur/config.toml': '# my settings\n[mcp_gateway]\nport = 8100 # not the usual one',
};

const CLIENTS = ['vscode', 'claude-code', 'codex', 'copilot-cli', 'opencode', 'cursor'];
const WITH_HOOKS = ['claude-code', 'codex', 'copilot-cli', 'opencode'];

interface Place {
  readonly home: string;
  readonly cwd: string;
}

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

function place(files: Readonly<Record<string, string>> = FILES): Place {
  const root = mkdtempSync(join(tmpdir(), 'secateur-connect-'));
  roots.push(root);
  const here = { home: join(root, 'home'), cwd: join(root, 'project') };
  for (const folder of [here.home, here.cwd]) mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    chmodSync(join(root, path), 0o640);
  }
  return here;
}

async function secateur({ home, cwd }: Place, ...argv: string[]): Promise<{ code: number; said: string }> {
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const code = await runProgram(programs.secateur, {
    argv,
    origin: { env: { HOME: home }, cwd, platform: 'linux', homeDir: home },
    streams: { input: new PassThrough(), output, errors },
    interrupted: () => new AbortController().signal,
    self: [],
  });
  return { code, said: writtenTo(output) + writtenTo(errors) };
}

/** Every file below the home folder and the project, with its mode. */
function snapshot({ home }: Place): Record<string, string> {
  const root = dirname(home);
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(
    names.map((name) => {
      const found = statSync(join(root, name));
      const text = found.isFile() ? readFileSync(join(root, name), 'utf8') : 'a folder';
      return [name, `${found.mode.toString(8)} ${text}`];
    }),
  );
}

function parsed(path: string): unknown {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('.toml')) return parse(text);
  const errors: jsonc.ParseError[] = [];
  const value: unknown = jsonc.parse(text, errors, { allowTrailingComma: true });
  expect(errors, `${path}\n${text}`).toEqual([]);
  return value;
}

/** Checks that every file parses, and that each server behind the gateway has the table of its own client. */
function expectReadable({ home }: Place): void {
  const root = dirname(home);
  const tables = (
    parsed(join(home, '.config/secateur/config.toml')) as {
      mcp_gateway: { servers?: Record<string, { command: string[] }> };
    }
  ).mcp_gateway.servers;
  for (const path of Object.keys(FILES)) {
    const text = JSON.stringify(parsed(join(root, path)));
    const own = /[a-z]+-files/.exec(FILES[path] ?? '')?.[0];
    for (const [, name = ''] of text.matchAll(/api\/mcp-gateway\/(files[^/]*)\/rpc/g))
      expect(tables?.[name]?.command[0], `${path} ${name}`).toBe(own);
  }
}

const step = fc.record({
  client: fc.constantFrom(...CLIENTS),
  flag: fc.constantFrom('--write', '--write', '--undo'),
  only: fc.constantFrom('gateway', 'hooks', 'tools', 'permissions'),
});

describe('connect and --undo in any order', () => {
  it('[A25] after any sequence of connect and --undo all files are valid; after --undo of all clients every byte is restored', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 9 }),
        fc.shuffledSubarray(CLIENTS, { minLength: CLIENTS.length }),
        async (steps, order) => {
          const here = place();
          const before = snapshot(here);
          for (const { client, flag, only } of steps) {
            const part = WITH_HOOKS.includes(client) ? only : 'gateway';
            const { code, said } = await secateur(here, 'connect', client, flag, '--only', part);
            expect(flag === '--undo' || code === 0, said).toBe(true);
            expectReadable(here);
          }
          for (const client of order) await secateur(here, 'connect', client, '--undo');
          expect(snapshot(here)).toEqual(before);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('[A25] connect gives a second server with an existing name another table, and prints its new name', async () => {
    const here = place();
    await secateur(here, 'connect', 'codex', '--only', 'gateway', '--write');
    const { code, said } = await secateur(here, 'connect', 'vscode', '--write');
    expect({ code, said }).toMatchObject({
      code: 0,
      said: expect.stringContaining('files is called files-2 there'),
    });
    expect(parsed(join(here.home, '.config/secateur/config.toml'))).toMatchObject({
      mcp_gateway: {
        servers: { files: { command: ['codex-files', '.'] }, 'files-2': { command: ['vscode-files', '.'] } },
      },
    });
  });

  it('[A25] connect --undo of one client keeps the tables of another client in their shared settings', async () => {
    const here = place();
    await secateur(here, 'connect', 'codex', '--only', 'gateway', '--write');
    await secateur(here, 'connect', 'vscode', '--write');
    await secateur(here, 'connect', 'codex', '--undo');
    expectReadable(here);
    expect(readFileSync(join(here.cwd, '.vscode/mcp.json'), 'utf8')).toContain(
      '/api/mcp-gateway/files-2/rpc',
    );
  });

  it('[A25] connect moves a server that was added to a connected file, and keeps servers that it moved before', async () => {
    const here = place();
    await secateur(here, 'connect', 'vscode', '--write');
    const path = join(here.cwd, '.vscode/mcp.json');
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace('"notes"', '"more": { "command": "more" }, "notes"'),
    );
    await secateur(here, 'connect', 'vscode', '--write');
    const config = parsed(join(here.home, '.config/secateur/config.toml'));
    expect(config).toMatchObject({ mcp_gateway: { servers: { files: {}, notes: {}, more: {} } } });
    await secateur(here, 'connect', 'vscode', '--undo');
    const left = parsed(path) as { servers: unknown };
    expect(left.servers).toMatchObject({
      files: { command: 'vscode-files', timeout: 5 },
      notes: { command: 'notes' },
    });
  });
});

describe('connect and comments', () => {
  it('[A25] connect keeps comments in a TOML file next to and after a moved server', async () => {
    const here = place();
    await secateur(here, 'connect', 'codex', '--only', 'gateway', '--write');
    const written = readFileSync(join(here.home, '.codex/config.toml'), 'utf8');
    for (const comment of ['# mine', '# starts it', '# what it serves', '# about the screen'])
      expect(written).toContain(comment);
    expect(parse(written)).toMatchObject({ mcp_servers: { files: { url: expect.any(String) } } });
    expect(written).not.toContain('LEVEL');
  });

  it('[A25] connect keeps comments in a JSON file with trailing commas', async () => {
    const here = place();
    expect(await secateur(here, 'connect', 'vscode', '--write')).toMatchObject({ code: 0 });
    const written = readFileSync(join(here.cwd, '.vscode/mcp.json'), 'utf8');
    for (const comment of ['// servers of this project', '/* slow */ "timeout": 5', '// last'])
      expect(written).toContain(comment);
  });

  it('[A25] connect --undo keeps a change that the user made between two runs of connect', async () => {
    const here = place();
    const path = join(here.home, '.claude/settings.json');
    await secateur(here, 'connect', 'claude-code', '--only', 'hooks', '--write');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"Bash(ls)"', '"Bash(ls)", "Bash(cat)"'));
    await secateur(here, 'connect', 'claude-code', '--only', 'permissions', '--write');
    await secateur(here, 'connect', 'claude-code', '--undo');
    expect(readFileSync(path, 'utf8')).toContain('// mine');
    expect(parsed(path)).toEqual({
      permissions: { allow: ['Bash(ls)', 'Bash(cat)'], deny: ['Read(.env)'] },
      hooks: { Stop: [] },
    });
  });

  it('[A25] connect writes nothing if a file would be invalid after the change', async () => {
    const inline = 'mcp_gateway = { port = 8100 }\n';
    const here = place({ ...FILES, 'home/.config/secateur/config.toml': inline });
    const before = snapshot(here);
    expect(await secateur(here, 'connect', 'vscode', '--write')).toMatchObject({
      code: 1,
      said: expect.stringContaining('could not be read any more'),
    });
    expect(snapshot(here)).toEqual(before);
  });
});

describe('undo.sh, without the package', () => {
  it('[A12] undo.sh restores every file from its backup and deletes the backups', async () => {
    const here = place();
    const before = snapshot(here);
    for (const client of WITH_HOOKS) await secateur(here, 'connect', client, '--write');
    await secateur(here, 'connect', 'vscode', '--write');
    const copies = join(here.home, '.config/secateur/connect');
    expect(readFileSync(join(copies, 'README.txt'), 'utf8')).toContain('sh undo.sh');
    execFileSync('sh', [join(copies, 'undo.sh')], { cwd: here.cwd });
    expect(snapshot(here)).toEqual(before);
  });

  it('[A12] undo.sh reports a file that was changed after connect, does not change it and keeps its backup', async () => {
    const here = place();
    await secateur(here, 'connect', 'claude-code', '--write');
    const path = join(here.home, '.claude/settings.json');
    const changed = readFileSync(path, 'utf8').replace('Bash(ls)', 'Bash(cat)');
    writeFileSync(path, changed);
    const copies = join(here.home, '.config/secateur/connect');
    const said = execFileSync('sh', [join(copies, 'undo.sh')], { encoding: 'utf8' });
    expect(said).toContain(`not touched, it was changed since: ${path}`);
    expect(readFileSync(path, 'utf8')).toBe(changed);
    expect(await secateur(here, 'connect', 'claude-code', '--undo')).toMatchObject({ code: 0 });
    expect(existsSync(copies)).toBe(false);
  });
});
