import type { Searched, SearchMatch } from '@secateur/serving/workspace/search-files.ts';

/** A match as one line, the way grep prints it: what is pruned, and what clients that show text see. */
export function matchLine({ path, line, text }: SearchMatch): string {
  // A name may hold a line break; the line must not.
  return `${path.replaceAll('\n', '\\n')}:${line}:${text}`;
}

/** Returns the first matches whose lines fit; a match is shown whole or not at all. */
export function withinBytes(
  matches: readonly SearchMatch[],
  maxBytes: number,
): { matches: readonly SearchMatch[]; bytes: number } {
  let bytes = 0;
  for (const [index, match] of matches.entries()) {
    const size = Buffer.byteLength(matchLine(match)) + (index === 0 ? 0 : 1);
    if (bytes + size > maxBytes) return { matches: matches.slice(0, index), bytes };
    bytes += size;
  }
  return { matches, bytes };
}

/** Says in words what an answer leaves out; empty if it has every match and every line whole. */
export function cutNotes(shown: number, { matchCount, isCountExact, hasCutLines }: Searched): string[] {
  const total = isCountExact ? `${matchCount}` : `more than ${matchCount}`;
  return [
    ...(isCountExact && shown === matchCount ? [] : [`[the first ${shown} of ${total} matches]`]),
    ...(hasCutLines ? ['[long lines were cut around their match]'] : []),
  ];
}

/** The matches a pruned text still shows, in order; what else it says (markers of what is missing) comes as notes. */
export function keptMatches(
  matches: readonly SearchMatch[],
  shown: string,
): { matches: SearchMatch[]; notes: string[] } {
  const kept: SearchMatch[] = [];
  const notes: string[] = [];
  let next = 0;
  for (const line of shown === '' ? [] : shown.split('\n')) {
    const at = indexFrom(matches, next, line);
    const match = matches[at];
    if (match === undefined) {
      notes.push(line);
      continue;
    }
    kept.push(match);
    next = at + 1;
  }
  return { matches: kept, notes };
}

function indexFrom(matches: readonly SearchMatch[], start: number, line: string): number {
  for (let index = start; index < matches.length; index += 1) {
    const match = matches[index];
    if (match !== undefined && matchLine(match) === line) return index;
  }
  return -1;
}
