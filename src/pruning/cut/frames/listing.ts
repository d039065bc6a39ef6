import type { ClassifiedText } from '../classify.ts';
import type { Frames } from '../frames.ts';
import { type IndentedHead, nestByIndent } from './indentation.ts';

/** `./src/lib:` of `ls -R`. */
const FOLDER = /^(\S.*\S|\S):$/;
const BRANCH = /^([│├└─|`\s\u00a0-]*)(?:├──|└──|\|--|`--)[ \u00a0]/;

/** An entry that stays keeps the folders it lies in, where lines say so: the headings of `ls -R`, the branches of `tree`. */
export function listingFrames({ bare: lines }: ClassifiedText): Frames {
  const depths = depthsOf(lines);
  const heads = lines.flatMap((line, index): IndentedHead[] => {
    const depth = depths[index] ?? 0;
    const holdsOthers = FOLDER.test(line) || (depths[index + 1] ?? 0) > depth;
    const head = { start: index + 1, end: index + 1 };
    return holdsOthers ? [{ head, noun: 'folder', name: nameOf(line), indent: depth }] : [];
  });
  // Depths as indents: that is what tells which folder a line is in.
  return { ...nestByIndent(depths.map(asIndent), heads), structural: [] };
}

/** Branches say how deep they are; below the heading of a folder its entries are one deeper. */
function depthsOf(lines: readonly string[]): number[] {
  let isBelowHeading = false;
  return lines.map((line) => {
    const branch = BRANCH.exec(line);
    if (branch !== null) return 1 + Math.floor((branch[1]?.length ?? 0) / BRANCH_WIDTH);
    if (FOLDER.test(line) || line === '') {
      isBelowHeading = line !== '';
      return 0;
    }
    return isBelowHeading ? 1 : 0;
  });
}

const BRANCH_WIDTH = 4;

function asIndent(depth: number): string {
  return `${' '.repeat(depth)}x`;
}

function nameOf(line: string): string {
  return line.replace(BRANCH, '').replace(/:$/, '').trim();
}
