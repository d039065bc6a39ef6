import { describe, expect, it } from 'vitest';
import { classify } from '../../../src/pruning/cut/classify.ts';
import { discountFolds, type Fold, foldsOf } from '../../../src/pruning/cut/folds.ts';
import type { Shape } from '../../../src/pruning/text-kind/shape.ts';

/** For each line the first letter of its fold, or a point. */
function letters(lines: readonly string[], question = '', shape: Shape = 'logs'): string {
  const folds = foldsOf(classify(lines, { sourceType: 'logs', shape }), question);
  return Array.from(folds, (fold) => fold?.charAt(0) ?? '.').join('');
}

const PASSED = 'test_error (shop.Tests) ... ok';
const PROGRESS = 'npm http fetch GET 200 https://registry.example/x';

describe('[P21] what folds', () => {
  it('is a test that passed, with the line above that names it, and progress', () => {
    expect(letters(['start', PASSED, 'test_a (shop.Tests.test_a)', 'Says so. ... ok', PROGRESS])).toBe(
      '.pppp',
    );
    expect(letters(['a line of its own', PASSED])).toBe('.p');
  });

  it('is nothing in a text that no program printed', () => {
    expect(letters([PASSED, PROGRESS], '', 'test-run')).toBe('pp');
    expect(letters([PASSED, PROGRESS], '', 'code')).toBe('..');
  });

  it('is decided by the first 300 characters of a line', () => {
    expect(letters([`${'x'.repeat(292)} ... ok`])).toBe('p');
    expect(letters([`${'x'.repeat(294)} ... ok`])).toBe('.');
  });

  it('is nothing of the kind that is asked for', () => {
    const trace = ['boom', '    at own (/app/a.js:1:2)', '    at f (/app/node_modules/x/a.js:1:2)'];
    const lines = [PASSED, PROGRESS, ...trace];
    expect(letters(lines)).toBe('pp..l');
    expect(letters(lines, 'which tests passed?')).toBe('.p..l');
    expect(letters(lines, 'how is the download, in percent?')).toBe('p...l');
    expect(letters(lines, 'which library is it?')).toBe('pp...');
  });
});

describe('[P21] of a trace folds', () => {
  const own = (at: number) => `    at own${at} (/app/src/own.js:${at}:2)`;
  const library = (at: number) => `    at lib${at} (/app/node_modules/x/lib.js:${at}:2)`;

  it('every frame of a library, where there are others', () => {
    expect(letters(['boom', own(1), library(1), library(2), own(2)])).toBe('..ll.');
    expect(letters(['boom', library(1), library(2)])).toBe('...');
  });

  it('every frame seen before, the last line of the trace excepted', () => {
    const trace = ['boom', own(1), own(2), own(3)];
    expect(letters([...trace, 'and', 'again', ...trace])).toBe('.......rr.');
    expect(letters([...trace, 'and', 'again', ...trace], 'how often?')).toBe('.'.repeat(10));
  });

  it('a frame with the source below it, but no message between frames', () => {
    const python = [
      'Traceback (most recent call last):',
      '  File "/home/me/app/run.py", line 1, in run',
      '    go()',
      '  File "/venv/site-packages/x/base.py", line 2, in go',
      '    return self.stop()',
      '           ^^^^^^^^^^^',
      'x.Stopped: no',
    ];
    expect(letters(python)).toBe('...lll.');
    const java = [
      'boom',
      '\tat com.acme.App.run(App.java:1)',
      '\tat java.util.List.get(List.java:2)',
      'Caused by: it',
      '\tat com.acme.Io.read(Io.java:7)',
    ];
    expect(letters(java)).toBe('..l..');
  });

  it('a frame of Go, whose place stands below its name', () => {
    const go = [
      'goroutine 1 [running]:',
      'main.run(0x1)',
      '\t/home/me/main.go:10 +0x1d',
      'net/http.Serve(0x1)',
      '\t/usr/local/go/src/net/http/server.go:21 +0x2',
    ];
    expect(letters(go)).toBe('...ll');
  });

  it('no frame that only quotes a library further below', () => {
    const python = [
      'Traceback (most recent call last):',
      '  File "/home/me/app/run.py", line 1, in run',
      '    go()',
      '    # see /venv/site-packages/x',
      '  File "/venv/site-packages/x/base.py", line 2, in go',
      '    stop()',
      'x.Stopped: no',
    ];
    expect(letters(python)).toBe('....ll.');
  });
});

describe('[P21] a line that folds is needed a tenth', () => {
  const folds: (Fold | undefined)[] = ['passed', undefined];
  const scored = {
    scores: Float64Array.of(1, 2),
    areLogOdds: true,
    probabilities: Float64Array.of(0.5, 0.5),
  };

  it('by its log-odds and by its probability', () => {
    const { scores, probabilities } = discountFolds(scored, folds);
    expect([...scores]).toEqual([1 + Math.log(0.1), 2]);
    expect([...(probabilities ?? [])]).toEqual([0.05, 0.5]);
  });

  it('while scores that only give an order stay, and so does all where nothing folds', () => {
    expect([...discountFolds({ ...scored, areLogOdds: false }, folds).scores]).toEqual([1, 2]);
    expect(discountFolds({ scores: scored.scores, areLogOdds: true }, folds)).not.toHaveProperty(
      'probabilities',
    );
    expect(discountFolds(scored, [undefined, undefined])).toEqual(scored);
  });
});
