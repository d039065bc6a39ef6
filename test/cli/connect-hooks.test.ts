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
import { programs } from '../../src/cli/programs.ts';
import { runProgram } from '../../src/cli/run.ts';

/** Files below a root, with their bytes and modes. */
type Snapshot = Record<string, string>;

const OTHER_HOOKS = `{
  "model": "opus",   "permissions": {"allow": ["Bash(ls)"]},
  "hooks": { "PostToolUse": [ {"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}]} ], "Stop": [] }
}
`;

const STATES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no file': {},
  'empty files': {
    '.claude/settings.json': '',
    '.claude.json': '',
    '.codex/config.toml': '',
    '.codex/hooks.json': '',
  },
  'other hooks and servers': {
    '.claude/settings.json': OTHER_HOOKS,
    '.claude.json': '{"numStartups":12345678901234567890,"mcpServers":{"x":{"command":"y"}}}',
    '.codex/config.toml': '# mine\nmodel = "m" # kept\n\n[mcp_servers.x]\ncommand = "y"',
    '.codex/hooks.json': OTHER_HOOKS,
  },
  'no newline at the end': {
    '.claude/settings.json': '{"model":"opus"}',
    '.codex/config.toml': 'model = "m"',
  },
};

describe.each(['claude-code', 'codex'])('connect %s', (client) => {
  it.each(Object.entries(STATES))(
    '[A21] from %s: --write and --undo leave every byte as it was',
    async (_, files) => {
      const home = place(files);
      const before = snapshot(home);
      expect(await secateur(home, 'connect', client, '--write')).toMatchObject({ code: 0 });
      expect(hookCommands(home, client)).toHaveLength(3);
      expect(Object.values(snapshot(home)).join('\n')).toContain('mcp');
      const twice = snapshot(home);
      expect((await secateur(home, 'connect', client, '--write')).said).toContain('Nothing to change.');
      expect(snapshot(home)).toEqual(twice);
      expect(await secateur(home, 'connect', client, '--undo')).toMatchObject({ code: 0 });
      expect(snapshot(home)).toEqual(before);
    },
  );

  it('[A21] only shows what it would do without --write', async () => {
    const home = place({});
    const { said } = await secateur(home, 'connect', client);
    expect(said).toContain(`hook ${client}`);
    expect(said).toContain('Nothing was changed.');
    expect(snapshot(home)).toEqual({});
  });

  it('[A21] keeps the mode of read-only files and the links dotfiles are', async () => {
    const home = place({ 'dotfiles/settings': OTHER_HOOKS });
    const path = hooksPath(home, client);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(home, 'dotfiles/settings'), path);
    chmodSync(join(home, 'dotfiles/settings'), 0o444);
    const before = snapshot(home);
    await secateur(home, 'connect', client, '--only', 'hooks', '--write');
    expect(hookCommands(home, client)).toHaveLength(3);
    expect(statSync(join(home, 'dotfiles/settings')).mode & 0o777).toBe(0o444);
    await secateur(home, 'connect', client, '--undo');
    expect(snapshot(home)).toEqual(before);
  });

  it('[A21] takes only its own part out of a file that has changed since', async () => {
    const home = place({ ...STATES['other hooks and servers'] });
    await secateur(home, 'connect', client, '--only', 'hooks', '--write');
    const path = hooksPath(home, client);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"opus"', '"haiku"'));
    await secateur(home, 'connect', client, '--undo');
    const left = JSON.parse(readFileSync(path, 'utf8'));
    expect(left).toEqual({
      ...JSON.parse(OTHER_HOOKS),
      model: 'haiku',
      hooks: { PostToolUse: [expect.anything()] },
    });
    expect(JSON.stringify(left)).not.toContain('secateur');
  });

  it('[A21] --only tools leaves the hooks alone, --only hooks the tools', async () => {
    const home = place({});
    await secateur(home, 'connect', client, '--only', 'tools', '--write');
    expect(existsSync(hooksPath(home, client))).toBe(false);
    await secateur(home, 'connect', client, '--undo');
    expect(snapshot(home)).toEqual({});
  });

  it('[A21] refuses a file it cannot read safely and changes nothing', async () => {
    const home = place({ '.claude/settings.json': '{ // mine\n}', '.codex/hooks.json': '{ // mine\n}' });
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

function hooksPath(home: string, client: string): string {
  return join(home, client === 'codex' ? '.codex/hooks.json' : '.claude/settings.json');
}

function hookCommands(home: string, client: string): string[] {
  const { hooks } = JSON.parse(readFileSync(hooksPath(home, client), 'utf8')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  const commands = Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));
  return commands.map(({ command }) => command).filter((command) => command === `secateur hook ${client}`);
}

async function secateur(home: string, ...argv: string[]): Promise<{ code: number; said: string }> {
  const output = new PassThrough();
  const errors = new PassThrough();
  const code = await runProgram(programs.secateur, {
    // A port nobody listens on: the gateway does not run.
    argv: [...argv, '--gateway-port', '1'],
    origin: { env: { HOME: home }, cwd: home, platform: 'linux', homeDir: home },
    streams: { input: new PassThrough(), output, errors },
    interrupted: () => new AbortController().signal,
    self: [],
  });
  return { code, said: `${output.read() ?? ''}${errors.read() ?? ''}` };
}
