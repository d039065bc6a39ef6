import { expect, it } from 'vitest';
import { logFormat } from '../../../../packages/engine/src/reading/formats/log.ts';
import { gapsOf, keptLines } from './removed.ts';

const gaps = (text: string) => gapsOf(logFormat.units(text.split('\n'), {}));
const kept = (text: string) => keptLines(logFormat, text);
const time = (n: number) =>
  `2026-03-01 10:${String(10 + Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')},000`;
const request = (n: number, ms = 20) =>
  `${time(n)} INFO  [http] req-${n} GET /v1/items/${n * 3} 200 ${ms} ms`;
const requests = (count: number) => Array.from({ length: count }, (_, n) => request(n));

it('[P53] logFormat keeps the first and last of many similar entries and labels the gap with their common words', () => {
  const lines = requests(40);
  expect(kept(lines.join('\n'))).toEqual([lines[0], lines[39]]);
  expect(gaps(lines.join('\n'))).toEqual([
    { lines: '2-39', kind: 'similar-lines', name: 'INFO [http] … GET /… 200 20 ms', count: 38 },
  ]);
});

it('[P53] logFormat keeps the slowest and the fastest request among many different durations', () => {
  const lines = Array.from({ length: 60 }, (_, n) => request(n, 20 + ((n * 7) % 40)));
  lines[17] = request(17, 48_231);
  lines[23] = request(23, 2);
  expect(kept(lines.join('\n'))).toEqual([lines[0], lines[17], lines[23], lines[59]]);
});

it('[P53] logFormat keeps entries with a rare status, state or region', () => {
  const lines = requests(40).map((line) => `${line} state=done region=eu`);
  lines[9] = (lines[9] ?? '').replace(' 200 ', ' 503 ');
  lines[21] = (lines[21] ?? '').replace('region=eu', 'region=us');
  lines[30] = (lines[30] ?? '').replace('state=done', 'state=lost');
  expect(kept(lines.join('\n'))).toEqual([lines[0], lines[9], lines[21], lines[30], lines[39]]);
});

it('[P53] logFormat keeps every entry of a kind that occurs once or twice, whatever its level', () => {
  const lines = requests(60);
  lines[20] = `${time(20)} INFO  [cache] config reloaded: ttl 300 -> 3`;
  lines[41] = `${time(41)} DEBUG [worker] queue drained`;
  expect(kept(lines.join('\n'))).toEqual([lines[0], lines[20], lines[41], lines[59]]);
});

it('logFormat keeps all warnings of a kind that occurs a few times', () => {
  const lines = requests(60);
  const at = [5, 11, 12, 30, 31, 44, 58];
  for (const n of at) lines[n] = `${time(n)} WARNING [pool] waited ${3000 + n} ms for a connection`;
  expect(kept(lines.join('\n'))).toEqual(expect.arrayContaining(at.map((n) => lines[n])));
});

it('[P53] logFormat never removes frequent errors and other entries in one gap, and labels errors as errors', () => {
  const lines = Array.from(
    { length: 80 },
    (_, n) => `${time(n)} ${n % 2 ? 'ERROR' : 'INFO'} [sync] shard ${n} of 80 copied`,
  );
  const names = new Set(gaps(lines.join('\n')).map(({ name }) => name));
  expect([...names].sort()).toEqual([
    'ERROR [sync] shard … of 80 copied',
    'INFO [sync] shard … of 80 copied',
  ]);
  const errors = logFormat.units(lines, {}).filter(({ name }) => name.startsWith('ERROR'));
  expect(
    errors.every(({ start, end }) => lines.slice(start - 1, end).every((line) => line.includes('ERROR'))),
  ).toBe(true);
});

it('logFormat keeps an entry together with the stack trace after it', () => {
  const lines = requests(60);
  lines.splice(
    30,
    0,
    request(100),
    'Traceback (most recent call last):',
    '  File "/srv/a.py", line 3, in pay',
    '    raise E',
    'E: no',
  );
  expect(kept(lines.join('\n'))).toEqual([lines[0], ...lines.slice(30, 35), lines.at(-1)]);
});

it('logFormat groups access log entries by method, status and size', () => {
  const line = (n: number) =>
    `10.0.0.1 - - [01/Mar/2026:10:00:${10 + (n % 50)} +0000] "GET /items/${n} HTTP/1.1" 200 512 "-" "curl/8.5.0" rt=0.001`;
  const lines = Array.from({ length: 50 }, (_, n) => line(n));
  lines[7] = (lines[7] ?? '').replace('" 200 512', '" 502 157');
  lines[19] = (lines[19] ?? '').replace('"GET ', '"DELETE ');
  lines[33] = (lines[33] ?? '').replace('rt=0.001', 'rt=1.917');
  expect(kept(lines.join('\n'))).toEqual([lines[0], lines[7], lines[19], lines[33], lines[49]]);
});

it('logFormat groups JSON log lines by the words of their messages', () => {
  const line = (n: number, ms: number) =>
    `{"level":"info","time":${1000 + n},"msg":"request completed","status":200,"ms":${ms}}`;
  const lines = Array.from({ length: 40 }, (_, n) => line(n, 20));
  lines[8] = '{"level":"warn","time":1008,"msg":"pool exhausted","ms":5003}';
  lines[22] = line(22, 9000);
  expect(kept(lines.join('\n'))).toEqual([lines[0], lines[8], lines[22], lines[39]]);
});

it('[P53] logFormat keeps every failed request although one in twenty fails', () => {
  const lines = requests(200).map((line, n) => (n % 20 === 3 ? line.replace(' 200 ', ' 503 ') : line));
  expect(kept(lines.join('\n')).filter((line) => line.includes(' 503 '))).toHaveLength(10);
});

it('[P53] logFormat keeps requests that timed out, and removes requests for files that do not exist', () => {
  const lines = requests(200).map((line, n) =>
    n % 4 === 3 ? line.replace(' 200 ', n % 16 === 3 ? ' 408 ' : ' 404 ') : line,
  );
  const shown = kept(lines.join('\n'));
  expect(shown.filter((line) => line.includes(' 408 '))).toHaveLength(13);
  expect(shown.filter((line) => line.includes(' 404 ')).length).toBeLessThan(25);
});

it('[P53] logFormat removes frequent failed requests in gaps of their own and labels them as errors', () => {
  const lines = requests(200).map((line, n) => (n % 4 === 3 ? line.replace(' 200 ', ' 503 ') : line));
  const names = new Set(gaps(lines.join('\n')).map(({ name }) => name));
  expect([...names].sort()).toEqual([
    'INFO [http] … GET /… 200 20 ms',
    'error: … INFO [http] … GET /… 503 20 ms',
  ]);
});

it('[P53] logFormat treats entries that differ in one word, such as a currency, as similar', () => {
  const currencies = ['EUR', 'SEK', 'PLN', 'CHF'];
  const order = (n: number) =>
    `${time(n)} INFO  [shop] order N${n} placed total=${n}.50 ${currencies[n % 4]} psp=card`;
  const lines = Array.from({ length: 60 }, (_, n) => order(n));
  lines[13] = (lines[13] ?? '').replace('SEK', 'JPY');
  expect(kept(lines.join('\n'))).toEqual([lines[0], lines[13], lines[59]]);
  expect(gaps(lines.join('\n')).map(({ name }) => name)).toEqual(
    new Array(2).fill('INFO [shop] order … placed total=… psp=card'),
  );
});

it('[P53] logFormat keeps entries about settings that are each logged once or twice', () => {
  const lines = requests(60);
  for (const [at, name] of ['timeout', 'retries', 'backlog', 'ceiling'].entries())
    lines[10 + 9 * at] = `${time(10 + 9 * at)} INFO  [config] setting ${name} changed to 30`;
  const settings = lines.filter((line) => line.includes('[config]'));
  expect(kept(lines.join('\n'))).toEqual([lines[0], ...settings, lines[59]]);
});

it('logFormat labels entries with the class name, without thread and package', () => {
  const lines = Array.from(
    { length: 40 },
    (_, n) => `${time(n)} INFO  [exec-${n % 30}] org.example.shop.QuoteClient - quote for cart=${n}a`,
  );
  expect(gaps(lines.join('\n')).map(({ name }) => name)).toEqual(['INFO QuoteClient - quote for cart=…']);
});

it('[P53] logFormat never puts a logfmt entry above level INFO into a gap of INFO entries', () => {
  const lines = Array.from(
    { length: 90 },
    (_, n) => `time=2026-03-01T10:00:00Z level=${n % 3 ? 'info' : 'error'} msg="shard ${n} synced" code=7`,
  );
  for (const { lines: range, name } of gaps(lines.join('\n'))) {
    const [start = 0, end = 0] = range.split('-').map(Number);
    const level = name.includes('info') ? 'level=info' : 'level=error';
    for (const line of lines.slice(start - 1, end)) expect(line).toContain(level);
  }
});

it('[P58] logFormat labels each gap with words that occur in this order in each of its lines', () => {
  const access = (n: number) =>
    `10.0.0.${n % 3} - - [01/Mar/2026:10:00:${10 + (n % 50)} +0000] "${n % 7 ? 'GET' : 'PUT'} /items/${n} HTTP/1.1" 200 ${n} "-" "curl/8.5.0"`;
  const lines = Array.from({ length: 400 }, (_, n) => (n % 2 ? access(n) : request(n, n % 50)));
  const found = gaps(lines.join('\n'));
  expect(found.length).toBeGreaterThan(0);
  for (const { lines: range, name } of found) {
    const [start = 0, end = 0] = range.split('-').map(Number);
    for (const line of lines.slice(start - 1, end)) expectInOrder(line.replace(/\s+/g, ' '), name.split('…'));
  }
});

function expectInOrder(line: string, parts: readonly string[]): void {
  let from = 0;
  for (const part of parts) {
    const at = line.indexOf(part.trim(), from);
    expect(at, `${part} in ${line}`).toBeGreaterThanOrEqual(from);
    from = at + part.trim().length;
  }
}

it('[P53] logFormat reads the logs of several containers, each line with the name of its container', () => {
  const lines = Array.from({ length: 80 }, (_, n) =>
    n % 2 === 0
      ? `web-1    | 10.0.0.${n} - - [21/Jun/2026:18:00:${10 + (n % 50)} +0000] "GET /items/${n} HTTP/1.1" 200 512 "-" "curl/8"`
      : `cache-1  | 1:M 21 Jun 2026 18:00:${10 + (n % 50)}.608 * ${n} changes in 300 seconds. Saving...`,
  );
  lines[40] =
    'cache-1  | 1:M 21 Jun 2026 18:06:00.001 # Warning: no config file specified, using the default config';
  expect(logFormat.recognise(lines)).toBe(true);
  const shown = kept(lines.join('\n'));
  expect(shown).toContain(lines[40]);
  expect(shown.length).toBeLessThan(10);
});

it('[P53] logFormat groups JSON lines with a message by the message, whatever event or customer they contain', () => {
  const events = ['order.created', 'invoice.sent', 'stock.low', 'refund.created'];
  const line = (n: number) =>
    `{"level":30,"time":${1_718_874_000 + n},"tenant":"shop-${n % 11}","event":"${events[n % 4]}","status":${n % 3 === 0 ? 202 : 200},"msg":"delivered"}`;
  const lines = Array.from({ length: 44 }, (_, n) => line(n));
  lines[30] =
    '{"level":50,"time":1718874030,"tenant":"shop-3","event":"stock.low","msg":"moved to dead letter queue"}';
  // The second line has the lowest status.
  expect(kept(lines.join('\n'))).toEqual([lines[0], lines[1], lines[30], lines[43]]);
  expect(gaps(lines.join('\n'))[0]?.name).toMatch(/^delivered/);
});

it('[P53] logFormat keeps no entry for a rare value if most entries have rare values', () => {
  const lines = Array.from(
    { length: 14 },
    (_, n) => `${time(n)} INFO  [http] served request tenant=shop-${'abcdefg'[n % 7]}`,
  );
  expect(kept(lines.join('\n'))).toEqual([lines[0], lines[13]]);
});

it('[P53] logFormat treats ids without a digit as fields: m_OYIVDCvXdJTU', () => {
  const ids = ['m_OYIVDCvXdJTU', 'm_agCJZUaawRGf', 'm_mqSZkGOKlhcI', 'm_mhFSPzVKdfrJ'];
  const lines = Array.from(
    { length: 24 },
    (_, n) => `${time(n)} INFO  [mail] rendered ${ids[n % 4]} for the relay`,
  );
  expect(kept(lines.join('\n'))).toEqual([lines[0], lines[23]]);
});

it('[P53] logFormat keeps up to six entries with a value that few entries of a kind have', () => {
  const lines = Array.from(
    { length: 120 },
    (_, n) => `${time(n % 60)} INFO  [mail] rendered mail locale=de used=${n % 20 === 7 ? 'en' : 'de'}`,
  );
  expect(kept(lines.join('\n')).filter((line) => line.endsWith('used=en'))).toHaveLength(6);
});
