import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../packages/base/src/runtime/time.ts';
import { type CutText, cutText } from '../../packages/engine/src/cut.ts';
import { createLocalScorer } from '../../packages/engine/src/ranking/local-scorer.ts';
import type { Focus } from '../../packages/engine/src/ranking/scorer.ts';
import {
  DEFAULT_LEAST,
  DEFAULT_OPTIONS,
  kindOfText,
  type Origin,
  type PruneOptions,
  type PruneRequest,
} from '../../packages/engine/src/request.ts';

const parts = { scorer: createLocalScorer(), clock: systemClock };

interface Asked {
  readonly origin: Origin;
  readonly focus?: Partial<Focus>;
  readonly intent?: PruneRequest['intent'];
  readonly options?: Partial<PruneOptions>;
}

function cut(text: string, { origin, focus = {}, intent = 'implicit', options = {} }: Asked): CutText {
  const request: PruneRequest = {
    text,
    focus: { question: 'what is going on here?', ...focus },
    ...kindOfText(origin, text),
    intent,
    options: {
      ...DEFAULT_OPTIONS,
      markers: 'compact',
      maxPruneRatio: 0.95,
      timeoutMs: 60_000,
      least: DEFAULT_LEAST,
      ...options,
    },
  };
  const job = { request, id: 'prn_0000000000', remainingMs: 60_000 };
  return cutText(job, parts) ?? expect.unreachable('there was time enough');
}

const run = (command: string): Origin => ({ kind: 'command', command });
const many = <Made>(count: number, make: (at: number) => Made) =>
  Array.from({ length: count }, (_, at) => make(at));
const markers = ({ annotations }: CutText) => annotations.map(({ marker }) => marker);

const body = (name: string, words: string, lines = 22) => [
  `export function ${name}(input: Input): Output {`,
  ...many(lines, (at) => `  const step${at} = ${words}(input, ${at});`),
  '  return step0;',
  '}',
  '',
];
const source = [
  "import { Input, Output } from './types.ts';",
  '',
  'const RETRY_LIMIT = 5;',
  '',
  ...body('parseInvoice', 'readInvoiceLine'),
  ...body('renderLabel', 'drawShippingLabel'),
  ...body('retryDelay', 'backoffOfRetry'),
  ...body('sendMail', 'composeMailMessage'),
  ...body('archiveOrder', 'moveOrderToArchive'),
  ...body('printReceipt', 'printReceiptLine'),
].join('\n');
const retries = { question: 'Why does retryDelay grow too fast?', task: 'Fix the back-off of retries.' };

describe('cutText of a whole file', () => {
  const answer = cut(source, { origin: { kind: 'file', path: 'src/orders.ts' }, focus: retries });

  it('[P54] cutText keeps the whole function that the task mentions and removes the bodies of unrelated functions', () => {
    expect(answer.prunedText).toContain(body('retryDelay', 'backoffOfRetry').join('\n').trim());
    expect(markers(answer)).toContainEqual(
      expect.stringMatching(/^✂ \d+-\d+ \(body of function sendMail\)$/),
    );
  });

  it('[P54] cutText of a source file keeps constants, imports and every signature', () => {
    for (const line of ['const RETRY_LIMIT = 5;', 'export function sendMail(input: Input): Output {'])
      expect(answer.prunedText).toContain(line);
  });

  it('[P50] every gap that cutText makes in a function begins below its signature and ends with its closing bracket', () => {
    const lines = source.split('\n');
    for (const { start, end } of answer.annotations) {
      expect(lines[start - 2]).toMatch(/^export function \w+\(input: Input\): Output \{$/);
      expect(lines[end - 1]).toBe('}');
    }
  });

  it('[P51] cutText returns lines of a file unchanged if the agent requested them by line number', () => {
    const asked: Origin[] = [
      { kind: 'file', path: 'src/orders.ts', isPart: true },
      run("sed -n '1,100p' src/orders.ts"),
      run('head -100 src/orders.ts'),
    ];
    for (const origin of asked) expect(cut(source, { origin, focus: retries }).prunedText).toBe(source);
  });

  it('[P54] cutText keeps a short function that is called by a kept function', () => {
    const calling = source.replace(
      'const step3 = backoffOfRetry(input, 3);',
      'const step3 = sendMail(input, 3);',
    );
    const shown = cut(calling, { origin: { kind: 'file', path: 'src/orders.ts' }, focus: retries });
    expect(markers(shown).join()).toContain('archiveOrder');
    expect(markers(shown).join()).not.toContain('sendMail');
  });

  it('[P29] cutText returns a source file of less than 6,000 characters unchanged', () => {
    const small = source.slice(0, 3000);
    expect(cut(small, { origin: run('cat src/orders.ts'), focus: retries }).prunedText).toBe(small);
  });

  it('[P58] cutText removes nothing from a source file if the setting switches the rule `unrelated-units` off', () => {
    const options = { disabledRules: ['unrelated-units'] as const };
    expect(cut(source, { origin: run('cat src/orders.ts'), focus: retries, options }).prunedText).toBe(
      source,
    );
  });
});

describe('cutText of a log if the request asks for everything', () => {
  const entry = (at: number) =>
    `2026-03-01 10:${10 + (at % 50)}:00,120 INFO  [mail] rendered mail ${at} of tenant shop`;
  const gapsOf = (count: number) =>
    cut(many(count, (at) => (at % 6 === 1 ? `${entry(at)} in english` : entry(at))).join('\n'), {
      origin: { kind: 'result' },
      focus: { question: 'Which mails were in english? List all of them.' },
    }).annotations;

  it('[P55] cutText keeps every entry with a word of a request for everything in a log of up to 32,000 characters', () => {
    const hidden = (count: number) =>
      gapsOf(count).reduce((sum, { start, end }) => sum + end - start + 1, 0) / count;
    expect(hidden(300)).toBeLessThan(0.84);
    expect(hidden(500)).toBeGreaterThan(0.95);
  });
});

describe('cutText of a test run', () => {
  const passed = many(300, (at) => `  ✓ takes case ${at} of the parser (2 ms)`);
  const output = [
    '> app@1.0.0 test',
    'PASS  test/parser.test.ts',
    ...passed,
    'FAIL  test/retry.test.ts',
    '  ✕ waits longer after each attempt (5 ms)',
    '    Expected: 200',
    '    Received: 100',
    'Tests:       1 failed, 300 passed, 301 total',
    'Time:        3.1 s',
  ].join('\n');

  it('[P53] cutText removes passed tests from a test run and keeps failures, totals and the verdict', () => {
    const answer = cut(output, { origin: run('npm test') });
    expect(markers(answer).join('\n')).toContain('300 tests passed');
    for (const line of output.split('\n').slice(-6)) expect(answer.prunedText).toContain(line);
    expect(answer.prunedText.length).toBeLessThan(output.length / 5);
  });

  it('[P51] cutText returns the last lines of a test run unchanged if the agent requested them with `tail`', () => {
    const tail = output.split('\n').slice(-60).join('\n');
    expect(cut(tail, { origin: run('npm test 2>&1 | tail -60') }).prunedText).toBe(tail);
  });

  it.each(['Which tests are skipped?', 'Quels tests sont ignorés ?', '哪些测试被跳过了？'])(
    '[P57] cutText keeps every skipped test if the request asks for skipped tests: %s',
    (question) => {
      const skipped = many(40, (at) => `  ↓ pays with card ${at} of the bank in the north`);
      const text = [...skipped, output].join('\n');
      const answer = cut(text, { origin: run('npm test'), focus: { question } }).prunedText;
      expect(skipped.every((line) => answer.includes(line))).toBe(true);
    },
  );

  it('[P57] cutText keeps passed tests if the request asks for passed tests', () => {
    const focus = { question: 'Which tests passed?' };
    expect(cut(output, { origin: run('npm test'), focus }).prunedText).toBe(output);
  });
});

describe('cutText of a log', () => {
  const stamp = (at: number) =>
    `2026-03-01T10:${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}Z`;
  const requests = many(400, (at) => `${stamp(at)} INFO GET /orders/${at} 200 in ${20 + (at % 7)}ms`);
  const cause = `${stamp(201)} INFO pool resized from 20 to 2 after reload`;
  const slow = `${stamp(300)} INFO GET /orders/9 200 in 61234ms`;
  const lines = [...requests.slice(0, 200), cause, ...requests.slice(200, 300), slow, ...requests.slice(300)];
  const answer = cut(lines.join('\n'), {
    origin: run('cat app.log'),
    focus: { question: 'payments fail, why?' },
  });

  it('[P53] cutText keeps log entries of any level that occur once, and keeps the entry with the extreme number', () => {
    expect(answer.prunedText).toContain(cause);
    expect(answer.prunedText).toContain(slow);
  });

  it('[P53] cutText removes frequent lines of a log, and each marker states their number and how they begin', () => {
    expect(answer.prunedText.length).toBeLessThan(lines.join('\n').length / 4);
    for (const marker of markers(answer)) expect(marker).toMatch(/^✂ \d+-\d+ \(\d+ lines like: .*GET/);
  });

  it('[P53] [P58] the marker of a gap that contains failed and other requests states how many failed', () => {
    const mixed = many(
      400,
      (n) =>
        `2026-03-01 10:00:${10 + (n % 50)} INFO [http] GET /v1/items/${n} ${n % 9 < 4 ? 503 : 200} 20 ms`,
    );
    const { annotations } = cut(mixed.join('\n'), { origin: run('docker logs shop') });
    expect(annotations.length).toBeGreaterThan(0);
    for (const { start, end, reason } of annotations) {
      const failed = mixed.slice(start - 1, end).filter((line) => line.includes(' 503 ')).length;
      const word = failed === 1 ? 'error' : 'errors';
      if (failed < end - start + 1) expect(reason).toContain(`lines with ${failed} ${word} like: error: `);
      else expect(reason).toContain(' like: error: ');
    }
  });

  it('[P58] each label states the number of lines in its gap', () => {
    for (const { count, reason } of answer.annotations)
      expect(reason).toMatch(new RegExp(`^${count} lines like`));
  });
});

describe('cutText of a report with lines that the request names', () => {
  const logLines = many(400, (at) => {
    const path = [50, 171, 333].includes(at) ? '/admin' : `/orders/${at}`;
    return `10.0.0.${at % 200} - - [14/Oct/2026:02:00:00 +0000] "GET ${path} HTTP/1.1" ${at % 9 === 0 ? 404 : 200} 512`;
  });
  const cutLog = (question: string) =>
    cut(logLines.join('\n'), { origin: run('cat access.log'), focus: { question } });

  it('[P53] cutText keeps log entries that contain a word of the request and removes the entries around them', () => {
    const answer = cutLog('Which addresses requested /admin?');
    for (const line of logLines.filter((each) => each.includes('/admin')))
      expect(answer.prunedText).toContain(line);
    expect(answer.prunedText.length).toBeLessThan(logLines.join('\n').length / 10);
    for (const { start, end, reason } of answer.annotations)
      expect(reason).toMatch(new RegExp(`^${end - start + 1} lines like`));
  });

  it('[P53] cutText keeps every log entry with a status that the request mentions', () => {
    const answer = cutLog('Which requests got a 404?');
    for (const line of logLines.filter((each) => each.includes(' 404 ')))
      expect(answer.prunedText).toContain(line);
    expect(answer.prunedText.length).toBeLessThan(logLines.join('\n').length / 4);
  });

  const findings = many(8, (file) => [
    `/app/src/part-${file}.ts`,
    ...many(
      12,
      (at) => `  ${10 + at * 7}:${at + 1}  warning  Unexpected any  @typescript-eslint/no-explicit-any`,
    ),
    ...(file === 3 ? ['  141:11  warning  Unused variable  no-unused-vars'] : []),
    '',
  ]).flat();
  const linted = [...findings, '✖ 97 problems (0 errors, 97 warnings)'].join('\n');
  const lint = (question: string) => cut(linted, { origin: run('npx eslint .'), focus: { question } });

  it('[P57] cutText keeps every finding of a linter if the request asks for all findings', () => {
    for (const question of ['Fix all warnings.', 'Corrige toutes les alertes.', '修复所有警告。'])
      expect(lint(question).prunedText).toBe(linted);
  });

  it('[P53] cutText removes repeated warnings of a linter if the request asks for one finding or for all findings of another kind', () => {
    for (const question of ['Why does it fail?', 'Fix all unused variables.']) {
      const answer = lint(question).prunedText;
      expect(answer).toContain('141:11  warning  Unused variable');
      expect(answer.length).toBeLessThan(linted.length / 2);
    }
  });
});

describe('cutText of a text that was shown before', () => {
  const word = (at: number) =>
    many(
      3,
      (digit) => 'bcdfghjklmnp'.charAt(Math.floor(at / 12 ** digit) % 12) + 'aeiou'.charAt((at + digit) % 5),
    ).join('');
  const file = many(60, (at) => `const ${word(at)} = ${word(at * 7)}(${word(at * 13)});`);
  const shown = [{ call: 'cat src/a.ts', text: file.join('\n') }];
  const origin = run("sed -n '1,90p' src/a.ts");
  const later = many(30, (at) => `let ${word(at + 700)} = ${word(at * 11)}.${word(at + 90)};`);

  it('[P52] cutText replaces a block that the agent has already seen by a marker with the call that showed it', () => {
    const answer = cut([...file, ...later].join('\n'), { origin, focus: { shown } });
    expect(markers(answer)).toEqual(['✂ 1-57 (unchanged, shown above by: cat src/a.ts)']);
  });

  it('[P52] cutText recognises a block that was shown before even if its lines have line numbers now', () => {
    const numbered = [...file, ...later]
      .map((line, at) => `${String(at + 1).padStart(6)}\t${line}`)
      .join('\n');
    expect(
      markers(cut(numbered, { origin: run("nl -ba src/a.ts | sed -n '1,90p'"), focus: { shown } })),
    ).toHaveLength(1);
  });

  it('[P52] cutText returns a file unchanged if all of it was shown before', () => {
    const text = file.join('\n');
    expect(cut(text, { origin, focus: { shown } }).prunedText).toBe(text);
    const shownInParts = [0, 30].map((at) => ({ call: 'sed', text: file.slice(at, at + 30).join('\n') }));
    const apart = [...file.slice(30), '', ...file.slice(0, 30), ''].join('\n');
    expect(cut(apart, { origin, focus: { shown: shownInParts } }).prunedText).toBe(apart);
  });

  it('[P52] cutText shows only the changed lines of a file that an agent reads again after an edit', () => {
    const edited = file.map((line, at) => (at === 30 ? 'const changed = true; // this line is new' : line));
    const answer = cut(edited.join('\n'), { origin, focus: { shown } });
    expect(answer.annotations.map(({ start, end }) => `${start}-${end}`)).toEqual(['1-27', '35-60']);
  });

  it('[P52] cutText keeps lines of a program run that were shown before, because they are new information', () => {
    const text = [...file, ...later].join('\n');
    expect(cut(text, { origin: run('npm test'), focus: { shown } }).prunedText).toBe(text);
  });

  it.each(['npm test 2>&1 | tail -90', 'python3 compare.py', './report.sh'])(
    '[P52] cutText keeps lines that were shown before in the output of a script or in the last lines of a run: %s',
    (command) => {
      const text = [...file, ...later].join('\n');
      expect(cut(text, { origin: run(command), focus: { shown } }).prunedText).toBe(text);
    },
  );

  it('[P52] cutText keeps a changed line with the lines around it in a file that was shown before', () => {
    const changed = file.map((line, at) => (at === 30 ? 'const changed = true; // this line is new' : line));
    const answer = cut([...changed, ...later].join('\n'), { origin, focus: { shown } });
    expect(answer.annotations.map(({ start, end }) => `${start}-${end}`)).toEqual(['1-27', '35-57']);
  });
});

describe('cutText of oversized results', () => {
  const hits = many(40, (file) =>
    many(25, (at) => `src/module${file}/part.ts:${at + 1}: callTheThing(${at});`),
  ).flat();

  it('[P55] cutText shortens search results above 16,000 characters and lists each file in a marker', () => {
    const answer = cut(hits.join('\n'), {
      origin: run('grep -rn callTheThing src'),
      focus: { question: 'who calls it first?' },
    });
    expect(answer.annotations.length).toBeGreaterThan(0);
    expect(markers(answer).join('\n')).toMatch(/src\/module\d+\/part\.ts/);
  });

  it('[P55] cutText keeps up to 8,000 characters of the search hits that the task needs', () => {
    const text = hits
      .map((hit, at) => (at % 97 === 11 ? `${hit} // waits for the lost lock` : hit))
      .join('\n');
    const answer = cut(text, {
      origin: run('grep -rn callTheThing src'),
      focus: { question: 'which calls wait for the lost lock?' },
    });
    const shown = answer.prunedText.split('\n');
    expect(shown.filter((line) => line.endsWith('lost lock'))).toHaveLength(11);
    expect(shown.filter((line) => line.includes('callTheThing')).join('\n').length).toBeGreaterThan(6000);
    expect(answer.prunedText.length).toBeLessThan(text.length / 2);
  });

  it('[P51] cutText returns 300 search hits below the size limit unchanged', () => {
    const text = hits.slice(0, 300).join('\n');
    expect(cut(text, { origin: run('grep -rn callTheThing src') }).prunedText).toBe(text);
  });

  it('[P51] cutText replaces ten or more identical lines in a row by the first line and their number', () => {
    const text = [
      'start of the report',
      ...many(400, () => 'waiting for the lock to be released'),
      'done',
    ].join('\n');
    const answer = cut(text, { origin: run('grep -n lock app.log') });
    expect(answer.annotations).toHaveLength(1);
    expect(answer.prunedText.split('\n')).toContain('waiting for the lock to be released');
  });
});

describe('markers and limits of cutText', () => {
  it('[P56] cutText makes no gap of less than 14 tokens and no gap of a single short line', () => {
    const answer = cut(source, { origin: run('cat src/orders.ts'), focus: retries });
    for (const { start, end } of answer.annotations) expect(end - start).toBeGreaterThan(3);
  });

  it('[P29] cutText returns a text unchanged if less than a fifth of it can be removed', () => {
    const kept = many(
      200,
      (at) => `unique sentence number ${at} about ${(at * 7919) % 1000} different matters`,
    );
    const text = [...kept, ...many(20, () => 'same')].join('\n');
    expect(cut(text, { origin: run('frobnicate') }).prunedText).toBe(text);
  });

  it('[P19] [P20] cutText keeps markers of earlier cuts and protected blocks', () => {
    const protectedLines = ['// ⟦NO_PRUNE_BEGIN⟧', ...body('keepMe', 'doNotTouch'), '// ⟦NO_PRUNE_END⟧'];
    const text = [source, ...protectedLines].join('\n');
    const answer = cut(text, { origin: run('cat src/orders.ts'), focus: retries });
    expect(answer.annotations.length).toBeGreaterThan(0);
    expect(answer.prunedText).toContain(protectedLines.join('\n'));
  });

  it('[P24] cutText returns the same bytes when it is called again with the same job', () => {
    const again = () => cut(source, { origin: run('cat src/orders.ts'), focus: retries }).prunedText;
    expect(again()).toBe(again());
  });

  it('[P51] cutText shortens search results below the size limit if the caller explicitly asked for it with a question', () => {
    const text = many(200, (at) => `src/module${at}/part.ts:${at}: callTheThing(${at});`).join('\n');
    const asked = { origin: run('grep -rn callTheThing src'), intent: 'explicit' as const };
    expect(cut(text, { ...asked, focus: { question: 'module77' } }).prunedText).toContain('src/module77/');
  });

  it('[F23] [A16] the first line of a cut output lists the strings of the request that no gap contains', () => {
    const log = many(
      400,
      (n) =>
        `2026-03-01 10:00:${10 + (n % 50)} INFO [http] GET /v1/items/${n} 200 customer=${n % 90 === 7 ? 'K-0417' : `C${n}`}`,
    );
    const first = (question: string) => {
      const answer = cut(log.join('\n'), { origin: run('docker logs shop'), focus: { question } });
      const hidden = answer.annotations.flatMap(({ start, end }) => log.slice(start - 1, end));
      expect(hidden.length).toBeGreaterThan(300);
      expect(hidden.filter((line) => line.includes('K-0417'))).toEqual([]);
      return answer.prunedText.split('\n', 1)[0];
    };
    expect(first('What did customer K-0417 ask for?')).toMatch(
      /\(lines of this output; no gap holds K-0417; every rare kind of line is shown, labels count errors and warnings\)$/,
    );
    expect(first('What did K-0417 and Z-9 ask for in v1?')).toMatch(
      /; no gap holds K-0417; every rare kind of line is shown, labels count errors and warnings\)$/,
    );
  });

  it('[A14] the first line of a cut output contains the recovery command of the caller', () => {
    const options = { recoverBy: '`secateur recover prn_0000000000 A-B,C-D` gives lines back' };
    const answer = cut(source, { origin: run('cat src/orders.ts'), focus: retries, options });
    expect(answer.prunedText.split('\n')[0]).toMatch(
      /^✂ prn_0000000000: \d+ of \d+ lines cut in \d+ gaps?; `secateur recover/,
    );
  });
});

it('[P17] [P58] labels of prune_text count the removed lines of a group, even if only part of the group is in the gap', () => {
  const text = readFileSync(new URL('../../examples/failing-test-run.txt', import.meta.url), 'utf8');
  const question = 'why does it fail?';
  const { annotations } = cut(text, { origin: { kind: 'other' }, intent: 'capped', focus: { question } });
  expect(annotations.length).toBeGreaterThan(0);
  for (const { start, end, reason } of annotations) {
    const counted = [...reason.matchAll(/(\d+) (?:tests? passed|lines?)/g)].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    );
    const lines = text
      .split('\n')
      .slice(start - 1, end)
      .filter((line) => line !== '');
    expect(counted).toBeGreaterThanOrEqual(0.85 * lines.length);
  }
});
