import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../../packages/base/src/runtime/time.ts';
import { noLedger } from '../../../../packages/secateur/src/savings/ledger.ts';
import { createPrunerServer } from '../../../../packages/secateur/src/servers/pruner/server.ts';
import { serveHttp } from '../../../../packages/serving/src/wire/http-host.ts';
import { sendJson, standInPruner, startFocus } from '../../../support/focus.ts';
import { testPruner } from '../../../support/pruner.ts';
import { temporaryTree } from '../../../support/temporary-tree.ts';

const MODULE = Array.from({ length: 25 }, (_, index) =>
  [
    `def handler_${index}(request):`,
    ...Array.from(
      { length: 12 },
      (_, step) => `    audit_trail.append(decode_body(request, field=${index * 12 + step}))`,
    ),
    index === 17
      ? '    return retry_with_backoff(payload, attempts=5)'
      : `    return render(payload, ${index})`,
    '',
  ].join('\n'),
).join('\n');

const QUESTION = 'How many attempts does retry_with_backoff make?';

it('read without a pruner prunes nothing, and its result states the reason [F9] [F3] [FT8]', async () => {
  const focus = await startFocus({ root: await temporaryTree({ 'a.py': MODULE }) });
  const { structuredContent } = await focus.call('read', { path: 'a.py', context_focus_question: QUESTION });
  expect(structuredContent.content).toBe(MODULE);
  expect(structuredContent.pruning).toMatchObject({
    attempted: false,
    applied: false,
    reason: 'disabled_or_unconfigured',
  });
});

it('[A17] the focus tools prune nothing in a project that switches pruning off', async () => {
  const root = await temporaryTree({ 'a.py': MODULE });
  const asked: string[] = [];
  const isOff = (folder: string) => asked.push(folder) === 1;
  const focus = await startFocus({ root, endpoint: 'embedded', isOff });
  const ask = { path: 'a.py', context_focus_question: QUESTION };
  const off = (await focus.call('read', ask)).structuredContent;
  expect(off.content).toBe(MODULE);
  expect(off.pruning).toMatchObject({ attempted: false, reason: 'disabled_or_unconfigured' });
  expect((await focus.call('read', ask)).structuredContent.pruning).toMatchObject({ applied: true });
  expect(asked).toEqual([root.real, root.real]);
});

it('read does not send an empty output to the pruner [F3]', async () => {
  const focus = await startFocus({ root: await temporaryTree({ 'a.py': '' }), endpoint: 'embedded' });
  const { structuredContent } = await focus.call('read', { path: 'a.py', context_focus_question: QUESTION });
  expect(structuredContent.pruning).toMatchObject({ attempted: false, reason: 'output_empty', raw_bytes: 0 });
});

it('read returns an output above the size limit unpruned, unless max_output_bytes shortens it below the limit [F3] [F8] [FT9] [FT6]', async () => {
  const root = await temporaryTree({ 'a.py': MODULE });
  const focus = await startFocus({ root, endpoint: 'embedded', maxPruneInputBytes: 2048 });
  const ask = { path: 'a.py', context_focus_question: QUESTION };
  const large = (await focus.call('read', ask)).structuredContent;
  expect(large.pruning).toMatchObject({
    attempted: false,
    reason: 'too_large',
    raw_bytes: Buffer.byteLength(MODULE),
  });
  const cut = (await focus.call('read', { ...ask, max_output_bytes: 2048 })).structuredContent;
  expect(cut.pruning).toMatchObject({ attempted: true, raw_bytes: 2048 });
});

it('read prunes with the embedded engine, and recover_text of that server returns every removed line [F9] [F10] [FT10] [FT11] [FT15]', async () => {
  const focus = await startFocus({ root: await temporaryTree({ 'a.py': MODULE }), endpoint: 'embedded' });
  const { structuredContent } = await focus.call('read', { path: 'a.py', context_focus_question: QUESTION });
  expect(structuredContent.pruning).toMatchObject({ attempted: true, applied: true, fallback: false });
  expect(structuredContent.pruning.pruned_bytes).toBe(Buffer.byteLength(structuredContent.content));
  expect(structuredContent.pruning.pruned_bytes).toBeLessThan(structuredContent.pruning.raw_bytes);
  expect(structuredContent.content).toContain('attempts=5');

  let restored = structuredContent.content;
  const markers = [...restored.matchAll(/⟦PRUNÉ: prune_id=(\S+) lignes (\d+)-(\d+) [^⟧]*⟧/g)];
  expect(markers.length).toBeGreaterThan(0);
  for (const [marker, prune_id, start, end] of markers) {
    const ranges = [{ start_line: Number(start), end_line: Number(end) }];
    const { result } = await focus.rpc('tools/call', {
      name: 'recover_text',
      arguments: { prune_id, ranges, include_line_numbers: false },
    });
    restored = restored.replace(marker, JSON.parse(result.content[0].text).raw_text);
  }
  expect(restored).toBe(MODULE);

  expect((await focus.event('pruner.call_start')).data).toEqual({
    endpoint: 'embedded',
    tool: 'read',
    input_bytes: Buffer.byteLength(MODULE),
  });
  expect((await focus.event('pruner.call_ok')).data).toMatchObject({ tool: 'read' });
  expect((await focus.event('tool.respond_ok')).data).toEqual({ tool: 'read', mode: 'pruned' });
  expect(focus.savings).toMatchObject([
    { kind: 'cut', system: 'focus', tool: 'read', pruneId: markers[0]?.[1] },
    ...markers.map(() => ({ kind: 'recovered', system: 'focus' })),
  ]);
});

it('read sends an endpoint the request of the contract and returns the output of the endpoint [F9] [FT11] [FEV6] [FEV7]', async () => {
  const pruner = await standInPruner((_body, response) =>
    sendJson(response, { output: 'just this', output_bytes: 9 }),
  );
  const focus = await startFocus({ root: await temporaryTree({ 'a.py': MODULE }), endpoint: pruner.url });
  const ask = { path: 'a.py', context_focus_question: QUESTION, max_output_bytes: 4096 };
  const { structuredContent, content } = await focus.call('read', ask);
  const input = MODULE.slice(0, 4096);
  expect(pruner.requests).toEqual([
    {
      request_id: expect.any(String),
      tool: 'read',
      focus_question: QUESTION,
      input,
      input_bytes: 4096,
      max_output_bytes: 4096,
    },
  ]);
  expect(structuredContent).toMatchObject({
    content: 'just this',
    pruning: { attempted: true, applied: true, fallback: false, raw_bytes: 4096, pruned_bytes: 9 },
  });
  expect(structuredContent.pruning.pruner_duration_ms).toEqual(expect.any(Number));
  const { prune_id } = structuredContent.pruning;
  expect(content[0]?.text).toContain(`prune_id=${prune_id}`);
  const ranges = [{ start_line: 1, end_line: 1 }];
  const { result } = await focus.rpc('tools/call', {
    name: 'recover_text',
    arguments: { prune_id, ranges, include_line_numbers: false },
  });
  expect(JSON.parse(result.content[0].text).raw_text).toBe('def handler_0(request):');
  const start = await focus.event('pruner.call_start');
  expect(start.data).toEqual({ endpoint: pruner.url, tool: 'read', input_bytes: 4096 });
  expect(start.request_id).toBe(pruner.requests[0]?.request_id);
  expect((await focus.event('pruner.call_ok')).data).toEqual({
    tool: 'read',
    pruner_duration_ms: expect.any(Number),
    pruned_bytes: 9,
  });
});

it('recover_text returns lines that a pruner at another endpoint removed [F10]', async () => {
  const marker = '⟦PRUNÉ: prune_id=prn_FOREIGN lignes 2-3 (2) raison=hors focus⟧';
  const pruner = await standInPruner((_body, response) =>
    sendJson(response, { output: `def handler_0(request):\n${marker}`, output_bytes: 1 }),
  );
  const focus = await startFocus({ root: await temporaryTree({ 'a.py': MODULE }), endpoint: pruner.url });
  const { structuredContent } = await focus.call('read', { path: 'a.py', context_focus_question: QUESTION });
  const prune_id = /prune_id=(prn_[0-9A-Z]{10,26}) lignes 2-3/.exec(structuredContent.content)?.[1];
  const args = { prune_id, ranges: [{ start_line: 2, end_line: 3 }], include_line_numbers: false };
  const { result } = await focus.rpc('tools/call', { name: 'recover_text', arguments: args });
  expect(JSON.parse(result.content[0].text).raw_text).toBe(MODULE.split('\n').slice(1, 3).join('\n'));
  expect(structuredContent.pruning).not.toHaveProperty('prune_id');
});

it('read calls a public SWE-Pruner in its own format after one refusal [F11]', async () => {
  const pruner = await standInPruner((body, response) => {
    if (body.query === undefined) return sendJson(response, { detail: 'field required: query' }, 422);
    sendJson(response, {
      score: 0.4,
      pruned_code: '(filtered 9 lines)\nkept',
      kept_frags: [10],
      error_msg: null,
    });
  });
  const focus = await startFocus({ root: await temporaryTree({ 'a.py': MODULE }), endpoint: pruner.url });
  for (let round = 0; round < 2; round += 1) {
    const { structuredContent } = await focus.call('read', {
      path: 'a.py',
      context_focus_question: QUESTION,
    });
    expect(structuredContent).toMatchObject({
      content: '(filtered 9 lines)\nkept',
      pruning: { applied: true },
    });
  }
  expect(pruner.requests.map((body) => Object.keys(body))).toEqual([
    ['request_id', 'tool', 'focus_question', 'input', 'input_bytes'],
    ['query', 'code'],
    ['query', 'code'],
  ]);
});

const FAILURES = [
  { name: 'a hanging pruner', code: 'timeout', answer: () => {} },
  { name: 'HTTP 500', code: 'http_error', answer: (response) => sendJson(response, {}, 500) },
  { name: 'HTTP 422 to both shapes', code: 'http_error', answer: (response) => sendJson(response, {}, 422) },
  {
    name: 'a redirect',
    code: 'http_error',
    answer: (response) => response.writeHead(302, { location: '/x' }).end(),
  },
  { name: 'a torn connection', code: 'http_error', answer: (response) => response.destroy() },
  { name: 'no JSON', code: 'invalid_response', answer: (response) => response.end('<html>') },
  { name: 'no fields', code: 'invalid_response', answer: (response) => sendJson(response, {}) },
  { name: 'null', code: 'invalid_response', answer: (response) => sendJson(response, null) },
  {
    name: 'a wrong type',
    code: 'invalid_response',
    answer: (response) => sendJson(response, { output: 7, output_bytes: 1 }),
  },
  {
    name: 'a missing count',
    code: 'invalid_response',
    answer: (response) => sendJson(response, { output: 'x' }),
  },
] satisfies { name: string; code: string; answer: (response: import('node:http').ServerResponse) => void }[];

it('read returns the raw output with the reason after any error of the pruner [F12] [FT12] [FT13] [FE5] [FE6] [FE7] [FEV8] [F3]', async () => {
  const root = await temporaryTree({ 'a.py': MODULE });
  for (const { name, code, answer } of FAILURES) {
    const pruner = await standInPruner((_body, response) => answer(response));
    const focus = await startFocus({ root, endpoint: pruner.url, prunerTimeoutMs: 200 });
    const { structuredContent, isError } = await focus.call('read', {
      path: 'a.py',
      context_focus_question: QUESTION,
    });
    expect(isError, name).toBeUndefined();
    expect(structuredContent, name).toMatchObject({
      content: MODULE,
      pruning: {
        attempted: true,
        applied: false,
        fallback: true,
        reason: 'pruner_error',
        error: { code, message: expect.any(String) },
      },
    });
    await focus.event(`pruner.${code}`);
    expect((await focus.event('pruner.call_failed')).data, name).toEqual({
      tool: 'read',
      reason: code,
      pruner_duration_ms: expect.any(Number),
      message: expect.any(String),
    });
    expect((await focus.event('tool.respond_ok')).data, name).toMatchObject({ mode: 'raw' });
  }
});

it('read reports http_error if no pruner listens at the endpoint [F12] [FE6]', async () => {
  const focus = await startFocus({
    root: await temporaryTree({ 'a.py': MODULE }),
    endpoint: 'http://127.0.0.1:9/prune',
  });
  const { structuredContent } = await focus.call('read', { path: 'a.py', context_focus_question: QUESTION });
  expect(structuredContent).toMatchObject({
    content: MODULE,
    pruning: { fallback: true, error: { code: 'http_error' } },
  });
});

it('read returns the same result for the same question and output', async () => {
  const focus = await startFocus({ root: await temporaryTree({ 'a.py': MODULE }), endpoint: 'embedded' });
  const ask = async () =>
    (await focus.call('read', { path: 'a.py', context_focus_question: QUESTION })).content;
  expect(await ask()).toEqual(await ask());
});

it('read prunes nothing without a question; text and structured content contain the output once each [F14]', async () => {
  const focus = await startFocus({ root: await temporaryTree({ 'a.py': MODULE }), endpoint: 'embedded' });
  const pruned = await focus.call('read', { path: 'a.py', context_focus_question: QUESTION });
  const { content, ...metadata } = pruned.structuredContent;
  expect(pruned.content).toEqual([{ type: 'text', text: content }]);
  expect(JSON.stringify(metadata)).not.toContain('attempts=5');
  expect(JSON.stringify(metadata).length).toBeLessThan(300);
  expect(Object.keys(pruned.structuredContent).at(-1)).toBe('content');
});

it('the focus tools return only text if textOnly is configured [F14]', async () => {
  const root = await temporaryTree({ 'a.py': MODULE });
  const focus = await startFocus({ root, endpoint: 'embedded', textOnly: true });
  const pruned = await focus.call('read', { path: 'a.py', context_focus_question: QUESTION });
  expect(Object.keys(pruned)).toEqual(['content']);
  expect(pruned.content[0]?.text).toMatch(/^✂ prn_[\s\S]*attempts=5/);
  expect(await focus.call('bash', { cmd: 'echo x; exit 3' })).toEqual({
    content: [{ type: 'text', text: '[exit code 3]\nx\n' }],
    isError: true,
  });
});

it('read accepts another Sécateur as endpoint, and recover_text returns the lines that it removed [F9] [F10]', async () => {
  const remote = testPruner();
  const { routes } = createPrunerServer({
    pruner: remote,
    recovery: remote.recovery,
    ledger: noLedger,
    clock: systemClock,
    version: '0',
  });
  const service = await serveHttp({ host: '127.0.0.1', port: 0, routes, closeGraceMs: 50 });
  onTestFinished(() => service.close());
  const root = await temporaryTree({ 'a.py': MODULE });
  const focus = await startFocus({ root, endpoint: `${service.url}/prune` });
  const { structuredContent } = await focus.call('read', { path: 'a.py', context_focus_question: QUESTION });
  expect(structuredContent.pruning).toMatchObject({ applied: true });
  const [, prune_id, start, end] = /prune_id=(\S+) lignes (\d+)-(\d+)/.exec(structuredContent.content) ?? [];
  const ranges = [{ start_line: Number(start), end_line: Number(end) }];
  const { result } = await focus.rpc('tools/call', {
    name: 'recover_text',
    arguments: { prune_id, ranges, include_line_numbers: false },
  });
  const lines = MODULE.split('\n').slice(Number(start) - 1, Number(end));
  expect(JSON.parse(result.content[0].text).raw_text).toBe(lines.join('\n'));
});
