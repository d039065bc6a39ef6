import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createSecateur, type SecateurOptions } from '../../packages/engine/src/secateur.ts';
import { startRedis } from '../support/redis.ts';
import { temporaryFolder } from '../support/secateur-cli.ts';
import { describeWith } from '../support/system-parts.ts';

const run = readFileSync(new URL('../../examples/failing-test-run.txt', import.meta.url), 'utf8');
const source = readFileSync(
  new URL('../../packages/engine/src/recovery/recovery.ts', import.meta.url),
  'utf8',
);
const command = 'python -m unittest -v';

async function opened(options?: SecateurOptions) {
  const secateur = await createSecateur(options);
  onTestFinished(() => secateur.close());
  return secateur;
}

it('[L1] cut removes passed tests of a run, and recover returns each gap exactly', async () => {
  const secateur = await opened();
  const cut = await secateur.cut(run, { command, task: 'Why does the test fail?' });
  expect(cut.whole).toBeUndefined();
  expect(cut.tokensAfter).toBeLessThan(cut.tokensBefore / 2);
  expect(cut.text).toContain('FAIL');
  expect(cut.text).toContain(`✂ ${cut.id}: `);
  const lines = run.split('\n');
  for (const { start, end, reason } of cut.gaps) {
    expect(reason).not.toBe('');
    expect(await secateur.recover(cut.id ?? '', [{ start, end }])).toBe(
      lines.slice(start - 1, end).join('\n'),
    );
  }
  expect(await secateur.recover(cut.id ?? '')).toBe(run.replace(/\n$/, ''));
});

it('[L1] cut of a part of a file writes line numbers of the file, and recover accepts those numbers', async () => {
  const secateur = await opened();
  const lines = source.split('\n');
  const cut = await secateur.cut(lines.slice(40).join('\n'), {
    path: 'src/recovery/recovery.ts',
    firstLine: 41,
    question: 'How is an id encoded in Crockford base32?',
  });
  const [gap] = cut.gaps;
  expect(gap?.start).toBeGreaterThan(40);
  expect(await secateur.recover(cut.id ?? '', gap && [gap])).toBe(
    lines.slice((gap?.start ?? 0) - 1, gap?.end).join('\n'),
  );
});

it('[L1] cut returns the output of a precise request unchanged, but shortens it if the call has a question', async () => {
  const secateur = await opened();
  const asked = { path: 'src/recovery/recovery.ts', command: "sed -n '1,240p' src/recovery/recovery.ts" };
  expect(await secateur.cut(source, asked)).toMatchObject({ text: source, whole: 'nothing_to_remove' });
  const cut = await secateur.cut(source, { ...asked, question: 'How is an id encoded in Crockford base32?' });
  expect(cut.text).toContain('function crockford');
  expect(cut.tokensAfter).toBeLessThan(cut.tokensBefore);
});

it('[L1] cut with maxPruneRatio removes at most that share of the lines, as prune_text does', async () => {
  const secateur = await opened();
  const cut = await secateur.cut(source, {
    question: 'Crockford base32',
    maxPruneRatio: 0.3,
    sourceType: 'code',
    markers: 'canonical',
  });
  const removed = cut.gaps.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  expect(removed).toBeGreaterThan(0);
  expect(removed).toBeLessThanOrEqual(Math.floor(source.split('\n').length * 0.3));
  expect(cut.text).toContain(`⟦PRUNÉ: prune_id=${cut.id} `);
});

it('[L1] cut replaces a block that the model was shown before by a marker', async () => {
  const secateur = await opened();
  const asked = { path: 'src/recovery/recovery.ts', task: 'Change how ids are made' };
  const half = source.slice(0, source.length / 2);
  const shown = [{ call: "sed -n '1,120p' src/recovery/recovery.ts", text: half }];
  const cut = await secateur.cut(source, { ...asked, shown });
  expect(cut.gaps[0]?.reason).toContain('shown');
});

it('[L1] Secateur.explain returns the rule of each gap and a reason for each kept line', async () => {
  const secateur = await opened();
  const { id = '', gaps } = await secateur.cut(run, { command });
  const explained = await secateur.explain(id);
  expect(explained).toMatchObject({ id, lines: run.split('\n').length - 1 });
  expect(explained?.removed.map(({ start, end }) => [start, end])).toEqual(
    gaps.map(({ start, end }) => [start, end]),
  );
  expect(explained?.removed[0]).toMatchObject({
    rule: 'passed-tests',
    why: expect.stringContaining('passed'),
  });
  expect(explained?.kept[0]?.why).toEqual(expect.any(String));
  expect(await secateur.explain('prn_0000000000')).toBeUndefined();
});

it('[L1] recoverTool returns numbered lines, and returns a sentence instead of throwing an error', async () => {
  const secateur = await opened();
  const { id, gaps } = await secateur.cut(run, { command });
  const [{ start, end } = { start: 1, end: 1 }] = gaps;
  const { recoverTool } = secateur;
  const lines = await recoverTool.call({ prune_id: id, ranges: [{ start_line: start, end_line: end }] });
  expect(lines).toContain(`${start}│ ${run.split('\n')[start - 1]}`);
  expect(
    await recoverTool.call({ prune_id: 'prn_0000000000', ranges: [{ start_line: 1, end_line: 2 }] }),
  ).toMatch(/^prune_id_not_found: /);
  expect(await recoverTool.call({ prune_id: 7, ranges: [] })).toContain('prune_id');
  expect(recoverTool.inputSchema).toMatchObject({ type: 'object', required: ['prune_id', 'ranges'] });
});

it('[L1] recover rejects with a code and a hint if the id is unknown or the lines do not exist', async () => {
  const secateur = await opened();
  const { id = '' } = await secateur.cut(run, { command });
  await expect(secateur.recover('prn_0000000000')).rejects.toMatchObject({ code: 'prune_id_not_found' });
  await expect(secateur.recover(id, [{ start: 9000, end: 9001 }])).rejects.toMatchObject({
    code: 'invalid_range',
    hint: expect.stringContaining('between 1 and'),
  });
});

it('[L1] cut returns the original text after every failure', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, 'not a folder');
  const secateur = await opened({ dataDir: file });
  expect(await secateur.cut(run, { command })).toMatchObject({ text: run, whole: 'recovery_unavailable' });
  const closed = await createSecateur();
  await closed.close();
  expect(await closed.cut(run, { command })).toMatchObject({ text: run, whole: 'closed' });
  const other = await opened();
  expect(await other.cut(run, { maxPruneRatio: 2 })).toMatchObject({ text: run, whole: 'invalid_option' });
  expect(await other.cut('short')).toMatchObject({ text: 'short', whole: 'too_short' });
  const binary = `\u0000${run}`;
  expect(await other.cut(binary)).toMatchObject({ text: binary, whole: 'not_text' });
  const odd = { command: 7 } as unknown as { command: string };
  expect(await other.cut(run, odd)).toMatchObject({ text: run, whole: 'internal_error' });
});

it('[L1] createSecateur rejects an unknown store, and its message does not contain the address of the store', async () => {
  await expect(createSecateur({ store: 'mysql://me:secret@host' })).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.not.stringContaining('secret'),
  });
  await expect(createSecateur({ store: 'files' })).rejects.toMatchObject({ code: 'config_invalid' });
  await expect(createSecateur({ maxWorkers: -1 })).rejects.toMatchObject({ code: 'config_invalid' });
});

it('[L1] an aborted signal closes the instance of createSecateur', async () => {
  const controller = new AbortController();
  const secateur = await opened({ signal: controller.signal });
  await secateur.cut(run, { command });
  controller.abort();
  expect(await secateur.cut(run, { command })).toMatchObject({ text: run, whole: 'closed' });
});

it('[L1] text stored in dataDir can be recovered by another instance of createSecateur with that folder', async () => {
  const dataDir = temporaryFolder();
  const first = await opened({ dataDir, maxWorkers: 0 });
  const { id = '' } = await first.cut(run, { command });
  await first.close();
  const second = await opened({ dataDir, maxWorkers: 0 });
  expect(await second.recover(id)).toBe(run.replace(/\n$/, ''));
});

it('[L2] createSecateur writes nothing and starts no worker before the first cut', async () => {
  const dataDir = join(temporaryFolder(), 'data');
  const before = process.getActiveResourcesInfo();
  const secateur = await opened({ dataDir });
  expect(secateur.recoverTool.name).toBe('recover_text');
  expect(existsSync(dataDir)).toBe(false);
  expect(process.getActiveResourcesInfo()).toEqual(before);
  await secateur.cut('short');
  expect(existsSync(dataDir)).toBe(false);
  await secateur.cut(run, { command });
  expect(readdirSync(dataDir)).toEqual(['recovery']);
});

it('[L2] cut with `maxWorkers: 0` runs in the calling thread and returns the result that a worker returns', async () => {
  const [inline, threaded] = await Promise.all([opened({ maxWorkers: 0 }), opened()]);
  const asked = { command, task: 'Why does the test fail?' };
  const [one, other] = await Promise.all([inline.cut(run, asked), threaded.cut(run, asked)]);
  expect(one.gaps).toEqual(other.gaps);
});

describeWith(['redis-server'], 'createSecateur with a Redis', () => {
  it('[L1] createSecateur keeps removed text in the Redis that its option `store` names', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const first = await opened({ store: redis.url, maxWorkers: 0 });
    const { id = '' } = await first.cut(run, { command });
    const second = await opened({ store: redis.url, maxWorkers: 0 });
    expect(await second.recover(id)).toBe(run.replace(/\n$/, ''));
  });
});
