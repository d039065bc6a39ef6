import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LOG } from '../../support/page.ts';
import { secateur, temporaryFolder } from '../../support/secateur-cli.ts';

it('[AU6] secateur explain prints the reason for each removed block and each kept line', async () => {
  const dataDir = temporaryFolder();
  writeFileSync(join(dataDir, 'run.log'), LOG);
  const goal = 'why was the payment \u001b[31mrefused?';
  const pruned = await secateur(['prune', 'run.log', '-t', 'logs', '-g', goal, '--json'], { dataDir });
  const { prune_id: id, annotations } = JSON.parse(pruned.stdout);
  const { stdout } = await secateur(['explain', id], { dataDir });
  expect(stdout).toContain('question  why was the payment ?[31mrefused?');
  for (const { original_start_line: start, original_end_line: end, reason } of annotations)
    expect(stdout).toMatch(
      new RegExp(
        `− ${start}-${end} +${reason.slice(0, 10)}.* \\[[a-z-]+: [^\\]]+\\]  \\(best score -?\\d+\\.\\d\\d\\)`,
      ),
    );
  const kept = await secateur(['explain', id, '--line', '131'], { dataDir });
  expect(kept.stdout).toMatch(
    /^line 131 {2}kept: it (reports|holds).+\(score -?\d+\.\d\d\)\n {2}2026-11-15 12:00:01 ERROR payment refused/,
  );
  const [first] = annotations;
  const gone = await secateur(['explain', id, '--line', String(first.original_start_line)], { dataDir });
  expect(gone.stdout).toContain(`removed: ${first.reason}`);
  expect((await secateur(['explain', id, '--line', '999'], { dataDir })).stderr).toContain('from 1 to 261');
  expect(await secateur(['explain', 'prn_NOBODY'], { dataDir })).toMatchObject({ code: 1 });
});

it('[AU6] secateur explain prints that no record was kept if SECATEUR_AUDIT=figures', async () => {
  const dataDir = temporaryFolder();
  const env = { SECATEUR_AUDIT: 'figures' };
  const args = ['prune', '-t', 'logs', '-g', 'why was the payment refused?', '--json'];
  const { stdout } = await secateur(args, { dataDir, env, input: LOG });
  const told = await secateur(['explain', JSON.parse(stdout).prune_id], { dataDir, env });
  expect(told.stdout).toContain('No note of this cut was kept.');
  expect(told.stdout).not.toContain('lines removed');
});
