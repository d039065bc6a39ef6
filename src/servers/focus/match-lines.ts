import type { SearchMatch } from '../../workspace/search-files.ts';

/** A match as one line, the way grep prints it: what is pruned, and what clients that show text see. */
export function matchLine({ path, line, text }: SearchMatch): string {
  // A name may hold a line break; the line must not.
  return `${path.replaceAll('\n', '\\n')}:${line}:${text}`;
}

/** The first matches whose lines fit; a match is shown whole or not at all. */
export function withinBytes(
  found: { matches: SearchMatch[]; truncated: boolean },
  maxBytes: number,
): { matches: SearchMatch[]; truncated: boolean; bytes: number } {
  let bytes = 0;
  for (const [index, match] of found.matches.entries()) {
    const size = Buffer.byteLength(matchLine(match)) + (index === 0 ? 0 : 1);
    if (bytes + size > maxBytes) return { matches: found.matches.slice(0, index), truncated: true, bytes };
    bytes += size;
  }
  return { ...found, bytes };
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
