import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  fails,
  type MessagesStandIn,
  startMessagesStandIn,
  writesWell,
} from '../support/messages-stand-in.ts';
import { reverseSpecProgram, spawnEnv, startReverseSpec } from '../support/reverse-spec-process.ts';
import { project, write } from '../support/spec-project.ts';

let api: MessagesStandIn;
beforeEach(async () => {
  api = await startMessagesStandIn();
});
afterEach(() => api.close());

function modelEnv(): Record<string, string> {
  return {
    ANTHROPIC_API_KEY: 'sk-test',
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_LOG: 'debug',
    REVERSE_SPEC_GRANULARITY: 'folder',
  };
}

/** Returns fifty folders in rows of ten. Each imports the previous folder of its row. */
function fiftyModules(): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: 50 }, (_, at) => {
      const needs = at % 10 === 0 ? '' : `import { f${at - 1} } from '../m${at - 1}/index.ts';\n`;
      return [`m${at}/index.ts`, `${needs}export function f${at}(x: string): string { return x; }\n`];
    }),
  );
}

interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

function run(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [reverseSpecProgram, ...args], { cwd, env: spawnEnv(cwd, env) });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.once('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.end();
  });
}

it('[R1] stdout of the server contains only protocol during a batch of fifty modules with failing model calls', async () => {
  let count = 0;
  api.answer((call, response) => {
    count += 1;
    (count % 3 === 0 ? fails(400) : writesWell)(call, response);
  });
  const cwd = project(fiftyModules());
  const server = startReverseSpec(cwd, modelEnv());
  await server.call('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  });
  const { content } = await server.tool('batch', {}, { progressToken: 1 });
  expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({
    totalModules: 50,
    successful: 34,
    degraded: 16,
    failed: 0,
    skipped: 0,
  });
  api.answer(writesWell);
  const again = await server.tool('batch', {});
  expect(JSON.parse(again.content[0]?.text ?? '')).toMatchObject({ successful: 16, failed: 0, skipped: 34 });
  expect(api.calls).toHaveLength(66);
  expect(api.peak()).toBeLessThanOrEqual(3);
  expect(await server.end()).toBe(0);
  const output = server.output();
  expect(output.endsWith('}\n')).toBe(true);
  for (const line of output.trimEnd().split('\n')) {
    const message = JSON.parse(line);
    expect(message.jsonrpc).toBe('2.0');
    expect('result' in message || message.method === 'notifications/progress').toBe(true);
  }
});

it('[R30] [R81] [X19] a batch after kill -9 does not call the model again for finished modules', async () => {
  const cwd = project(fiftyModules());
  const child = spawn(process.execPath, [reverseSpecProgram, 'batch', '--force'], {
    cwd,
    env: spawnEnv(cwd, modelEnv()),
  });
  const dead = new Promise((resolve) => child.once('close', resolve));
  api.answer((call, response) => {
    if (api.calls.length >= 20) child.kill('SIGKILL');
    setTimeout(() => writesWell(call, response), 20);
  });
  await dead;
  const paid = api.calls.length;
  const finished = readdirSync(join(cwd, 'specs')).filter((name) => /^m\d+\.spec\.md$/.test(name));
  expect(finished.length).toBeGreaterThan(5);
  expect(finished.length).toBeLessThan(50);
  for (const name of finished)
    expect(readFileSync(join(cwd, 'specs', name), 'utf8')).toContain('baselineHash: ');
  api.answer(writesWell);
  const { code, stdout } = await run(cwd, ['batch', '--force', '--json'], modelEnv());
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    totalModules: 50,
    skipped: finished.length,
    successful: 50 - finished.length,
  });
  expect(api.calls.length - paid).toBe(50 - finished.length);
  const leftovers = readdirSync(join(cwd, 'specs')).filter(
    (name) => !/^(m\d+|_index)\.spec\.md$|^_areas$|^batch-summary\.md$|^\.baseline$/.test(name),
  );
  expect(leftovers.filter((name) => !name.endsWith('.tmp'))).toEqual([]);
});

it('[R60] [R56] a batch that gets no text from the model reports this in the language of the terminal and exits with 3', async () => {
  const cwd = project({ 'src/a.ts': 'export const a = 1;\n' });
  api.answer(fails(500));
  const french = { ...modelEnv(), LC_ALL: 'fr_FR.UTF-8' };
  const degraded = await run(cwd, ['batch'], french);
  expect(degraded).toMatchObject({ code: 3, stdout: expect.stringContaining('1 incomplets') });
  api.answer(writesWell);
  const whole = await run(cwd, ['batch', '--lang', 'en'], french);
  expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining('1 written') });
  expect(readFileSync(join(cwd, 'specs/src.spec.md'), 'utf8')).toContain('\n## Business logic\n');
});

it('[R3] all four commands accept --json, and diff exits with an error code on request', async () => {
  const cwd = project({ 'src/a.ts': 'export function a(x: string): void {}\nexport const b = 1;\n' });
  const prepared = await run(cwd, ['prepare', 'src', '--json']);
  expect(JSON.parse(prepared.stdout).filePaths).toEqual(['src/a.ts']);
  expect((await run(cwd, ['prepare', 'src'])).stdout).toContain('export function a(x: string): void');
  const generated = await run(cwd, ['generate', 'src', '--ast-only', '--json']);
  const { specPath } = JSON.parse(generated.stdout);
  expect(existsSync(specPath)).toBe(true);
  const same = await run(cwd, ['diff', specPath, 'src', '--json']);
  expect({ code: same.code, changes: JSON.parse(same.stdout).summary.totalChanges }).toEqual({
    code: 0,
    changes: 0,
  });
  write(cwd, { 'src/b.ts': 'export const added = 1;\n' });
  expect((await run(cwd, ['diff', specPath, 'src'])).code).toBe(0);
  write(cwd, { 'src/a.ts': 'export function a(x: number): void {}\nexport const b = 1;\n' });
  const changed = await run(cwd, ['diff', specPath, 'src']);
  expect(changed.code).toBe(1);
  expect(changed.stdout).toContain('MEDIUM');
  write(cwd, { 'src/a.ts': 'export const b = 1;\n' });
  expect((await run(cwd, ['diff', specPath, 'src'])).code).toBe(1);
  const plan = await run(cwd, ['batch', '--dry-run', '--json'], modelEnv());
  expect(JSON.parse(plan.stdout)).toMatchObject({ dryRun: true, modelCalls: 1 });
  expect(api.calls).toHaveLength(0);
  const noKey = await run(cwd, ['generate', 'src']);
  expect(noKey.code).toBe(1);
  expect(noKey.stderr).toContain('ANTHROPIC_API_KEY is not set');
  expect(noKey.stdout).toBe('');
  expect((await run(cwd, ['diff', 'x'])).code).toBe(2);
});

it('[R63] check exits with a code by severity, has four output formats and writes no file', async () => {
  const cwd = project({
    'package.json': '{}',
    'src/a.ts': 'export function a(x: string): void {}\nexport const b = 1;\n',
  });
  await run(cwd, ['batch', '--ast-only']);
  expect((await run(cwd, ['check'])).code).toBe(0);
  write(cwd, { 'src/a.ts': 'export function a(x: number): void {}\nexport const b = 1;\n' });
  const before = readdirSync(cwd, { recursive: true }).sort();
  const plain = await run(cwd, ['check']);
  expect([plain.code, plain.stdout]).toEqual([1, expect.stringMatching(/^MEDIUM src\/a\.ts:1 .*a/)]);
  expect((await run(cwd, ['check', '--fail-on', 'high'])).code).toBe(0);
  expect((await run(cwd, ['check', '--fail-on', 'never'])).code).toBe(2);
  expect(JSON.parse((await run(cwd, ['check', '--json'])).stdout)).toMatchObject({ specs: 1 });
  expect(JSON.parse((await run(cwd, ['check', '--sarif'])).stdout)).toMatchObject({ version: '2.1.0' });
  expect((await run(cwd, ['check', 'src/a.ts', '--github'])).stdout).toMatch(
    /^::warning file=src\/a\.ts,line=1,/,
  );
  expect(readdirSync(cwd, { recursive: true }).sort()).toEqual(before);
});

it('[R0] an SDK client connects to reverse-spec and calls its tools', async () => {
  const cwd = project({ 'a.ts': 'export const a = 1;\n' });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [reverseSpecProgram, 'mcp-server'],
      cwd,
      env: spawnEnv(cwd, {}),
    }),
  );
  try {
    expect(client.getServerVersion()?.name).toBe('reverse-spec');
    const { content } = await client.callTool({ name: 'prepare', arguments: { targetPath: 'a.ts' } });
    expect(JSON.parse((content as { text: string }[])[0]?.text ?? '')).toMatchObject({ filePaths: ['a.ts'] });
  } finally {
    await client.close();
  }
});

it('[R12] worker threads read a large tree with the result that one thread returns', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 120 }, (_, at) => [
      `src/f${at}.ts`,
      `export const c${at}: number = ${at};\nexport type T${at} = 'a' | ${at};\n`,
    ]),
  );
  const cwd = project(files);
  const whole = JSON.parse((await run(cwd, ['prepare', 'src', '--json'])).stdout);
  const warm = JSON.parse((await run(cwd, ['prepare', 'src', '--json'])).stdout);
  expect(whole.skeletons).toHaveLength(120);
  expect(warm).toEqual(whole);
  const one = JSON.parse((await run(cwd, ['prepare', 'src/f7.ts', '--json'])).stdout);
  expect(whole.skeletons).toContainEqual(one.skeletons[0]);
});

const client = `
const { spawn } = require('node:child_process');
const program = process.argv[1];
const server = spawn(process.execPath, [program, 'mcp-server'], { stdio: ['pipe', 'pipe', 'ignore'] });
server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'generate', arguments: { targetPath: 'src' } } }) + '\\n');
setInterval(() => {}, 1000);
`;

it('[R1] the server cancels its model request and exits when its client is killed', async () => {
  const cwd = project({ 'src/a.ts': 'export const a = 1;\n' });
  const parent = spawn(process.execPath, ['-e', client, reverseSpecProgram], {
    cwd,
    env: spawnEnv(cwd, modelEnv()),
    stdio: 'ignore',
  });
  const hungUp = new Promise<void>((resolve) => {
    api.answer((_call, response) => {
      response.once('close', resolve);
      parent.kill('SIGKILL');
    });
  });
  await hungUp;
  expect(api.calls).toHaveLength(1);
  expect(existsSync(join(cwd, 'specs'))).toBe(false);
});

it('[R1] the server finishes calls after standard input has ended, as long as the client reads', async () => {
  const cwd = project({ 'src/a.ts': 'export const a = 1;\n' });
  api.answer((call, response) => setTimeout(() => writesWell(call, response), 700));
  const server = startReverseSpec(cwd, modelEnv());
  const answer = server.tool('generate', { targetPath: 'src' });
  server.child.stdin.end();
  expect((await answer).isError).toBeUndefined();
  expect(await server.end()).toBe(0);
});

it('[R56] the command line prints errors in the language of --lang, or in the language of the locale without --lang', async () => {
  const cwd = project({ 'src/a.ts': 'export const a = 1;\n' });
  const said = async (args: readonly string[], env: Record<string, string>) =>
    (await run(cwd, ['prepare', 'nowhere', ...args], env)).stderr;
  expect(await said([], { LANG: 'zh_CN.UTF-8' })).toContain('目标路径不存在: nowhere');
  expect(await said([], { LANG: 'fr_FR.UTF-8' })).toContain("la cible n'existe pas : nowhere");
  expect(await said([], { LANG: 'C.UTF-8' })).toContain('target does not exist: nowhere');
  expect(await said(['--lang', 'fr'], { LANG: 'zh_CN.UTF-8' })).toContain("la cible n'existe pas : nowhere");
});
