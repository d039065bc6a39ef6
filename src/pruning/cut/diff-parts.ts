import type { LineRange } from '../../text/lines.ts';

/** A head of a diff: a commit's lines, or those that name a file; what they head follows. */
export interface DiffHead {
  readonly head: LineRange;
  readonly kind: 'commit' | 'file';
  readonly name: string;
}

export interface DiffParts {
  readonly heads: readonly DiffHead[];
  /** From `@@` to the last line of the hunk. */
  readonly hunks: readonly LineRange[];
}

const COMMIT = /^commit ([0-9a-f]{7,40})\b/;
const FILE = /^diff --git a\/(\S+)|^diff -\S+ (?:.* )?(\S+)$|^--- (?:a\/)?(\S+)/;

/** Reads the parts in order; a plain patch names its files by `---` and `+++` alone. */
export function diffParts(lines: readonly string[]): DiffParts {
  const heads: DiffHead[] = [];
  const hunks: LineRange[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const named = headOf(line);
    const isPart = named !== undefined || line.startsWith('@@ ');
    const end = isPart ? endOf(lines, at) : at + 1;
    if (named !== undefined) heads.push({ head: { start: at + 1, end }, ...named });
    else if (isPart) hunks.push({ start: at + 1, end });
    at = end;
  }
  return { heads, hunks };
}

function headOf(line: string): Pick<DiffHead, 'kind' | 'name'> | undefined {
  const commit = COMMIT.exec(line);
  if (commit !== null) return { kind: 'commit', name: (commit[1] ?? '').slice(0, 10) };
  const file = FILE.exec(line);
  return file === null ? undefined : { kind: 'file', name: file[1] ?? file[2] ?? file[3] ?? '' };
}

/** One past the part that starts at `at`: up to the next commit, file or hunk. */
function endOf(lines: readonly string[], at: number): number {
  const isNamedFile = lines[at]?.startsWith('diff ') === true;
  let end = at + 1;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? '';
    if (line.startsWith('@@ ') || COMMIT.test(line) || line.startsWith('diff ')) break;
    // Inside a hunk `--- ` is a removed line, unless the next names the new file; `diff` lines have their own pair.
    const isPair = line.startsWith('--- ') && lines[end + 1]?.startsWith('+++ ') === true;
    if (isPair && !isNamedFile) break;
  }
  return end;
}
