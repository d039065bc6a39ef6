/**
 * Texts made to be slow, cut whole (read, protected, ranked, selected, rendered) at the default time limit, beside
 * ordinary source code: nanoseconds of processor time a character, and how many times the ordinary that is.
 *
 *   npm run bench -- shapes
 */

import { systemClock } from '../packages/base/src/runtime/time.ts';
import { cutText } from '../packages/engine/src/cut.ts';
import { createLocalScorer } from '../packages/engine/src/ranking/local-scorer.ts';
import type { SourceType } from '../packages/engine/src/ranking/scorer.ts';
import { sourceText } from './prune/source-text.ts';
import { LINE_SHAPES } from './shapes/line-shapes.ts';

const CHARACTERS = 2_000_000;
const TIMEOUT_MS = 1500;
const ROUNDS = 2;
const SHOWN = 12;
const SOURCE_TYPES = ['code', 'logs', 'docs'] as const;
const options = {
  maxPruneRatio: 0.7,
  minKeepLines: 0,
  timeoutMs: TIMEOUT_MS,
  annotateLines: false,
  includeMarkers: true,
  markers: 'canonical' as const,
};

const PARTS = { scorer: createLocalScorer(), clock: systemClock };
const ordinary = costs(sourceText(CHARACTERS));

console.log(
  `ordinary source code: ${SOURCE_TYPES.map((type) => `${ordinary[type].toFixed(0)} as ${type}`).join(', ')} (ns a character)\n`,
);
const rows = Object.entries(LINE_SHAPES).flatMap(([name, line]) => {
  const shape = costs(textOf(line));
  return SOURCE_TYPES.map((type) => ({ name, type, cost: shape[type], ratio: shape[type] / ordinary[type] }));
});
rows.sort((a, b) => b.ratio - a.ratio);
console.log(`| the ${SHOWN} dearest of ${rows.length} | as | ns a character | against ordinary |`);
console.log('|---|---|---|---|');
for (const { name, type, cost, ratio } of rows.slice(0, SHOWN))
  console.log(`| ${name} | ${type} | ${cost.toFixed(0)} | ${ratio.toFixed(2)} × |`);

function costs(text: string): Record<SourceType, number> {
  return {
    code: costOf(text, 'code'),
    logs: costOf(text, 'logs'),
    docs: costOf(text, 'docs'),
  };
}

function costOf(text: string, sourceType: SourceType): number {
  const request = { text, focus: { question: 'find the parse error in x7' }, sourceType, options };
  const job = { request, id: `prn_${'0'.repeat(26)}`, remainingMs: TIMEOUT_MS };
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    cutText(job, PARTS);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return (least * 1000) / text.length;
}

function textOf(line: (number: number) => string): string {
  const lines: string[] = [];
  for (let length = 0, number = 0; length < CHARACTERS; number += 1) {
    const next = line(number);
    lines.push(next);
    length += next.length + 1;
  }
  return lines.join('\n');
}
