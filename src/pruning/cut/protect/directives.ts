import type { ClassifiedText } from '../classify.ts';
import type { Protection } from './protection.ts';

const BEGIN = '⟦NO_PRUNE_BEGIN⟧';
const END = '⟦NO_PRUNE_END⟧';

/** Keeps everything from a begin to its end, both lines included; a begin without an end protects the rest. */
export function protectDirectives({ clean: lines }: ClassifiedText, protection: Protection): void {
  let depth = 0;
  for (const [index, line] of lines.entries()) {
    const begins = line.includes(BEGIN);
    const ends = line.includes(END);
    if (begins) depth += 1;
    if (begins || ends || depth > 0) protection.pin(index);
    if (ends && depth > 0) depth -= 1;
  }
}
