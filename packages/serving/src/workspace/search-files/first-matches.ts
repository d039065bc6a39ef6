import type { SearchMatch } from '../search-files.ts';

/** Keeps the first `limit` matches in path and line order of a stream in any order; memory stays bounded. */
export class FirstMatches {
  private readonly limit: number;
  private kept: SearchMatch[] = [];
  /** When set, every match after this one can be forgotten. */
  private last: SearchMatch | undefined;
  private dropped = false;
  /** Number of matches, those not looked at included. */
  seen = 0;
  private cutLines = false;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Whether any match in this file could still be among the first. */
  wants(path: string): boolean {
    if (this.last === undefined || comparePaths(path, this.last.path) <= 0) return true;
    this.dropped = true;
    return false;
  }

  add(match: SearchMatch, lineWasCut: boolean): void {
    this.seen += 1;
    if (this.last !== undefined && inOrder(this.last, match) < 0) {
      this.dropped = true;
      return;
    }
    this.kept.push(match);
    this.cutLines ||= lineWasCut;
    if (this.kept.length >= 2 * this.limit + 64) this.shrink();
  }

  private shrink(): void {
    const sorted = withoutRepeats(this.kept.sort(inOrder));
    this.dropped ||= sorted.length > this.limit;
    this.kept = sorted.slice(0, this.limit);
    this.last = this.kept.length === this.limit ? this.kept.at(-1) : undefined;
  }

  /** The matches kept, whether there were more, and whether one of their lines was cut. */
  sorted(): { matches: SearchMatch[]; hasMore: boolean; hasCutLines: boolean } {
    this.shrink();
    return { matches: this.kept, hasMore: this.dropped, hasCutLines: this.cutLines };
  }
}

function inOrder(a: SearchMatch, b: SearchMatch): number {
  return a.path === b.path ? a.line - b.line : comparePaths(a.path, b.path);
}

/** Folder by folder, as ripgrep's `--sort path` goes: `a/z` before `a-b`. */
function comparePaths(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const difference = rank(a.charCodeAt(index)) - rank(b.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** The end of a folder's name comes first; the rest in the order of UTF-8 bytes, where surrogates come last. */
function rank(code: number): number {
  if (code === 47) return 0;
  return code >= 0xd800 && code <= 0xdfff ? code + 0x10000 : code;
}

/** Removes repeats: a file may have been named twice. */
function withoutRepeats(sorted: readonly SearchMatch[]): SearchMatch[] {
  return sorted.filter((match, index) => {
    const before = sorted[index - 1];
    return before === undefined || inOrder(before, match) !== 0;
  });
}
