import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bashEvent, TEST_RUN } from '../support/hook-events.ts';
import {
  type CliOptions,
  printed,
  secateur,
  spawnSecateur,
  temporaryFolder,
} from '../support/secateur-cli.ts';

const EVENT = JSON.stringify(bashEvent(TEST_RUN));
const HELLO = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

describe.runIf(process.platform !== 'win32')('secateur hook with a session server', () => {
  it('[A1] [A7] secateur hook prints the response of the session server without loading the engine', async () => {
    const dataDir = temporaryFolder();
    const alone = await runHook({ dataDir });
    expect(alone.loaded).toContain('/inline-engine-');
    const server = await startServer({ dataDir });
    const served = await runHook({ dataDir });
    expect(served).toMatchObject({ code: 0, stdout: alone.stdout, stderr: '' });
    expect(served.loaded).not.toContain('/inline-engine-');
    server.child.kill('SIGKILL');
    const id = /prn_[0-9A-Z]+/.exec(served.stdout)?.[0] ?? '';
    const recovered = await secateur(['recover', id, '7-8'], { dataDir });
    expect(recovered.stdout).toBe(`${TEST_RUN.split('\n').slice(6, 8).join('\n')}\n`);
    const stats = await secateur(['stats', '--json'], { dataDir });
    expect(JSON.parse(stats.stdout).bySystem.hook.calls).toBe(2);
  });

  it('[A1] secateur hook also gets its response from `mcp pruner`, and the settings of the hook apply', async () => {
    const dataDir = temporaryFolder();
    const env = { MCP_PRUNER_STRUCTURE: 'all', SECATEUR_HOOK_MARKERS: 'canonical' };
    const alone = await runHook({ dataDir, env });
    await startServer({ dataDir, env }, ['mcp', 'pruner', '--store', 'embedded']);
    const served = await runHook({ dataDir, env });
    expect(served.stdout).toBe(alone.stdout);
    expect(served.loaded).not.toContain('/inline-engine-');
  });

  it('[X16] the session server creates a socket 0600 in a folder 0700, and removes the socket when it exits', async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const dataDir = temporaryFolder();
    const { child, socket } = await startServer({ dataDir });
    expect(modeOf(socket)).toBe(0o600);
    expect(modeOf(join(dataDir, 'sockets'))).toBe(0o700);
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(readdirSync(join(dataDir, 'sockets'))).toEqual([]);
  });

  it.each([
    ['other settings', { env: { SECATEUR_MIN_SAVED_TOKENS: '61' } }],
    ['another home', { env: { HOME: '/' } }],
  ])('[A2] secateur hook shortens the output itself if the server has %s', async (_, other) => {
    const dataDir = temporaryFolder();
    const { socket } = await startServer({ dataDir, ...other });
    await expectOwnCut(dataDir);
    expect(existsSync(socket)).toBe(true);
  });

  it.each([
    ['keeps texts in memory', ['mcp', 'pruner']],
    ['asks another machine', ['mcp', 'pruner', '--store', 'embedded', '--backend', 'deepinfra']],
  ])('[A2] the server opens no hook socket if it %s', async (_, args) => {
    const dataDir = temporaryFolder();
    const { socket } = await startServer({ dataDir }, args);
    expect(existsSync(socket)).toBe(false);
  });

  it('[A2] secateur hook removes the socket of a killed server, and shortens the output itself', async () => {
    const dataDir = temporaryFolder();
    const { child, socket } = await startServer({ dataDir });
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(existsSync(socket)).toBe(true);
    await expectOwnCut(dataDir);
    expect(existsSync(socket)).toBe(false);
  });

  it('[A2] secateur hook does not wait for a server stopped by SIGSTOP', async () => {
    const dataDir = temporaryFolder();
    const { child } = await startServer({ dataDir });
    child.kill('SIGSTOP');
    await expectOwnCut(dataDir);
  });

  it.each<[string, RequestListener]>([
    ['breaks down in the middle', (_, response) => response.writeContinue(() => response.destroy())],
    ['answers no JSON', answering('all is well')],
    ['answers no object', answering('[]')],
    ['ends its answer early', (_, response) => response.writeHead(200, { 'content-length': 9 }).end('{')],
    ['is something else', (_, response) => response.writeHead(500).end('{}')],
  ])('[A2] secateur hook shortens the output itself if the server %s', async (_, listener) => {
    const dataDir = temporaryFolder();
    await standIn(dataDir, listener);
    await expectOwnCut(dataDir);
  });

  it('[X21] [X16] secateur hook does not send its event to a socket that another user created or can open', async () => {
    const dataDir = temporaryFolder();
    let asked = 0;
    const listener: RequestListener = (request, response) => {
      asked += 1;
      answering('{}')(request, response);
    };
    const socket = await standIn(dataDir, listener);
    expect(await runHook({ dataDir })).toMatchObject({ code: 0, stdout: '{}' });
    expect(asked).toBe(1);
    const folder = join(dataDir, 'sockets');
    const changes = [
      () => chmodSync(socket, 0o660),
      () => chmodSync(folder, 0o770),
      ...(process.getuid?.() === 0
        ? [() => chownSync(socket, 12_345, 12_345), () => chownSync(folder, 12_345, 0)]
        : []),
    ];
    for (const change of changes) {
      chmodSync(socket, 0o600);
      chmodSync(folder, 0o700);
      change();
      await expectOwnCut(dataDir);
    }
    expect(asked).toBe(1);
  });

  it('[A2] secateur hook prints {} if the server has accepted the event but responds too late', async () => {
    const dataDir = temporaryFolder();
    await standIn(dataDir, (_, response) => response.writeContinue());
    const late = await runHook({ dataDir, env: { SECATEUR_HOOK_TIMEOUT_MS: '1000' } });
    expect(late).toMatchObject({ code: 0, stdout: '{}', stderr: '' });
    expect(late.loaded).not.toContain('/inline-engine-');
  });

  it.each<[string, (folder: string) => void]>([
    ['a file in place of a socket', (folder) => writeFileSync(join(makeFolder(folder), 'hook-7.sock'), '')],
    [
      'a folder in place of a socket',
      (folder) => mkdirSync(join(folder, 'hook-7.sock'), { recursive: true }),
    ],
    ['a file in place of the folder', (folder) => writeFileSync(folder, '')],
    ['a folder without read permission', (folder) => chmodSync(makeFolder(folder), 0)],
  ])('[A2] secateur hook shortens the output itself if there is %s', async (_, prepare) => {
    const dataDir = temporaryFolder();
    prepare(join(dataDir, 'sockets'));
    await expectOwnCut(dataDir);
  });

  it('[A2] the session server starts even if it cannot create a socket', async () => {
    const long = join(temporaryFolder(), 'd'.repeat(100));
    await startServer({ dataDir: long, cwd: temporaryFolder() });
    expect(existsSync(join(long, 'sockets'))).toBe(false);
    const taken = temporaryFolder();
    writeFileSync(join(taken, 'sockets'), '');
    await startServer({ dataDir: taken });
  });
});

/** Starts a server as a client does, and waits for its first response. */
async function startServer(options: CliOptions & { dataDir: string }, args = ['mcp', 'focus']) {
  const child = spawnSecateur(args, options);
  child.stdin.write(`${HELLO}\n`);
  expect(await printed(child.stdout, /\n/)).toMatch(/^\{.*"id":1.*\}\n$/);
  return { child, socket: join(options.dataDir, 'sockets', `hook-${child.pid}.sock`) };
}

/** Starts a fake server at the socket path of a Sécateur server. */
async function standIn(dataDir: string, listener: RequestListener): Promise<string> {
  const server = createServer().on('checkContinue', listener);
  const path = join(makeFolder(join(dataDir, 'sockets')), 'hook-7.sock');
  await once(server.listen(path), 'listening');
  chmodSync(path, 0o600);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return path;
}

/** Reads the event first, because closing with unread bytes resets the connection. */
function answering(body: string): RequestListener {
  return (request, response) => {
    response.writeContinue();
    request.resume().once('end', () => response.end(body));
  };
}

/** The hook with the addresses of all code that V8 ran for it. */
async function runHook({ dataDir, env }: { dataDir: string; env?: Record<string, string> }) {
  const coverage = temporaryFolder();
  const result = await secateur(['hook', 'claude-code'], {
    dataDir,
    env: { ...env, NODE_V8_COVERAGE: coverage },
    input: EVENT,
  });
  const loaded = readdirSync(coverage).map((name) => readFileSync(join(coverage, name), 'utf8'));
  const urls = loaded.flatMap((text) => JSON.parse(text).result.map(({ url }: { url: string }) => url));
  return { ...result, loaded: urls.join('\n') };
}

async function expectOwnCut(dataDir: string): Promise<void> {
  const { code, stdout, stderr, loaded } = await runHook({ dataDir });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/prn_[0-9A-Z]+/);
  expect(loaded).toContain('/inline-engine-');
}

function makeFolder(path: string): string {
  mkdirSync(path, { mode: 0o700 });
  return path;
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}
