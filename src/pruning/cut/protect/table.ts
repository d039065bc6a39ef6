import type { ClassifiedText } from '../classify.ts';
import type { Protection } from './protection.ts';

const RULE = /^[\s|+:=-]{3,}$/;

/** The names of the columns stay, with the rule below them: without them no row says anything. */
export function protectTable({ bare: lines }: ClassifiedText, protection: Protection): void {
  const header = lines.findIndex((line) => line.trim() !== '' && !RULE.test(line));
  if (header < 0) return;
  protection.pin(header);
  if (RULE.test(lines[header + 1] ?? '')) protection.pin(header + 1);
}
