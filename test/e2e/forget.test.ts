import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../packages/base/src/runtime/time.ts';
import { noteKey, ownedStore } from '../../packages/engine/src/recovery/store.ts';
import { EmbeddedStore } from '../../packages/engine/src/recovery/stores/embedded.ts';
import { TEST_RUN } from '../support/hook-events.ts';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';

/** Cuts a text and returns the id under which it is stored. */
async function cut(dataDir: string, text = TEST_RUN): Promise<string> {
  const { stdout } = await secateur(['prune', '--type', 'logs', '-g', 'why does retry fail?'], {
    dataDir,
    input: text,
  });
  return /prn_[0-9A-Z]+/.exec(stdout)?.[0] ?? '';
}

const NOT_STORED = { code: 1, stdout: '', stderr: expect.stringContaining('The id is unknown') };

describe('secateur forget', () => {
  it('[A17] forget ID deletes one stored output, and status counts the remaining outputs', async () => {
    const dataDir = temporaryFolder();
    const empty = await secateur(['status'], { dataDir });
    expect(empty.stdout).toMatch(/^secateur is not up\.\nCuts are on here .*\n$/);
    const [one, other] = [await cut(dataDir), await cut(dataDir, `${TEST_RUN}\nmore`)];
    const before = await secateur(['status', '--json'], { dataDir });
    expect(JSON.parse(before.stdout)).toMatchObject({ running: false, stored: { texts: 2 } });
    expect(await secateur(['forget', one], { dataDir })).toMatchObject({
      code: 0,
      stdout: `Deleted ${one}.\n`,
    });
    expect(await secateur(['recover', one, '1'], { dataDir })).toMatchObject({ code: 1 });
    expect(await secateur(['recover', other, '1'], { dataDir })).toMatchObject({ code: 0 });
    expect(await secateur(['forget', one], { dataDir })).toMatchObject(NOT_STORED);
    expect((await secateur(['status'], { dataDir })).stdout).toMatch(
      /^secateur is not up\.\nCuts are on here .*\nStored outputs: 1 \(\d+\.\d MB on disk\), the last until \d{4}-\d\d-\d\d \d\d:\d\d UTC; `secateur forget --all` deletes them\.\n$/,
    );
  });

  it('[A17] forget ID deletes the output for every user that stored it', async () => {
    const dataDir = temporaryFolder();
    await secateur(['token', 'add', 'alice'], { dataDir });
    const limits = { ttlMs: 60_000, maxBytes: 1e8, clock: systemClock, randomBytes };
    const embedded = await EmbeddedStore.open({ directory: join(dataDir, 'recovery'), ...limits });
    const store = ownedStore(embedded, () => 'alice');
    for (const key of ['prn_A', noteKey('prn_A')]) await store.put(key, 'text');
    expect(await secateur(['forget', 'prn_A'], { dataDir })).toMatchObject({ code: 0 });
    expect(await embedded.usage()).toEqual({ texts: 0, bytes: 0 });
    await store.close();
  });

  it('[A17] forget --all deletes all outputs and every store that was set aside', async () => {
    const dataDir = temporaryFolder();
    mkdirSync(join(dataDir, 'recovery'));
    writeFileSync(join(dataDir, 'recovery', 'data.mdb'), 'texts of an earlier version');
    const id = await cut(dataDir);
    expect(await secateur(['forget', '--all'], { dataDir })).toMatchObject({
      code: 0,
      stdout: 'Deleted 1 stored outputs.\n',
    });
    expect(await secateur(['recover', id, '1'], { dataDir })).toMatchObject({ code: 1 });
    const { stdout } = await secateur(['status', '--json'], { dataDir });
    expect(JSON.parse(stdout).stored).toEqual({ texts: 0, bytes: 0 });
  });

  it('[A17] forget fails without an id, with both an id and --all, and if a store cannot be emptied', async () => {
    expect(await secateur(['forget'])).toMatchObject({ code: 2 });
    expect(await secateur(['forget', '--all', 'prn_x'])).toMatchObject({ code: 2 });
    expect(await secateur(['forget', '--all', '--store', 'memory'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('secateur stop'),
    });
  });
});
