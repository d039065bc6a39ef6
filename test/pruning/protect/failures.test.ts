import { describe, expect, it } from 'vitest';
import { pruneRequest, testPruner } from '../../support/pruner.ts';
import { survivors } from './survivors.ts';

const tracesByLanguage: [string, string[]][] = [
  [
    'Python',
    [
      'Traceback (most recent call last):',
      '  File "a.py", line 3, in <module>',
      '    main()',
      '  File "b.py", line 9, in main',
      '    raise Late("x")',
      'acme.Late: x',
    ],
  ],
  [
    'Java',
    [
      'Exception in thread "main" java.lang.IllegalStateException: no',
      '\tat com.acme.App.run(App.java:12)',
      '\tat com.acme.App.main(App.java:5)',
      'Caused by: java.io.IOException: gone',
      '\tat com.acme.Io.read(Io.java:7)',
      '\t... 2 more',
    ],
  ],
  [
    'JavaScript',
    [
      'TypeError: x is not a function',
      '    at run (/app/a.js:1:2)',
      '    at async main (/app/b.js:3:4)',
      '    at node:internal/main:9:1',
    ],
  ],
  [
    'Go',
    [
      'panic: runtime error',
      'goroutine 1 [running]:',
      'main.run(0x1)',
      '\t/app/main.go:10 +0x1d',
      'main.main()',
      '\t/app/main.go:5 +0x2a',
    ],
  ],
  [
    'Rust',
    [
      "thread 'main' panicked at src/main.rs:2:5:",
      'stack backtrace:',
      '   0: std::panicking::begin_panic',
      '             at /rustc/std/src/panicking.rs:616:12',
      '   1: app::main',
      '             at ./src/main.rs:2:5',
    ],
  ],
  [
    'Ruby',
    [
      "app.rb:3:in `run': gone (RuntimeError)",
      "\tfrom app.rb:7:in `block in main'",
      "\tfrom app.rb:9:in `main'",
    ],
  ],
  [
    '.NET',
    [
      'Unhandled exception. System.Exception: no',
      '   at Acme.App.Run() in /src/App.cs:line 12',
      '   at Acme.App.Main()',
    ],
  ],
  [
    'gdb',
    [
      'Program received signal SIGSEGV',
      '#0  0x00007f in read_all (path=0x0) at io.c:3',
      '#1  0x00007f in main () at main.c:9',
    ],
  ],
];

describe('[P21] logs keep failure, with its context', () => {
  const quiet = (count: number) =>
    Array.from(
      { length: count },
      (_, index) => `2026-01-01 00:00:${index} DEBUG heartbeat number ${index} from worker pool`,
    );

  it.each(['ERROR', 'Error', 'exception', 'Traceback', 'FATAL', 'critical', 'panic', 'Failed', '--- FAIL:'])(
    'that says %s',
    async (word) => {
      const lines = [
        ...quiet(20),
        'before the failure',
        `12:00 ${word} somewhere`,
        'after the failure',
        ...quiet(20),
      ];
      expect(await survivors(lines, 'logs')).toEqual(
        expect.arrayContaining(['before the failure', `12:00 ${word} somewhere`, 'after the failure']),
      );
    },
  );

  it.each<[string, string[]]>(tracesByLanguage)('in whole stack traces of %s', async (_language, trace) => {
    const kept = await survivors([...quiet(30), ...trace, ...quiet(30)], 'logs');
    expect(kept).toEqual(expect.arrayContaining(trace));
  });

  it('through colours and progress bars', async () => {
    const red = '\u001b[31mERR\u001b[0m\u001b[31mOR\u001b[0m it broke';
    const bar = '10%\r50%\rfailed at 60%\r';
    expect(await survivors([...quiet(20), red, ...quiet(20), bar, ...quiet(20)], 'logs')).toEqual(
      expect.arrayContaining([red, bar]),
    );
  });

  it.each(['12 passed; 0 failed; 0 ignored', 'compiled with no errors'])(
    'but a line that denies one only where all structure is asked for: %s',
    async (denial) => {
      const lines = [...quiet(20), denial, ...quiet(20)];
      expect(await survivors(lines, 'logs', { maxPruneRatio: 1 })).not.toContain(denial);
      expect(await survivors(lines, 'logs')).toContain(denial);
    },
  );

  it('that is told word for word again stays twice; one that differs stays', async () => {
    const failure = 'ERROR connection to the database lost';
    const lines = [...quiet(5), ...Array.from({ length: 9 }, () => [failure, ...quiet(5)]).flat()];
    const all = [...lines, `${failure} at 12:03`, ...quiet(5)];
    const kept = await survivors(all, 'logs', { maxPruneRatio: 1 });
    expect(kept.filter((line) => line === failure)).toHaveLength(2);
    expect(kept).toContain(`${failure} at 12:03`);
    expect((await survivors(all, 'logs')).filter((line) => line === failure)).toHaveLength(9);
  });

  it('and names what it repeats with a count', async () => {
    const lines = ['starting up the worker pool now', ...quiet(214), 'finished with the worker pool'];
    const request = pruneRequest({
      text: lines.join('\n'),
      focus: { question: 'worker pool' },
      sourceType: 'logs',
      options: { maxPruneRatio: 1 },
    });
    const { annotations } = await testPruner().prune(request);
    expect(annotations.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^répétition: 21\d lignes semblables$/),
    ]);
  });
});
