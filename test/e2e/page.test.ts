import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { SavingsReport } from '../../packages/secateur/src/savings/sums.ts';
import { HOSTILE, LOG, type StartedPage, startPage } from '../support/page.ts';
import { describeWith } from '../support/system-parts.ts';

describeWith(['chromium'], 'the dashboard', ({ chromium }) => {
  let started: StartedPage;
  beforeAll(async () => {
    started = await startPage(chromium, { SECATEUR_PRICE_INPUT: '3', SECATEUR_PRICE_MODEL: 'some-model' });
  });
  afterAll(() => started?.stop());

  it('[AU8] [AU2] [AU4] the dashboard shows net figures of the ledger with the price that was used', async () => {
    const id = await started.cut(LOG);
    await started.up.call('recover_text', {
      prune_id: id,
      ranges: [{ start_line: 1, end_line: 20 }],
      include_line_numbers: false,
    });
    const report: SavingsReport = JSON.parse(await started.up.run('stats', '--json'));
    const page = await started.open('');
    await page.locator('#net').waitFor();
    const net = report.total.netTokensSaved.toLocaleString('en-US');
    expect(await page.locator('#net').getAttribute('title')).toBe(net);
    expect(report.total).toMatchObject({ calls: 1, recoveries: 1 });
    const tiles = await page.locator('#tiles').innerText();
    expect(tiles).toMatch(/Cuts\s+1\s+1 recovery\s+Recovered\s+100\.0 %\s+1 cut, 0 at a loss/);
    expect(tiles).toMatch(/Fallbacks\s+0 %\s+none/);
    expect(tiles).toMatch(/Added latency\s+\d+ ms\s+median; p95 \d+ ms/);
    for (const name of ['prune_text', 'pruner', 'node'])
      expect(await page.locator(`tr[data-name="${name}"] td.num`).last().getAttribute('title')).toBe(net);
    expect(await page.locator('#money').innerText()).toContain(
      `${((report.total.netTokensSaved * 3) / 1e6).toFixed(2)} USD as input`,
    );
    expect(await page.locator('#money').innerText()).toContain('some-model: input 3 USD');
    await page.getByText('Show as a table').click();
    expect(await page.locator('#series').innerText()).toContain(net);
    await page.close();
  });

  it('[AU7] [AU9] the dashboard shows a newly shortened output without a reload, and applies its filters', async () => {
    const page = await started.open('#/cuts');
    await page.locator('#rows tr').first().waitFor();
    const before = await page.locator('#rows tr').count();
    const id = await started.cut(`${LOG}\nand one line more`);
    await page.locator(`#rows tr.fresh[data-id="${id}"]`).waitFor();
    expect(await page.locator('#rows tr').count()).toBe(before + 1);
    expect(await page.locator('#rows tr').first().getAttribute('data-id')).toBe(id);
    await page.locator('input[name=reason]').fill('no such reason anywhere');
    await page.getByText('No cuts').waitFor();
    await page.locator('input[name=reason]').fill('');
    await page.locator('select[name=tool]').selectOption('prune_text');
    await page.locator(`#rows tr[data-id="${id}"]`).waitFor();
    await page.close();
  });

  it('[AU9] the dashboard shows original and shortened output side by side, with gaps and reasons, and recovers lines', async () => {
    const id = await started.cut(LOG);
    const page = await started.open(`#/cut/${id}`);
    const blocks = page.locator('[data-block]');
    await blocks.first().waitFor();
    const [start = 0, end = 0] = ((await blocks.first().getAttribute('data-block')) ?? '')
      .split('-')
      .map(Number);
    expect(await blocks.first().locator('.marker').innerText()).toContain(id);
    expect(await page.locator(`[data-line="${start}"]`).count()).toBe(0);
    await blocks.first().locator('.toggle').click();
    await page.locator(`.gone[data-line="${start}"]`).hover();
    expect(await page.locator('#why').innerText()).toMatch(
      new RegExp(`^Line ${start}: removed, .+ Score -?\\d.+ Best score inside -?\\d`),
    );
    await page.locator('.kept[data-line="131"]').focus();
    expect(await page.locator('#why').innerText()).toMatch(
      /^Line 131: kept, it (speaks|holds) .+ Score -?\d/,
    );
    await blocks.first().getByRole('button', { name: 'Recover' }).click();
    await page.getByText(`copied (${start}–${end})`).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(
      LOG.split('\n')
        .slice(start - 1, end)
        .join('\n'),
    );
    const told = JSON.parse(await started.up.run('explain', id, '--json'));
    const served = await (await fetch(`${started.up.pruner}/api/cuts/${id}`)).json();
    expect(told).toEqual(served);
    await page.close();
  });

  it('[AU10] the dashboard shows the figures of a shortened output whose text has expired', async () => {
    mkdirSync(join(started.up.dataDir, 'savings'), { recursive: true });
    const old = {
      ...{ at: new Date(Date.now() - 3600_000).toISOString(), kind: 'cut', system: 'focus', tool: 'read' },
      ...{ pruneId: 'prn_GONE', tokensBefore: 900, tokensAfter: 100 },
    };
    writeFileSync(
      join(started.up.dataDir, 'savings', 'savings-2026-11-01-0000.jsonl'),
      `${JSON.stringify(old)}\n`,
    );
    const page = await started.open('#/cut/prn_GONE');
    expect(await page.locator('#expired').innerText()).toContain('can no longer be recovered');
    expect(await page.locator('#facts').innerText()).toMatch(/900 → 100/);
    expect(await started.up.run('explain', 'prn_GONE')).toContain('can no longer be recovered');
    await page.close();
  });

  it('[AU12] the dashboard shows HTML and control characters of an output as text, and stays responsive', async () => {
    const id = await started.cut(HOSTILE);
    const page = await started.open(`#/cut/${id}`);
    const first = page.locator('[data-line="1"] .code').first();
    expect(await first.innerText()).toBe(HOSTILE.split('\n')[0]);
    const second = await page.locator('[data-line="2"] .code').first().innerText();
    expect(second).toBe('⟨U+001B⟩[31mred⟨U+001B⟩[0m ⟨U+202E⟩gnitirw ⟨U+2066⟩ ⟨U+0007⟩ end');
    await page.locator('[data-line="3"] .more-text').first().click();
    expect((await page.locator('[data-line="3"] .code').first().innerText()).length).toBeGreaterThan(20_000);
    expect(await page.evaluate("'pwned' in window")).toBe(false);
    await page.close();
    const asked = await started.open(`#/cut/${await started.cut(LOG, '<b>why</b> \u202e?')}`);
    await asked.getByText('<b>why</b> ⟨U+202E⟩?').waitFor();
    await asked.close();
  });
});

/** Starts an MCP server behind the gateway that returns this text. */
async function serverSaying(text: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const { id } = (await json(request)) as { id: unknown };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc`;
}

describeWith(['chromium'], 'the dashboard for results that the gateway masked', ({ chromium }) => {
  it('[AU9] [AU1] the dashboard shows the original of a masked result next to its kept parts, and recovers lines', async () => {
    const url = await serverSaying(LOG);
    const started = await startPage(chromium, {}, { config: `[mcp_gateway.servers.logs]\nurl = "${url}"\n` });
    onTestFinished(() => started.stop());
    const answer = await fetch(`${started.up.gateway}/api/mcp-gateway/logs/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tail"}}',
    });
    const seen = await answer.text();
    expect(seen.length).toBeLessThan(LOG.length / 2);
    const id = /prn_\w+/.exec(seen)?.[0] ?? '';

    const page = await started.open('#/cuts');
    const row = page.locator(`#rows tr[data-id="${id}"]`);
    await row.waitFor();
    expect(await row.innerText()).toMatch(/tail[\s\S]*logs/);
    await row.locator('a').first().click();
    const block = page.locator('[data-block]').first();
    await block.waitFor();
    expect(await page.locator('#facts').innerText()).toMatch(/tail[\s\S]*logs/);
    const [start = 0, end = 0] = ((await block.getAttribute('data-block')) ?? '').split('-').map(Number);
    const lines = LOG.split('\n');
    // Lines that the agent saw stay on the page; the lines between them are folded.
    expect(JSON.parse(seen).result.content[0].text).toContain(lines[start - 2]);
    expect(JSON.parse(seen).result.content[0].text).toContain(lines[end]);
    expect(await page.locator('.kept[data-line="1"]').count()).toBeGreaterThan(0);
    expect(await page.locator('[data-line="131"]').count()).toBe(0);
    await block.getByRole('button', { name: 'Recover' }).click();
    await page.getByText(`copied (${start}–${end})`).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      lines.slice(start - 1, end).join('\n'),
    );
    const told = JSON.parse(await started.up.run('explain', id, '--json'));
    expect(told).toMatchObject({ cut: { kind: 'masked', system: 'gateway', server: 'logs', tool: 'tail' } });
  });
});
