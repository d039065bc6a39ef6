import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { runClaudeCode } from '../support/agents.ts';
import { anthropicDialect } from '../support/scripted-model/anthropic.ts';
import { type Script, startScriptedModel } from '../support/scripted-model.ts';
import { type SecateurProcess, startSecateur } from '../support/secateur-process.ts';
import { describeWith, systemPart } from '../support/system-parts.ts';

/** A page whose screenshot is far longer than `max_chars` as base64. */
const PAGE = `<!doctype html><title>Colours</title><body style="margin:0">
<div style="height:100vh;background:repeating-conic-gradient(red 0 7deg, gold 0 13deg, teal 0 21deg)"></div>`;
const PNG = 'iVBORw0KGgo';

let folder: string;
let pages: Server;
let page: string;
let gateway: SecateurProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secateur-playwright-'));
  pages = createServer((_, response) => response.setHeader('content-type', 'text/html').end(PAGE));
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  page = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`;
  const browser = [
    '--executable-path',
    systemPart('chromium') ?? '',
    '--no-sandbox',
    '--headless',
    '--isolated',
  ];
  const command = [process.execPath, systemPart('playwright mcp') ?? '', ...browser, '--output-dir', folder];
  const server = `command = ${JSON.stringify(command)}\ntimeout_ms = 120000\n`;
  await writeFile(
    join(folder, 'config.toml'),
    `[mcp_gateway.servers.browser]\n${server}\n[mcp_gateway.servers.small]\n${server}max_media_bytes = 1000\n`,
  );
  gateway = await startSecateur(['gateway'], { cwd: folder });
});

afterAll(async () => {
  await gateway.stop();
  pages.close();
  pages.closeAllConnections();
  await rm(folder, { recursive: true, force: true });
});

const urlOf = (server: string) => `${gateway.url}/api/mcp-gateway/${server}/mcp`;

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
}

/** Opens the page in the browser behind this server and takes a screenshot. */
async function screenshot(server: string): Promise<Block[]> {
  const client = new Client({ name: 'screenshots', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(urlOf(server))));
  onTestFinished(() => client.close());
  const patient = { timeout: 120_000 };
  await client.callTool({ name: 'browser_navigate', arguments: { url: page } }, undefined, patient);
  const taken = await client.callTool(
    { name: 'browser_take_screenshot', arguments: { type: 'png' } },
    undefined,
    patient,
  );
  return taken.content as Block[];
}

describeWith(['playwright mcp', 'chromium'], 'a real Playwright MCP server behind the gateway', () => {
  it('[G13] [G33] the gateway forwards a Playwright screenshot to an MCP client as a picture', async () => {
    const picture = (await screenshot('browser')).find(({ type }) => type === 'image');
    expect(picture?.mimeType).toBe('image/png');
    expect(picture?.data?.startsWith(PNG)).toBe(true);
    expect(picture?.data?.length).toBeGreaterThan(4000);
    expect(
      Buffer.from(picture?.data ?? '', 'base64')
        .subarray(-8, -4)
        .toString(),
    ).toBe('IEND');
  });

  it('[G13] the gateway replaces a screenshot above max_media_bytes by a text block with the setting name', async () => {
    const content = await screenshot('small');
    expect(content.filter(({ type }) => type === 'image')).toEqual([]);
    expect(JSON.stringify(content)).toContain('over max_media_bytes = 1000');
  });
});

describeWith(
  ['playwright mcp', 'chromium', 'claude code'],
  'Claude Code with a Playwright MCP server behind the gateway',
  () => {
    it('[G13] the model of Claude Code receives the screenshot as a picture', async () => {
      const model = await startScriptedModel(anthropicDialect, navigateThenLook);
      onTestFinished(() => model.close());
      const mcpServers = { browser: { type: 'http', url: urlOf('browser') } };
      const outcome = await runClaudeCode({ home: folder, model, prompt: 'look', mcpServers });
      expect(outcome.exitCode, outcome.stderr).toBe(0);
      const told = model.turns.at(-1)?.told ?? '';
      expect(picturesIn(JSON.parse(told))).toEqual([expect.stringMatching(`^${PNG}`)]);
      expect(told).not.toContain('KIMI_PROXY_OBSERVATION_MASKED');
    });
  },
);

/** The base64 of every image block in what the agent sent. */
function picturesIn(sent: unknown): string[] {
  if (typeof sent !== 'object' || sent === null) return [];
  const { type, source } = sent as { type?: unknown; source?: { data?: unknown } };
  if (type === 'image') return [String(source?.data)];
  return Object.values(sent).flatMap(picturesIn);
}

const navigateThenLook: Script = ({ toolResults }) => {
  if (toolResults.length === 0)
    return { kind: 'call', tool: 'mcp__browser__browser_navigate', args: { url: page } };
  if (toolResults.length === 1)
    return { kind: 'call', tool: 'mcp__browser__browser_take_screenshot', args: { type: 'png' } };
  return { kind: 'say', text: 'seen' };
};
