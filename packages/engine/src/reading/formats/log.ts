/**
 * Service logs, syslog, JSON lines, access logs and package logs, grouped by template. Rare kinds of entries are kept.
 * The first and last entry of frequent kinds, extreme numbers and rare values of short fields are kept.
 */

import type { Format, Sample, Unit } from '../document.ts';
import { type Mark, type Marks, namesTrouble, unitsOfMarks } from '../marks.ts';
import { nameOf } from '../repeated-lines.ts';
import { FAILED_REQUEST, filledTemplate, frequentEntries, standingOut } from './log/template.ts';
import { markLibraryFrames } from './stack-trace.ts';

/** Examples: short logs of services and systems, and texts that only look like one. */

function repeat(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n');
}

const SERVICE = `${repeat(8, (i) => `2026-03-01 10:00:0${i},120 INFO  [http] req-${4100 + i} GET /v1/items/${i * 7} 200 ${10 + i} ms`)}
2026-03-01 10:00:09,002 WARNING [pool] waited 3120 ms for a connection`;

const SYSLOG = repeat(
  8,
  (i) =>
    `Mar  1 10:00:0${i} web1 sshd[${900 + i}]: Accepted publickey for deploy from 10.0.0.${i} port 5${i}022`,
);

const JOURNAL = repeat(
  8,
  (i) => `Mar 01 10:00:0${i}.12${i} web-1 kernel: usb 1-1.${i}: new device number ${i}`,
);

const ACCESS = repeat(
  8,
  (i) =>
    `10.0.0.${i} - - [01/Mar/2026:10:00:0${i} +0000] "GET /items/${i} HTTP/1.1" 200 ${512 + i} "-" "curl/8.5.0"`,
);

const JSON_LINES = repeat(
  8,
  (i) => `{"level":"info","time":${1772359200000 + i},"msg":"request completed","status":200,"ms":${10 + i}}`,
);

/** Examples of lines from two services, in the form in which a log server returns them. */
const MIXED = repeat(8, (i) =>
  i % 2 === 0
    ? `edge-1 10.0.0.${i} - - [10:00:0${i}] "GET /items/${i} HTTP/2.0" 200 512 0.0${i}`
    : `cart-2 10:00:0${i}.100 INFO added item ${i}`,
);

const DPKG = repeat(8, (i) => `2026-03-01 10:00:0${i} status installed libfoo${i}:amd64 1.${i}-1`);

const LOGFMT = repeat(8, (i) => `time=2026-03-01T10:00:0${i}Z level=info msg="cache hit" key=item:${i}`);

const DIARY = `2026-03-01 was a Sunday.
It rained.
We stayed at home and read.
2026-03-02 was a Monday.
We went to work.
It did not rain.
In the evening we read again.`;

const TABLE = `name   size  changed
cart   120   2026-03-01
price  80    2026-03-02
tax    44    2026-03-02`;

const LOG_EXAMPLES = {
  is: [SERVICE, SYSLOG, JOURNAL, ACCESS, JSON_LINES, MIXED, DPKG, LOGFMT],
  isNot: [DIARY, TABLE],
};

/** Matches the beginning of a log entry. */
const ENTRY = new RegExp(
  [
    String.raw`^(?:\S{1,80} {1,20}(?:\| )?)?[[(]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d`, // 2026-11-16 19:35:41, after the name of a container
    String.raw`^\[?(?:\d{8}-|\d\d\.\d\d )\d\d:\d\d:\d\d`, // 20261116-19:35:41
    String.raw`^[[(]?\d\d[-/:]\d\d[-/:]\d{2,4} \d\d:\d\d:\d\d`, // 16/11/2026 19:35:41
    String.raw`^(?:<\d+>)?(?:[A-Z][a-z]{2} +\d{1,2}|\d{1,2}\.? [A-Z][a-z]{2,8}) (?:\d{4} )?\d\d:\d\d:\d\d(?:[.,]\d{1,9})? `, // syslog, journals
    String.raw`^\[?\d\d:\d\d:\d\d[.,\]\s]`, // 19:35:41.203
    String.raw`^\S{1,60} \S{1,40} \S{1,40} \[\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d`, // access logs
    String.raw`^(?:[^\s|]{1,60} {1,3}){1,5}\[\d\d:\d\d:\d\d[\].,]`, // access logs with a short time: web-1 10.0.0.1 - - [10:00:01]
    String.raw`^(?:[^\s|]{1,60} {1,3}){1,3}\d\d:\d\d:\d\d(?:[.,]\d{1,9})?Z? {1,3}\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|ERROR|FATAL|CRITICAL)`, // web-1 10:00:01.120 INFO
    String.raw`^\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d`, // Apache errors
    String.raw`^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+`, // glog
    String.raw`^\{"(?:\w{1,20}":[^{]{1,80},")?(?:time|timestamp|ts|@timestamp|level|severity|msg|message)"`, // JSON lines
    String.raw`^(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)[: \]|]`, // a level
    String.raw`^\[(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL|trace|debug|info|notice|warn|error)\]`,
    String.raw`^(?:time|ts|level|lvl)=\S`, // logfmt
    String.raw`^\[\s*\d+\.\d{6}\] `, // kernel
    String.raw`^- \d{9,} \d{4}\.\d\d\.\d\d `, // supercomputers
    String.raw`^\d{1,7}:[A-Z] \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d`, // Redis
  ].join('|'),
);
/** Matches the name of the container or pod that printed a line: `web-1  | `, `[pod/web-7d9/app] `. */
const SOURCE = /^(?:[\w.-]{1,60} {0,20}\| |\[[\w./-]{3,100}\] )/;
const MIN_LINES = 6;
const MIN_SHARE = 0.5;

/** Whether a log entry begins on a line. The name of its source may precede it. */
function isEntry(line: string): boolean {
  return ENTRY.test(line) || ENTRY.test(line.replace(SOURCE, ''));
}

function recognise(sample: Sample): boolean {
  const entries = sample.filter(isEntry).length;
  return entries >= MIN_LINES && entries >= sample.length * MIN_SHARE;
}

function units(lines: readonly string[]): readonly Unit[] {
  const marks: Marks = new Array(lines.length);
  markLibraryFrames(lines, marks);
  const starts = lines.map((line) => isEntry(line.slice(0, 200)));
  for (const { template, entries } of frequentEntries(lines, starts)) {
    const kept = standingOut(entries);
    const folded = entries.filter((_, position) => !kept.has(position));
    const kind = FAILED_REQUEST.test(template) && !namesTrouble(template) ? 'error: ' : '';
    const name = nameOf(`${kind}${filledTemplate(template, folded)}`, lines[entries[0]?.index ?? 0] ?? '');
    const mark: Mark = { kind: 'similar-lines', rule: 'repeated-lines', name, count: 1 };
    for (const { index } of folded) marks[index] ??= mark;
  }
  return unitsOfMarks(marks, { from: 0, to: lines.length - 1 });
}

export const logFormat: Format = { name: 'log', recognise, units, examples: LOG_EXAMPLES };
