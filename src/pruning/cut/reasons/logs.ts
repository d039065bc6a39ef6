import type { ClassifiedText } from '../classify.ts';
import { PLAIN, type Reasons } from './reason.ts';

const LEVEL = /\b(TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?)\b/i;
const MOSTLY = 0.6;
const LONGEST_READ = 200;

/** A block of log is named after the pattern it repeats, or after its level. */
export function logReasons({ bare: lines }: ClassifiedText): Reasons {
  return ({ start, end }) => {
    const block = lines.slice(start - 1, end);
    const { count } = mostFrequent(block.map(templateOf));
    if (block.length >= 3 && count >= MOSTLY * block.length)
      return { french: `répétition: ${count} lignes semblables`, english: `${count} similar lines` };
    const level = mostFrequent(
      block.map((line) => LEVEL.exec(line.slice(0, LONGEST_READ))?.[1]?.toUpperCase() ?? ''),
    );
    if (level.value === '' || level.count < MOSTLY * block.length) return PLAIN;
    return { french: `hors focus: lignes ${level.value}`, english: `${level.value} lines` };
  };
}

/** What a log line says once its numbers, ids, times and paths are taken out: two lines of one pattern share it. */
function templateOf(line: string): string {
  return line
    .slice(0, LONGEST_READ)
    .replace(/(?<![\w./\\-])[\w./\\-]*\d[\w./\\:-]*/g, '#')
    .replace(/\s+/g, ' ')
    .trim();
}

function mostFrequent(values: readonly string[]): { value: string; count: number } {
  const counts = new Map<string, number>();
  let best = { value: '', count: 0 };
  for (const value of values) {
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (count > best.count) best = { value, count };
  }
  return best;
}
