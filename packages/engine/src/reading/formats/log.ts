/**
 * Service logs, syslog, JSON lines, access logs and package logs, by template. Kinds of entries that are rare stay; of
 * frequent ones the first and last stay, the extremes of each number and rare values of short fields.
 */
import type { Format, Sample, Unit } from '../document.ts';
import { nameOf } from '../repeated-lines.ts';
import { filledTemplate, frequentEntries } from './log/entries.ts';
import { LOG_EXAMPLES } from './log/examples.ts';
import { standingOut } from './log/standing-out.ts';
import { type Mark, type Marks, unitsOfMarks } from './runs/marks.ts';
import { markLibraryFrames } from './stack-trace.ts';

/** How an entry of a log begins. */
const ENTRY = new RegExp(
  [
    String.raw`^(?:\S{1,80} {1,20}(?:\| )?)?[[(]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d`, // 2026-11-16 19:35:41, after the name of a container
    String.raw`^\[?(?:\d{8}-|\d\d\.\d\d )\d\d:\d\d:\d\d`, // 20261116-19:35:41
    String.raw`^[[(]?\d\d[-/:]\d\d[-/:]\d{2,4} \d\d:\d\d:\d\d`, // 16/11/2026 19:35:41
    String.raw`^(?:<\d+>)?[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d `, // syslog
    String.raw`^\[?\d\d:\d\d:\d\d[.,\]\s]`, // 19:35:41.203
    String.raw`^\S{1,60} \S{1,40} \S{1,40} \[\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d`, // access logs
    String.raw`^\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d`, // Apache errors
    String.raw`^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+`, // glog
    String.raw`^\{"(?:\w{1,20}":[^{]{1,80},")?(?:time|timestamp|ts|@timestamp|level|severity|msg|message)"`, // JSON lines
    String.raw`^(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)[: \]|]`, // a level
    String.raw`^\[(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL|trace|debug|info|notice|warn|error)\]`,
    String.raw`^(?:time|ts|level|lvl)=\S`, // logfmt
    String.raw`^\[\s*\d+\.\d{6}\] `, // kernel
    String.raw`^- \d{9,} \d{4}\.\d\d\.\d\d `, // supercomputers
  ].join('|'),
);
const MIN_LINES = 6;
const MIN_SHARE = 0.5;

function recognise(sample: Sample): boolean {
  const entries = sample.filter((line) => ENTRY.test(line)).length;
  return entries >= MIN_LINES && entries >= sample.length * MIN_SHARE;
}

function units(lines: readonly string[]): readonly Unit[] {
  const marks: Marks = new Array(lines.length);
  markLibraryFrames(lines, marks);
  const starts = lines.map((line) => ENTRY.test(line.slice(0, 200)));
  for (const { template, entries } of frequentEntries(lines, starts)) {
    const kept = standingOut(entries);
    const folded = entries.filter((_, position) => !kept.has(position));
    const name = nameOf(filledTemplate(template, folded), lines[entries[0]?.index ?? 0] ?? '');
    const mark: Mark = { kind: 'similar-lines', rule: 'repeated-lines', name, count: 1 };
    for (const { index } of folded) marks[index] ??= mark;
  }
  return unitsOfMarks(marks, { from: 0, to: lines.length - 1 });
}

export const logFormat: Format = { name: 'log', recognise, units, examples: LOG_EXAMPLES };
