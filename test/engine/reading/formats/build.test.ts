import { expect, it } from 'vitest';
import { buildFormat } from '../../../../packages/engine/src/reading/formats/build.ts';
import { gapsOf, keptLines } from './removed.ts';

const gaps = (text: string) => gapsOf(buildFormat.units(text.split('\n'), {}));
const kept = (text: string) => keptLines(buildFormat, text);
const repeat = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n));

it('[P53] buildFormat removes progress lines of pip and keeps its result', () => {
  const [pip = ''] = buildFormat.examples.is;
  expect(kept(pip)).toEqual(['Successfully installed idna-3.10 requests-2.32.3']);
  expect(gaps(pip)).toEqual([
    { lines: '1-5', kind: 'progress', name: 'Collecting, Downloading, Using, +1', count: 5 },
  ]);
});

it.each([
  'Downloading https://example.org/a.tar.gz failed: 404',
  '[ 12%] Building C object cart.c.o: error',
  'Setting up libfoo (1.2) ... warning: no config',
  'checking for gcc... configure: error: no acceptable C compiler',
  '-- Performing Test HAS_FLAG - Failed',
])('[P53] buildFormat keeps a progress line that reports a failure: %s', (line) => {
  const text = ['Collecting a', 'Collecting b', 'Collecting c', line, 'Collecting d', 'Collecting e'].join(
    '\n',
  );
  expect(kept(text)).toContain(line);
});

it('buildFormat treats `Compiling error-chain` as progress, although the package name contains "error"', () => {
  const text = [
    '   Compiling libc v0.2.1',
    '   Compiling error-chain v0.12.4',
    '   Compiling shop v0.1.0',
    'warning: unused',
  ].join('\n');
  expect(gaps(text)[0]?.lines).toBe('1-3');
});

it('[P53] buildFormat removes a warning that is repeated many times, with its excerpts, and labels the gap as a warning', () => {
  const warnings = repeat(
    50,
    (n) =>
      `src/a${n}.c:${n}:5: warning: unused variable 'v${n}' [-Wunused]\n   ${n} | int v${n};\n      |     ^`,
  );
  const text = [
    ...warnings,
    'src/b.c:1:1: error: expected expression',
    'make: *** [Makefile:3: all] Error 1',
  ].join('\n');
  expect(kept(text)).toEqual([
    ...(warnings[0] ?? '').split('\n'),
    ...(warnings[49] ?? '').split('\n'),
    'src/b.c:1:1: error: expected expression',
    'make: *** [Makefile:3: all] Error 1',
  ]);
  expect(gaps(text).every(({ name }) => name.includes('warning'))).toBe(true);
});

it('buildFormat keeps fifteen similar warnings, because each of them has to be fixed', () => {
  const text = [
    'make: all',
    ...repeat(15, (n) => `src/a${n}.c:${n}:5: warning: unused variable 'v${n}' [-Wunused]`),
  ].join('\n');
  expect(gaps(text)).toEqual([]);
});

it('buildFormat never removes errors, even if the same error occurs in many places', () => {
  const text = repeat(60, (n) => `src/a${n}.c:${n}:5: error: 'v${n}' undeclared`).join('\n');
  expect(gaps(text)).toEqual([]);
});

it('buildFormat reads each CI step without a failure and a result as a section', () => {
  const text = ['$ npm ci', 'a', 'b', 'c', 'd', '$ npm test', 'x', 'y', 'npm ERR! Test failed', 'z'].join(
    '\n',
  );
  const sections = buildFormat.units(text.split('\n'), {}).filter(({ kind }) => kind === 'section');
  expect(sections).toMatchObject([
    { kind: 'section', rule: 'unrelated-units', name: 'npm ci', start: 1, end: 5, head: 1 },
  ]);
});

const quiet = (text: string) =>
  buildFormat
    .units(text.split('\n'), {})
    .filter(({ kind }) => kind === 'quiet-lines')
    .map(({ start, end, name }) => `${start}-${end} ${name}`);

it('[P53] buildFormat keeps lines next to a failure, a warning, a result or a table', () => {
  const text = [
    '$ make deploy',
    ...repeat(40, (n) => `step ${String.fromCharCode(97 + (n % 26))} of the plan prepares something`),
    'deploy: cannot reach the host',
    ...repeat(10, (n) => `then part ${'abcdefghij'[n]} goes on`),
    '| host | state |',
    '| web1 | lost  |',
    ...repeat(12, (n) => `later part ${'abcdefghijkl'[n]} is written`),
    'Tests: 216, Assertions: 629, Skipped: 5.',
    'make: *** [deploy] Error 1',
  ].join('\n');
  expect(quiet(text)).toEqual([
    '2-31 make deploy',
    '32-39 make deploy',
    '46-52 make deploy',
    '55-63 make deploy',
  ]);
});

it('[P53] buildFormat never removes the exit status of a command', () => {
  const state = 'The command "./prepare" exited with 0.';
  const around = (word: string) => repeat(12, (n) => `${word} part ${'abcdefghijkl'[n]} of the sources`);
  const text = ['$ ./prepare', ...around('reads'), state, ...around('leaves')].join('\n');
  const at = text.split('\n').indexOf(state) + 1;
  const holding = buildFormat
    .units(text.split('\n'), {})
    .filter(({ start, end }) => start <= at && at <= end);
  expect(holding.filter(({ kind }) => kind !== 'section')).toEqual([]);
  expect(quiet(text)).not.toEqual([]);
});

it('[P53] buildFormat keeps the lines of a diff that a formatter printed', () => {
  const text = [
    '$ npm run format',
    ...repeat(12, (n) => `reads part ${'abcdefghijkl'[n]} of the sources`),
    '--- a/cart.ts',
    '+++ b/cart.ts',
    '@@ -1,3 +1,3 @@',
    ' const a = 1;',
    '-const b =2;',
    '+const b = 2;',
    ' export { a, b };',
    ...repeat(12, (n) => `leaves part ${'abcdefghijkl'[n]} of the sources`),
    'npm ERR! code 1',
  ].join('\n');
  expect(quiet(text)).toEqual(['2-11 npm run format', '23-28 npm run format']);
});

it('[P53] buildFormat removes findings of one linter rule, except the first, the last and all errors', () => {
  const biome = (n: number, rule: string, sign: string) =>
    `src/a${n}.ts:${n}:1 lint/${rule} ━━━━━━━━━━━\n\n  ${sign} This is not good.\n\n  > ${n} │ export {};\n      │ ^^^^^^\n`;
  const shellcheck = (n: number) =>
    `In deploy${n}.sh line ${n}:\neval $1\n     ^-- SC2086 (info): Double quote to prevent globbing.\n`;
  const text = [
    ...repeat(12, (n) => biome(n + 1, 'complexity/noUselessEmptyExport', 'i')),
    ...repeat(12, (n) => biome(n + 1, 'suspicious/noExplicitAny', '×')),
    ...repeat(9, (n) => shellcheck(n + 1)),
    'Found 12 errors.',
  ].join('\n');
  expect(gaps(text)).toMatchObject([
    { kind: 'finding', name: 'lint/complexity/noUselessEmptyExport', count: 10 },
    { kind: 'finding', name: 'SC2086', count: 7 },
  ]);
  expect(kept(text).filter((line) => line.includes('noExplicitAny'))).toHaveLength(12);
});

it('[P53] buildFormat removes compiler notes about library code, and keeps errors and the user code that caused them', () => {
  const note = (n: number) =>
    `/usr/include/c++/12/bits/stl_pair.h:${n}:5: note: candidate: ‘operator<’\n  ${n} |     operator<(const pair& x)\n      |     ^~~~~~~~`;
  const text = [
    'stats.cc:12:55:   required from here',
    '/usr/include/c++/12/bits/stl_function.h:408:20: error: no match for ‘operator<’',
    '  408 |       { return x < y; }',
    '      |                ~~~~^~~~~',
    ...repeat(20, (n) => note(n + 100)),
    'make: *** [all] Error 1',
  ].join('\n');
  expect(gaps(text)).toEqual([{ lines: '8-64', kind: 'library-notes', name: '', count: 19 }]);
});

it('buildFormat ignores the timestamps of GitHub Actions logs', () => {
  const text = repeat(
    9,
    (n) => `2026-03-01T10:00:0${n}.1234567Z go: downloading example.org/m${n} v1.0.${n}`,
  ).join('\n');
  expect(gaps(text)).toEqual([{ lines: '1-9', kind: 'progress', name: 'downloading', count: 9 }]);
});

it('[P53] buildFormat removes a linter finding that occurs many times, and keeps files, errors, other findings and the total', () => {
  const finding = (n: number) =>
    `${String(n).padStart(5)}:${n % 9}  warning  Unexpected var, use let or const  no-var`;
  const lines = [
    '/srv/shop/cart.js',
    ...repeat(30, finding),
    '    31:4  error    Expected "===" and instead saw "=="  eqeqeq',
    '/srv/shop/price.js',
    ...repeat(30, finding),
    '    99:4  warning  Unused total  no-unused-vars',
    '✖ 62 problems (1 error, 61 warnings)',
  ];
  expect(gaps(lines.join('\n'))).toEqual([
    {
      lines: '3-31',
      kind: 'similar-lines',
      name: 'warning Unexpected var, use let or const no-var',
      count: 29,
    },
    {
      lines: '34-62',
      kind: 'similar-lines',
      name: 'warning Unexpected var, use let or const no-var',
      count: 29,
    },
  ]);
});

it('[P53] buildFormat never removes stack frames of the project as similar lines', () => {
  const frame = (n: number) => `/srv/shop/lib/part${n}.rb:${n}:in \`call'`;
  expect(gaps(['$ rake', 'boom (RuntimeError)', ...repeat(40, frame)].join('\n'))).toEqual([]);
});
