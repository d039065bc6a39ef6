import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createTerminal, progressBar } from '../../../packages/serving/src/commands/terminal.ts';
import { writtenTo } from '../../support/written-to.ts';

function drawn(isTTY: boolean): string {
  const errors = Object.assign(new PassThrough(), { isTTY, columns: 50 });
  const terminal = createTerminal({ input: new PassThrough(), output: new PassThrough(), errors }, {});
  const bar = progressBar(terminal);
  bar.update({ done: 1, total: 4, message: 'src/a.ts' });
  bar.update({ done: 4, total: 4, message: 'src/b.ts' });
  bar.end();
  return writtenTo(errors);
}

it('[R2] progressBar draws the progress of the work, and removes the bar at the end', () => {
  const text = drawn(true);
  expect(text).toContain('██████░░░░░░░░░░░░░░░░░░ 1/4 src/a.ts');
  expect(text).toContain('4/4 src/b.ts');
  expect(text.endsWith('\r\u001b[2K')).toBe(true);
});

it('[R2] progressBar replaces control characters of a file name, so that the name cannot move the cursor', () => {
  const errors = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const terminal = createTerminal({ input: new PassThrough(), output: new PassThrough(), errors }, {});
  progressBar(terminal).update({ done: 1, total: 1, message: 'a\n\u001b[2Jb.ts' });
  expect(writtenTo(errors)).toContain(' 1/1 a??[2Jb.ts');
});

it('[R2] progressBar shows the whole message on a terminal of unknown size', () => {
  const errors = Object.assign(new PassThrough(), { isTTY: true, columns: 0 });
  const terminal = createTerminal({ input: new PassThrough(), output: new PassThrough(), errors }, {});
  progressBar(terminal).update({ done: 1, total: 5, message: '扫描' });
  expect(writtenTo(errors)).toContain(' 1/5 扫描');
});

it('[R2] progressBar draws nothing if the output is not a terminal', () => {
  expect(drawn(false)).toBe('');
});
