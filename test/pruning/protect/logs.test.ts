import { describe, expect, it } from 'vitest';
import { pinnedIn, quiet } from './protected-lines.ts';

/** A log of `count` lines with others put in their place, 1-based; its ends are protected anyhow. */
function log(count: number, put: Readonly<Record<number, string>>): string[] {
  return quiet(count).map((line, at) => put[at + 1] ?? line);
}

describe('[P21] a log keeps', () => {
  it('its first line and the last three that say something', () => {
    expect(pinnedIn([...quiet(12), '', '  ', 'done', ''])).toEqual([1, 11, 12, 15]);
    expect(pinnedIn(['', ''])).toEqual([1]);
  });

  it('a failure with one line before it and one after it', () => {
    expect(pinnedIn(log(20, { 9: 'ERROR it broke' }))).toEqual([1, 8, 9, 10, 18, 19, 20]);
  });

  it('no blank line or ruler beside a failure, unless all structure is asked for', () => {
    const lines = log(20, { 8: '=======', 9: 'ERROR it broke', 10: '' });
    expect(pinnedIn(lines)).toEqual([1, 9, 18, 19, 20]);
    expect(pinnedIn(lines, { structure: 'pinned' })).toEqual([1, 8, 9, 10, 18, 19, 20]);
  });

  it('the same failure twice where structure stays by need, every time where all of it is asked for', () => {
    const lines = log(30, { 5: 'ERROR it broke', 10: 'ERROR it broke', 15: 'ERROR it broke' });
    expect(pinnedIn(lines)).toEqual([1, 4, 5, 6, 9, 10, 11, 28, 29, 30]);
    expect(pinnedIn(lines, { structure: 'pinned' })).toEqual(expect.arrayContaining([14, 15, 16]));
  });

  it('no passing test, be its name a failure or its neighbour one, unless all structure is asked for', () => {
    const lines = log(20, { 8: 'test_error (shop.Tests) ... ok', 9: 'ERROR it broke' });
    expect(pinnedIn(lines, { shape: 'test-run' })).toEqual([1, 9, 10, 18, 19, 20]);
    expect(pinnedIn(lines, { shape: 'test-run', structure: 'pinned' })).toEqual([1, 7, 8, 9, 10, 18, 19, 20]);
  });
});

describe('[P21] a trace is kept', () => {
  const frame = (at: number) => `    at step${at} (/app/src/step.js:${at}:2)`;

  it('from the line above its first frame to its last frame', () => {
    expect(pinnedIn(log(20, { 8: frame(1), 9: frame(2) }))).toEqual([1, 7, 8, 9, 18, 19, 20]);
    expect(pinnedIn(log(20, { 1: frame(1), 2: frame(2) }))).toEqual([1, 2, 18, 19, 20]);
  });

  it('with a line or so between two frames, not two', () => {
    expect(pinnedIn(log(20, { 6: frame(1), 8: frame(2) }))).toEqual([1, 5, 6, 7, 8, 18, 19, 20]);
    expect(pinnedIn(log(20, { 6: frame(1), 9: frame(2) }))).toEqual([1, 5, 6, 8, 9, 18, 19, 20]);
  });

  it('of Python from its announcement to the exception, blank lines and all', () => {
    const trace = {
      6: 'Traceback (most recent call last):',
      7: '  File "a.py", line 3, in run',
      8: '',
      9: '    go()',
    };
    expect(pinnedIn(log(20, { ...trace, 10: 'acme.Late: x' }))).toEqual([1, 5, 6, 7, 8, 9, 10, 18, 19, 20]);
  });

  it('of Python whose output ends inside it', () => {
    const cut = [
      ...quiet(10),
      'Traceback (most recent call last):',
      ...Array.from({ length: 6 }, (_, at) => `  in step ${at}`),
    ];
    expect(pinnedIn(cut)).toEqual([1, 10, 11, 12, 13, 14, 15, 16, 17]);
  });

  it('once and again with its ends, where it stands there twice, however far it is indented', () => {
    const first = { 5: frame(1), 6: frame(2), 7: frame(3) };
    const again = { 15: frame(1), 16: frame(2), 17: frame(3) };
    const kept = [1, 4, 5, 6, 7, 14, 17, 28, 29, 30];
    expect(pinnedIn(log(30, { ...first, ...again }))).toEqual(kept);
    expect(pinnedIn(log(30, { ...first, ...again }), { structure: 'pinned' })).toEqual(kept);
    const deeper = { 15: `  ${frame(1)}`, 16: `  ${frame(2)}`, 17: `  ${frame(3)}` };
    expect(pinnedIn(log(30, { ...first, ...deeper }))).toEqual(kept);
  });
});

describe('[P21] what the run has shown before', () => {
  it('stays no second time inside a trace, be it about an error, while its ends and a failure do', () => {
    const lines = log(30, {
      9: 'ERROR it broke',
      15: 'at the gate',
      16: '\tat a.B.c(B.java:1)',
      17: '\tat a.B.onError(B.java:2)',
      18: 'between two frames',
      19: '\tat a.B.e(B.java:3)',
    });
    expect(pinnedIn(lines, { shown: lines })).toEqual([9, 15, 19]);
  });
});
