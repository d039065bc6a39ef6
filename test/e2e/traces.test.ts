import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../packages/base/src/runtime/time.ts';
import { Traces } from '../../packages/secateur/src/savings/traces.ts';
import { eventually } from '../support/eventually.ts';
import { LOG } from '../support/page.ts';
import { startUp } from '../support/up.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: { key: string; value: { intValue?: string; stringValue?: string } }[];
}

it.each([{ carriedIn: 'a header' }, { carriedIn: 'the message' }])(
  '[AU14] a trace in $carriedIn includes the spans of gateway and pruning, which contain no text of the output',
  async ({ carriedIn }) => {
    const collector = await startCollector();
    const up = await startUp({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20dTpw, broken, x-team=a',
    });
    onTestFinished(() => up.stop());
    const [traceId, client] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    const options = {
      ...{ max_prune_ratio: 0.8, min_keep_lines: 0, timeout_ms: 20_000 },
      ...{ annotate_lines: false, include_markers: true },
    };
    const args = { text: LOG, goal_hint: 'why was the payment refused?', source_type: 'logs', options };
    const traceparent = `00-${traceId}-${client}-01`;
    const isHeader = carriedIn === 'a header';
    const params = { name: 'prune_text', arguments: args, ...(!isHeader && { _meta: { traceparent } }) };
    await fetch(`${up.gateway}/api/mcp-gateway/pruner/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(isHeader && { traceparent }) },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const named = (name: string) => collector.spans.find((span) => span.name === name);
    const cut = await eventually(async () => named('secateur cut'), 'a span of the cut');
    await eventually(async () => named('secateur gateway'), 'a span of the gateway');
    for (const name of ['secateur gateway', 'secateur pruner', 'secateur cut'])
      expect(named(name), name).toMatchObject({ traceId });
    expect(named('secateur gateway')?.parentSpanId).toBe(client);
    expect(cut.parentSpanId).toBe(named('secateur pruner')?.spanId);
    const attributes = Object.fromEntries(cut.attributes.map(({ key, value }) => [key, value]));
    const { bySystem } = JSON.parse(await up.run('stats', '--json'));
    expect(attributes['secateur.tokens_before']?.intValue).toBe(String(bySystem.pruner.tokensBefore));
    expect(attributes['secateur.outcome']?.stringValue).toBe('done');
    expect(JSON.stringify(collector.spans)).not.toMatch(/payment|worker|prn_/);
    expect(collector.headers).toMatchObject({ authorization: 'Basic dTpw', 'x-team': 'a' });
    expect(collector.spans.map(({ name, kind }) => [name, kind])).toEqual(
      expect.arrayContaining([
        ['secateur gateway', SERVER],
        ['secateur pruner', SERVER],
        ['secateur cut', INTERNAL],
      ]),
    );
  },
);

const [INTERNAL, SERVER] = [1, 2];

it('[AU14] Traces does not send a trace that its client does not sample', async () => {
  const sent: string[] = [];
  const traces = new Traces({
    ...{ endpoint: 'http://collector.example', headers: undefined, version: '1', clock: systemClock },
    randomBytes,
    fetch: async (_, init) => {
      sent.push(String(init?.body));
      return new Response('{}');
    },
  });
  const entry = {
    system: 'pruner',
    kind: 'recovered',
    tool: 'recover_text',
    tokensBefore: 0,
    tokensAfter: 0,
  } as const;
  for (const flags of ['00', '02', '03']) {
    const traceparent = () => `00-${'a'.repeat(32)}-${'b'.repeat(16)}-${flags}`;
    const call = { server: `s${flags}`, traceparent, requestBytes: 1, status: () => 200 };
    await traces.around(call, async () => traces.record(entry));
  }
  await traces.flush();
  expect(sent).toHaveLength(1);
  const { spans } = JSON.parse(sent[0] ?? '').resourceSpans[0].scopeSpans[0];
  expect(spans.map(({ name, kind }: Span) => [name, kind])).toEqual([
    ['secateur recovered', INTERNAL],
    ['secateur s03', SERVER],
  ]);
});

/** A collector that keeps what it is sent. */
async function startCollector(): Promise<{ url: string; spans: Span[]; headers: IncomingHttpHeaders }> {
  const spans: Span[] = [];
  const headers: IncomingHttpHeaders = {};
  const server = createServer(async (request, response) => {
    Object.assign(headers, request.headers);
    const body = (await json(request)) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
    if (request.url === '/v1/traces')
      spans.push(...body.resourceSpans.flatMap((each) => each.scopeSpans.flatMap((scope) => scope.spans)));
    response.end('{}');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, headers };
}
