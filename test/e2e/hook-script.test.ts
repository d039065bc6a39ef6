import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { hookScript, installedProgram } from '../../packages/secateur/src/cli/connect/scripts.ts';
import { eventually } from '../support/eventually.ts';
import { bashEvent, TEST_RUN } from '../support/hook-events.ts';
import { printed, temporaryFolder } from '../support/secateur-cli.ts';
import { secateurProgram } from '../support/secateur-process.ts';
import { onSmallDisk } from '../support/small-disk.ts';
import { describeWith } from '../support/system-parts.ts';

const SHELLS = ['dash', 'bash', 'zsh'] as const;
const SELF = [process.execPath, secateurProgram];
/** Path of a removed program, so that only a server can answer. */
const REMOVED = ['/nowhere/node', '/nowhere/secateur.js'];
const CUT = /prn_[0-9A-Z]+/;
/** Programs of the system; neither Node nor secateur is among them. */
const SYSTEM_PATH = '/usr/bin:/bin';
const HELLO = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

interface Setup {
  readonly home: string;
  readonly event: string;
}

/** Creates a home folder with long time limits for busy machines. */
function setUp(details: object = {}): Setup {
  const home = temporaryFolder();
  mkdirSync(join(home, '.config/secateur'), { recursive: true });
  writeFileSync(join(home, '.config/secateur/config.toml'), '[hook]\ntimeout_ms = 20000\n');
  return { home, event: JSON.stringify(bashEvent(TEST_RUN, { cwd: home, ...details })) };
}

interface Run extends Setup {
  readonly self: readonly string[];
  readonly shell?: string;
  readonly path?: string;
  readonly env?: Readonly<Record<string, string>>;
}

function runScript({ home, event, self, shell = 'sh', path = patientPath(home), env }: Run) {
  return startScript([shell, writeScript(home, self)], event, { PATH: path, HOME: home, ...env });
}

/** Returns a PATH whose curl waits longer than the three seconds of the script, for busy machines. */
function patientPath(home: string): string {
  const folder = join(home, 'patient');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'curl'), '#!/bin/sh\nexec /usr/bin/curl "$@" -m 60\n', { mode: 0o755 });
  return `${folder}:${SYSTEM_PATH}`;
}

function writeScript(home: string, self: readonly string[]): string {
  const script = join(home, 'hook.sh');
  writeFileSync(script, hookScript(installedProgram(self)));
  return script;
}

async function startScript(
  [shell, script]: readonly [string, string],
  event: string,
  env: Record<string, string>,
) {
  const child = spawn(shell, [script, 'claude-code'], { env });
  child.stdin.on('error', () => {}).end(event);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

/** Settings that a server cannot know. */
const OWN_VARIABLES = [
  'SECATEUR',
  'SECATEUR_HOOK_MARKERS',
  'MCP_PRUNER_STRUCTURE',
  'JEEVES_PRUNER_X',
  'KIMI_PRUNING_BACKEND',
];

const NO_CHANGE = { code: 0, stdout: '{}', stderr: '' };

/** Starts the server of a session and waits for its socket. */
async function startServer({ home }: Setup, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [secateurProgram, 'mcp', 'focus'], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.write(`${HELLO}\n`);
  await printed(child.stdout, /\n/);
  return { child, socket: join(home, '.local/share/secateur/sockets', `hook-${child.pid}.sock`) };
}

/** Starts a fake server at the socket path of a Sécateur server. */
async function fakeServer(home: string, listener: RequestListener): Promise<string> {
  const socket = join(home, '.local/share/secateur/sockets', `hook-${process.pid}.sock`);
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  const server = createServer(listener);
  await once(server.listen(socket), 'listening');
  chmodSync(socket, 0o600);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return socket;
}

for (const shell of SHELLS) {
  describeWith([shell], `the hook script in ${shell}`, () => {
    it('[A12] the hook script starts the program at its stored path, and prints the output of the program', async () => {
      expect((await runScript({ ...setUp(), shell, self: SELF })).stdout).toMatch(CUT);
    });

    it('[A12] the hook script finds a moved program on PATH', async () => {
      const { home, event } = setUp();
      mkdirSync(join(home, 'bin'));
      symlinkSync(secateurProgram, join(home, 'bin/secateur'));
      const path = [join(home, 'bin'), dirname(process.execPath), SYSTEM_PATH].join(delimiter);
      expect((await runScript({ home, event, shell, path, self: REMOVED })).stdout).toMatch(CUT);
      const onlyNodeMoved = ['/nowhere/node', secateurProgram];
      const nodePath = [dirname(process.execPath), SYSTEM_PATH].join(delimiter);
      const moved = await runScript({ home, event, shell, path: nodePath, self: onlyNodeMoved });
      expect(moved.stdout).toMatch(CUT);
    });

    it('[A12] the hook script prints "no change" if the program was removed', async () => {
      expect(await runScript({ ...setUp(), shell, self: REMOVED })).toEqual(NO_CHANGE);
      expect(await runScript({ ...setUp(), shell, self: ['', ''] })).toEqual(NO_CHANGE);
    });

    it.each([
      ['fails', 'echo "SyntaxError: Unexpected token" >&2; exit 1'],
      ['prints something else', 'echo v18.20.4'],
      ['prints half an answer and fails', 'cat >/dev/null; printf "{"; exit 1'],
      ['is killed', 'kill -9 $$'],
    ])('[A12] the hook script prints "no change" if Node %s', async (_, body) => {
      const { home, event } = setUp();
      writeFileSync(join(home, 'node'), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
      const { code, stdout } = await runScript({
        home,
        event,
        shell,
        self: [join(home, 'node'), secateurProgram],
      });
      expect({ code, stdout }).toEqual({ code: 0, stdout: '{}' });
    });

    it.each([
      ['nothing', ''],
      ['text', 'not JSON'],
      ['a list', '[]'],
      ['half an object', '{"a":'],
      ['bytes', '\0\u{1F331}\xff'],
    ])('[A2] the hook script prints "no change" if its input is %s', async (_, event) => {
      const { home } = setUp();
      expect(await runScript({ home, event, shell, self: SELF })).toEqual(NO_CHANGE);
    });
  });

  describeWith([shell, 'curl'], `the hook script in ${shell} with a session server`, () => {
    it('[A1] the hook script prints the response of the session server without starting Node', async () => {
      const command = `npm test -- "$(x) \\n %s it's" 'a'`;
      const setup = setUp({ tool_input: { command, description: 'Why does the retry test fail? %d \\ "' } });
      const alone = await runScript({ ...setup, shell, self: SELF });
      await startServer(setup);
      const served = await runScript({ ...setup, shell, self: REMOVED });
      expect(served).toEqual(alone);
      expect(served.stdout).toMatch(CUT);
    });

    it('[A2] the hook script sends events that are larger than the buffer of a pipe', async () => {
      const { home } = setUp();
      const event = JSON.stringify(bashEvent(`${TEST_RUN}\n`.repeat(60), { cwd: home }));
      await startServer({ home, event });
      expect((await runScript({ home, event, shell, self: REMOVED })).stdout).toMatch(CUT);
    });

    it('[A1] the hook script does not call the session server if a SECATEUR variable is set', async () => {
      const setup = setUp();
      let asked = 0;
      await fakeServer(setup.home, (_, response) => {
        asked += 1;
        response.end('{}');
      });
      for (const name of OWN_VARIABLES)
        await runScript({ ...setup, shell, self: REMOVED, env: { [name]: 'canonical' } });
      expect(asked).toBe(0);
      expect(await runScript({ ...setup, shell, self: REMOVED })).toEqual(NO_CHANGE);
      expect(asked).toBe(1);
    });

    it('[A14] the hook script calls the session server with SECATEUR_HOOK_RECOVER_TOOL=false, and the result does not mention recover_text', async () => {
      const setup = setUp();
      const env = { SECATEUR_HOOK_RECOVER_TOOL: 'false' };
      const alone = await runScript({ ...setup, shell, self: SELF, env });
      await startServer(setup);
      expect(await runScript({ ...setup, shell, self: REMOVED, env })).toEqual(alone);
      expect(alone.stdout).toMatch(CUT);
      expect(alone.stdout).not.toContain('recover_text');
      const withTool = await runScript({ ...setup, shell, self: REMOVED });
      expect(withTool.stdout).toContain('recover_text');
      const wrong = { SECATEUR_HOOK_RECOVER_TOOL: 'perhaps' };
      expect(await runScript({ ...setup, shell, self: REMOVED, env: wrong })).toEqual(NO_CHANGE);
    });

    it('[A1] the hook script does not call the session server if another hook setting is given', async () => {
      const setup = setUp();
      await startServer(setup);
      const env = { SECATEUR_HOOK_RECOVER_TOOL: 'false', SECATEUR_HOOK_MARKERS: 'canonical' };
      expect(await runScript({ ...setup, shell, self: REMOVED, env })).toEqual(NO_CHANGE);
    });

    it('[X21] [X16] the hook script does not send its event to a socket with access for the group', async () => {
      const setup = setUp();
      let asked = 0;
      const socket = await fakeServer(setup.home, (_, response) => {
        asked += 1;
        response.end('{}');
      });
      chmodSync(socket, 0o660);
      await runScript({ ...setup, shell, self: REMOVED });
      expect(asked).toBe(0);
    });
  });
}

describeWith(['small disk'], 'the hook script in an unusual home folder', () => {
  it.each([
    ['read-only', 'mount -o remount,ro none "$HOME"'],
    ['full', 'head -c 2000000 /dev/zero >"$HOME/data" 2>/dev/null; true'],
  ])('[A12] the hook script prints "no change" if its home folder is %s', (_, harm) => {
    const home = temporaryFolder();
    const [file = '', ...mount] = onSmallDisk(home, 1_000_000);
    const script = writeScript(temporaryFolder(), SELF);
    const { stdout, status } = spawnSync(
      file,
      [...mount, 'sh', '-c', `${harm}; exec sh "$@"`, 'sh', script, 'claude-code'],
      {
        env: { PATH: process.env.PATH, HOME: home },
        input: JSON.stringify(bashEvent(TEST_RUN, { cwd: home })),
        encoding: 'utf8',
      },
    );
    expect({ stdout, status }).toEqual({ stdout: '{}', status: 0 });
  });
});

describeWith(['curl'], 'the hook script with a session server', () => {
  it('[A24] eight concurrent hook scripts get their results from the session server', async () => {
    const setup = setUp();
    await startServer(setup);
    const script = writeScript(setup.home, REMOVED);
    const path = patientPath(setup.home);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        startScript(['sh', script], setup.event, { PATH: path, HOME: setup.home }),
      ),
    );
    for (const { stdout } of answers) expect(stdout).toMatch(CUT);
  });

  it('[A1] [X22] the session server uses the settings of the user and of the directory of the event', async () => {
    const setup = setUp();
    await startServer(setup);
    writeFileSync(join(setup.home, '.config/secateur/config.toml'), '[hook]\nmarkers = "canonical"\n');
    expect((await runScript({ ...setup, self: REMOVED })).stdout).toContain('⟦PRUNÉ');
    writeFileSync(join(setup.home, '.secateur.toml'), '[hook]\nenabled = false\n');
    expect(await runScript({ ...setup, self: REMOVED })).toEqual(NO_CHANGE);
    writeFileSync(join(setup.home, '.config/secateur/config.toml'), '[recovery]\nttl_s = 60\n');
    writeFileSync(join(setup.home, '.secateur.toml'), '');
    // The server has opened its store with another limit, so the program itself has to answer.
    expect((await runScript({ ...setup, self: SELF })).stdout).toMatch(CUT);
  });

  it('[X21] [X16] the hook script does not send its event to a socket that another user created or can open', async () => {
    const setup = setUp();
    let asked = 0;
    const socket = await fakeServer(setup.home, (_, response) => {
      asked += 1;
      response.end('{}');
    });
    const folder = dirname(socket);
    const changes = [
      () => chmodSync(socket, 0o660),
      () => chmodSync(folder, 0o770),
      () => chmodSync(folder, 0o701),
      ...(process.getuid?.() === 0
        ? [() => chownSync(socket, 12_345, 12_345), () => chownSync(folder, 12_345, 0)]
        : []),
      // Last: it stays.
      () => {
        renameSync(folder, `${folder}-elsewhere`);
        symlinkSync(`${folder}-elsewhere`, folder);
      },
    ];
    for (const change of changes) {
      for (const [path, mode] of [
        [socket, 0o600],
        [folder, 0o700],
      ] as const) {
        chownSync(path, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
        chmodSync(path, mode);
      }
      change();
      expect((await runScript({ ...setup, self: SELF })).stdout).toMatch(CUT);
    }
    expect(asked).toBe(0);
  });

  it('[X21] the hook script passes no part of the event in arguments or environment of a program', async () => {
    const setup = setUp();
    await fakeServer(setup.home, (_, response) => response.end('{}'));
    mkdirSync(join(setup.home, 'bin'));
    const seen = join(setup.home, 'seen');
    const spy = `#!/bin/sh\n{ printf '%s\\n' "$@"; /usr/bin/env; } >>'${seen}'\nexec /usr/bin/cat >/dev/null\n`;
    for (const name of ['curl', 'ls', 'secateur'])
      writeFileSync(join(setup.home, 'bin', name), spy, { mode: 0o755 });
    const path = `${join(setup.home, 'bin')}:${SYSTEM_PATH}`;
    const env = { event: 'exported', answer: 'exported' };
    expect(await runScript({ ...setup, self: REMOVED, path, env })).toEqual(NO_CHANGE);
    expect(readFileSync(seen, 'utf8')).toContain('hook\nclaude-code\n');
    expect(readFileSync(seen, 'utf8')).not.toMatch(/PostToolUse|plant/);
  });

  it.each<[string, (child: { kill(signal: NodeJS.Signals): unknown }) => unknown]>([
    ['was killed', (child) => child.kill('SIGKILL')],
    ['is stopped', (child) => child.kill('SIGSTOP')],
  ])('[A2] the hook script starts the program if the server %s', async (_, harm) => {
    const setup = setUp();
    const { child, socket } = await startServer(setup);
    harm(child);
    // The kernel lists the process as stopped (T), or not at all after its parent has read its exit status.
    await eventually(async () => !/\) [RSD] /.test(statOf(child.pid)) || undefined, 'the signal');
    expect(existsSync(socket)).toBe(true);
    expect((await runScript({ ...setup, self: SELF })).stdout).toMatch(CUT);
  });

  it.each<[string, RequestListener]>([
    ['breaks down', (request) => request.destroy()],
    ['answers no JSON', (_, response) => response.end('all is well')],
    ['refuses', (_, response) => response.writeHead(409).end()],
  ])('[A2] the hook script starts the program if the session server %s', async (_, listener) => {
    const setup = setUp();
    await fakeServer(setup.home, listener);
    expect((await runScript({ ...setup, self: SELF })).stdout).toMatch(CUT);
  });

  it('[A1] the session server refuses events of a process with other store settings', async () => {
    const setup = setUp();
    await startServer(setup, { SECATEUR_STORE_MAX_BYTES: '2000000' });
    expect(await runScript({ ...setup, self: REMOVED })).toEqual(NO_CHANGE);
    expect((await runScript({ ...setup, self: SELF })).stdout).toMatch(CUT);
  });
});

function statOf(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}
