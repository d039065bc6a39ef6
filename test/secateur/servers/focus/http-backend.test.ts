import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createRecovery } from '../../../../packages/engine/src/recovery/recovery.ts';
import { MemoryStore } from '../../../../packages/engine/src/recovery/stores/memory.ts';
import { httpBackend } from '../../../../packages/secateur/src/servers/focus/backend.ts';
import { sendJson, standInPruner, startFocus } from '../../../support/focus.ts';
import { handClock } from '../../../support/hand-clock.ts';
import { temporaryTree } from '../../../support/temporary-tree.ts';

const foreign = '⟦PRUNÉ: prune_id=prn_OF_ANOTHER_TEXT lignes 4-9 (6) raison=hors focus⟧';
const given = '⟦PRUNÉ: prune_id=prn_OF_THE_SERVICE lignes 2-3 (2) raison=hors focus⟧';

it('[X11] [P19] httpBackend keeps the ids of markers in the input, and replaces ids of markers of the service', async () => {
  const store = new MemoryStore({ ttlMs: 1e6, maxBytes: 1e6, clock: handClock(), randomBytes });
  const recovery = createRecovery({ store, randomBytes });
  const output = `${foreign}\n${given}\nlast`;
  const fetchStandIn = async () => Response.json({ output, output_bytes: Buffer.byteLength(output) });
  const url = 'http://127.0.0.1:1/prune';
  const backend = httpBackend({
    url,
    timeoutMs: 1000,
    recovery,
    fetch: fetchStandIn as typeof fetch,
  });
  const answer = await backend.prune({
    requestId: 'r',
    tool: 'read',
    question: 'what is last?',
    text: `${foreign}\n${'a'.repeat(50)}\n${'b'.repeat(50)}\nlast`,
    sourceType: 'code',
    origin: { kind: 'file', path: 'a.ts' },
    maxOutputBytes: undefined,
    command: 'a.ts',
    style: { markers: 'canonical', numbered: false },
    signal: new AbortController().signal,
  });
  if (answer.kind !== 'pruned') throw new Error(answer.kind);
  expect(answer.text).toBe(`${foreign}\n${given.replace('prn_OF_THE_SERVICE', answer.pruneId ?? '')}\nlast`);
});

const ASK = { context_focus_question: 'Which line is kept?' };

/** A service that keeps the lines with `keep` in them. */
function keepingPruner() {
  return standInPruner(({ input }, response) => {
    const output = String(input)
      .split('\n')
      .filter((line) => line.includes('keep') || line === '[stderr]')
      .join('\n');
    sendJson(response, { output, output_bytes: Buffer.byteLength(output) });
  });
}

it.each([
  {
    cmd: 'echo one; echo keep 2; echo three >&2; echo keep 4 >&2',
    input: 'one\nkeep 2\n[stderr]\nthree\nkeep 4\n',
    shown: { stdout: 'keep 2\n', stderr: 'keep 4' },
  },
  { cmd: 'printf one; printf keep >&2', input: 'one\n[stderr]\nkeep', shown: { stdout: '', stderr: 'keep' } },
  { cmd: 'echo keep; echo two', input: 'keep\ntwo\n', shown: { stdout: 'keep', stderr: '' } },
  {
    cmd: 'echo keep >&2; echo two >&2',
    input: '[stderr]\nkeep\ntwo\n',
    shown: { stdout: '', stderr: 'keep' },
  },
])(
  'bash sends one request with the raw output that the model would see: $cmd [F9]',
  async ({ cmd, input, shown }) => {
    const pruner = await keepingPruner();
    const focus = await startFocus({ root: await temporaryTree(), endpoint: pruner.url });
    const { content, structuredContent } = await focus.call('bash', { cmd, ...ASK });
    expect(pruner.requests).toEqual([
      {
        request_id: expect.any(String),
        tool: 'bash',
        focus_question: ASK.context_focus_question,
        input,
        input_bytes: Buffer.byteLength(input),
      },
    ]);
    expect(structuredContent).toMatchObject({ ...shown, pruning: { applied: true, attempted: true } });
    expect(content[0]?.text).toMatch(/\[pruned; recover_text gives removed lines back: prune_id=prn_/);
    // Line numbers count the lines of the sent text.
    const { prune_id } = structuredContent.pruning;
    const back = await focus.call('recover_text', { prune_id, ranges: [{ start_line: 1, end_line: 1 }] });
    expect(back.content[0]?.text).toContain(input.split('\n')[0]);
  },
);

it('bash keeps text in its stream if the service drops the line [stderr] [F9]', async () => {
  const pruner = await standInPruner((_, response) => sendJson(response, { output: 'b', output_bytes: 1 }));
  const focus = await startFocus({ root: await temporaryTree(), endpoint: pruner.url });
  const both = await focus.call('bash', { cmd: 'echo a; echo b >&2', ...ASK });
  expect(both.structuredContent).toMatchObject({ stdout: 'b', stderr: '' });
  const errors = await focus.call('bash', { cmd: 'echo a >&2; echo b >&2', ...ASK });
  expect(errors.structuredContent).toMatchObject({ stdout: '', stderr: 'b' });
});

it('httpBackend ignores a response that is longer than its input [F12]', async () => {
  const pruner = await standInPruner(({ input }, response) =>
    sendJson(response, { output: `${input}é`, output_bytes: 3 }),
  );
  const focus = await startFocus({
    root: await temporaryTree({ 'a.txt': 'one\ntwo\n' }),
    endpoint: pruner.url,
  });
  const { structuredContent } = await focus.call('read', { path: 'a.txt', ...ASK });
  expect(structuredContent).toMatchObject({
    content: 'one\ntwo\n',
    pruning: {
      attempted: true,
      applied: false,
      fallback: true,
      reason: 'pruner_error',
      error: { code: 'invalid_response', message: 'the answer is longer than its input' },
    },
  });
});
