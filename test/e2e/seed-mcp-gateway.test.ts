import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numberedLines, type RpcAnswer } from '../support/gateway.ts';
import { type SecateurProcess, startSecateur } from '../support/secateur-process.ts';
import { describeWith, systemPart } from '../support/system-parts.ts';

/**
 * The specification of the gateway, clause by clause, on the built program. It prints no shell command; the requests
 * are its route with `curl`, and the commands of `docs/contracts/gateway.md` as printed there, except for the port.
 */
const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** « fichiers 10k+ lignes » */
const FILE = numberedLines(12_000);
/** « `\n... [KIMI_PROXY_OBSERVATION_MASKED original_chars={orig} head={head} tail={tail}] ...\n` » */
const marker = (orig: number) =>
  `\n... [KIMI_PROXY_OBSERVATION_MASKED original_chars=${orig} head=2000 tail=2000] ...\n`;
const masked = (text: string) => text.slice(0, 2000) + marker(text.length) + text.slice(-2000);

let folder: string;
let strange: Server;
let gateway: SecateurProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secateur-seed-'));
  await writeFile(join(folder, 'long.txt'), FILE);
  // Does not respond to /silent, returns a page for /html, and returns an error with long data for /error.
  strange = createServer(({ url }, response) => {
    if (url === '/html') response.end('<html>502 Bad Gateway</html>');
    if (url === '/error')
      response.end(
        JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -5, message: 'no', data: { trace: FILE } } }),
      );
  });
  await new Promise<void>((resolve) => strange.listen(0, '127.0.0.1', resolve));
  const at = `http://127.0.0.1:${(strange.address() as AddressInfo).port}`;
  const files = JSON.stringify([process.execPath, systemPart('server-filesystem') ?? '', folder]);
  const tables = [
    ['fast-filesystem', `command = ${files}`],
    ['files', `command = ${files}`],
    ['silent', `url = "${at}/silent"\ntimeout_ms = 300`],
    ['html', `url = "${at}/html"`],
    ['error', `url = "${at}/error"`],
    ['absent', 'url = "http://127.0.0.1:1/rpc"'],
  ];
  const toml = tables.map(([name, keys]) => `[mcp_gateway.servers.${name}]\n${keys}\n`).join('\n');
  await writeFile(join(folder, 'config.toml'), toml);
  gateway = await startSecateur(['gateway'], { cwd: folder });
});

afterAll(async () => {
  await gateway.stop();
  strange.closeAllConnections();
  strange.close();
  await rm(folder, { recursive: true, force: true });
});

async function shell(command: string): Promise<string> {
  const here = command.replaceAll('http://127.0.0.1:8000/', `${gateway.url}/`);
  return (await run('bash', ['-c', `set -o pipefail\n${here}`])).stdout;
}

/** « POST /api/mcp-gateway/{server_name}/rpc, corps: JSON dict (JSON-RPC 2.0) » */
async function post(server: string, request: object): Promise<RpcAnswer> {
  const body = JSON.stringify(request).replaceAll("'", "'\\''");
  const url = `http://127.0.0.1:8000/api/mcp-gateway/${server}/rpc`;
  const command = `curl -sS -X POST -H 'Content-Type: application/json' -d '${body}' ${url}`;
  return JSON.parse(await shell(command)) as RpcAnswer;
}

const read = { name: 'read_text_file', arguments: {} as object };
const call = (id: unknown, params: object) => ({ jsonrpc: '2.0', id, method: 'tools/call', params });

describeWith(['curl', 'jq', 'server-filesystem'], 'the gateway specification', () => {
  it('[G1] [G10] « head_chars + marqueur + tail_chars »: a file of 12,000 lines is masked to 2,000 characters + marker + 2,000 characters', async () => {
    const path = join(folder, 'long.txt');
    const answer = await post('fast-filesystem', call('seed-1', { ...read, arguments: { path } }));
    expect(answer.jsonrpc).toBe('2.0');
    expect(answer.id).toBe('seed-1');
    expect(answer.result?.content?.[0]).toEqual({ type: 'text', text: masked(FILE) });
  });

  it('[G12] « et/ou error.data »: the gateway masks the data of an error and keeps its code and message', async () => {
    const { error } = await post('error', { jsonrpc: '2.0', id: 1, method: 'tools/call' });
    expect(error).toMatchObject({ code: -5, message: 'no', data: { trace: masked(FILE) } });
  });

  it.each([
    ['« indisponible »', 'absent', -31002],
    ['« timeout »', 'silent', -31003],
    ['« réponse non-JSON »', 'html', -31004],
  ])('[G20] the gateway returns a JSON-RPC error with its own code for %s', async (_, server, code) => {
    const answer = await post(server, call(9, read));
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: 9, error: { code } });
    expect(answer.error?.message).toMatch(/^The upstream /);
  });

  it('[G2] « mapping centralisé »: the default table contains the servers of the specification', async () => {
    const listed = await shell(
      "curl -s http://127.0.0.1:8000/api/mcp-gateway/servers | jq -r '.servers[].name'",
    );
    const names = ['fast-filesystem', 'json-query', 'sequential-thinking', 'shrimp-task-manager'];
    expect(listed.trim().split('\n')).toEqual(expect.arrayContaining(names));
  });

  it('[G1] every curl command in docs/contracts/gateway.md returns the printed result', async () => {
    const page = await readFile(join(ROOT, 'docs/contracts/gateway.md'), 'utf8');
    const commands = [...page.matchAll(/^curl .*$/gm)].map(([command]) => command);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      expect(JSON.parse(await shell(command))).toMatchObject({
        jsonrpc: '2.0',
        result: { tools: expect.any(Array) },
      });
    }
  });
});

/** Runs a module beside the configuration, with the package as its users import it. */
async function module(source: string): Promise<unknown> {
  const env = { PATH: process.env.PATH, HOME: folder, SECATEUR_DATA_DIR: join(folder, 'data') };
  const inFolder = `process.chdir(${JSON.stringify(folder)});\n${source}`;
  const args = ['--input-type=module', '--eval', inFolder];
  return JSON.parse((await run(process.execPath, args, { cwd: ROOT, env, maxBuffer: 2 ** 26 })).stdout);
}

describe('secateur/gateway, imported by a program', () => {
  it('[G34] « apply_observation_masking »: a string of 10,000 characters becomes head, marker and tail', async () => {
    const text = await module(`
      import { applyObservationMasking } from 'secateur/gateway';
      const text = 'h'.repeat(5000) + 't'.repeat(5000);
      console.log(JSON.stringify(applyObservationMasking({ list: [{ text }] }).list[0].text));`);
    expect(text).toBe(masked('h'.repeat(5000) + 't'.repeat(5000)));
    expect(String(text).length).toBeLessThanOrEqual(4000 + marker(10_000).length);
  });

  it('[G34] « handle_rpc » and « forward_jsonrpc »: a connection error is returned as a JSON-RPC error', async () => {
    const answers = await module(`
      import { closeGateway, forwardJsonrpc, handleRpc } from 'secateur/gateway';
      const request = { jsonrpc: '2.0', id: 3, method: 'tools/list' };
      const answers = [await handleRpc('absent', request), await forwardJsonrpc('absent', request)];
      await closeGateway();
      console.log(JSON.stringify(answers));`);
    const refused = { jsonrpc: '2.0', id: 3, error: { code: -31002 } };
    expect(answers).toMatchObject([refused, refused]);
  });
});

describeWith(['server-filesystem'], 'secateur/gateway with a stdio server', () => {
  it('[G34] handleRpc masks, forwardJsonrpc does not mask, and the process exits after closeGateway', async () => {
    const answers = await module(`
      import { closeGateway, forwardJsonrpc, handleRpc } from 'secateur/gateway';
      const params = { name: 'read_text_file', arguments: { path: ${JSON.stringify(join(folder, 'long.txt'))} } };
      const request = { jsonrpc: '2.0', id: 3, method: 'tools/call', params };
      const answers = [await handleRpc('files', request), await forwardJsonrpc('files', request)];
      await closeGateway();
      console.log(JSON.stringify(answers));`);
    const [short, whole] = answers as RpcAnswer[];
    expect(short?.result?.content?.[0]?.text).toBe(masked(FILE));
    expect(whole?.result?.content?.[0]?.text).toBe(FILE);
  });
});
