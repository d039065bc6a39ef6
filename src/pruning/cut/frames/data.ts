import type { ClassifiedText } from '../classify.ts';
import type { Frames } from '../frames.ts';
import { type KeyLine, keysIn, sectionsIn } from '../keys.ts';
import { type IndentedHead, nestByIndent } from './indentation.ts';

/** A value that stays keeps the keys around it, or the name of its section: the path that leads to it. */
export function dataFrames({ bare: lines }: ClassifiedText): Frames {
  const sections = sectionsIn(lines);
  const nested =
    sections.length > 0
      ? nestByIndent(belowSections(lines, sections), sections.map(headOf))
      : nestByIndent(lines, keysIn(lines).map(headOf));
  return { ...nested, structural: [] };
}

/** What stands between sections as blank lines: they end no frame. */
function belowSections(lines: readonly string[], sections: readonly KeyLine[]): string[] {
  const heads = new Set(sections.map(({ index }) => index));
  return lines.map((line, index) => (heads.has(index) ? line : ''));
}

function headOf({ index, indent, key }: KeyLine): IndentedHead {
  return { head: { start: index + 1, end: index + 1 }, noun: 'key', name: key, indent };
}
