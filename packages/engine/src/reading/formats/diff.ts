/**
 * Diffs and patches: `git diff`, `git show`, `git log -p`, `git format-patch`, `diff -u`. Units are commits, changed
 * files and hunks. A hunk is removed as a whole; a file or a commit keeps its heading.
 */
import type { LineRange } from '@secateur/base/text/lines.ts';
import type { Format, Unit } from '../document.ts';

const HUNK = /^@@@? -\d+/;
const COMMIT = /^(?:commit [0-9a-f]{7,40}\b|From [0-9a-f]{40} )/;
const NAMED_FILE = /^diff /;
const OLD_NAME = /^--- /;
const NEW_NAME = /^\+\+\+ /;

export const diffFormat: Format = {
  name: 'diff',
  recognise(sample) {
    const hunks = sample.some((line) => HUNK.test(line));
    const changed = sample.filter((line) => /^[+-]/.test(line)).length;
    return hunks && changed > 0.1 * sample.length;
  },
  units: partsOf,
  examples: {
    is: [
      'diff --git a/src/cart.ts b/src/cart.ts\nindex 1f3a..88bc 100644\n--- a/src/cart.ts\n+++ b/src/cart.ts\n@@ -10,3 +10,4 @@ export function add(item: Item) {\n   const cart = load();\n+  assertOpen(cart);\n   cart.items.push(item);\n }',
      '--- notes.txt\n+++ notes.txt\n@@ -1 +1 @@\n-old\n+new',
    ],
    isNot: ['- one\n- two\n+ three', 'diff is a tool that compares files.'],
  },
};

/** Splits a range before each line that begins a part. Lines before the first part are omitted. */
function rangesFrom(
  lines: readonly string[],
  range: LineRange,
  opens: (line: string, next: string) => boolean,
): LineRange[] {
  const starts: number[] = [];
  for (let number = range.start; number <= range.end; number += 1) {
    if (opens(lines[number - 1] ?? '', lines[number] ?? '')) starts.push(number);
  }
  return starts.map((start, index) => ({ start, end: (starts[index + 1] ?? range.end + 1) - 1 }));
}

function partsOf(lines: readonly string[]): Unit[] {
  const all = { start: 1, end: lines.length };
  const commits = rangesFrom(lines, all, (line) => COMMIT.test(line));
  if (commits.length === 0) return filesOf(lines, all);
  return commits.map((commit) => {
    const children = filesOf(lines, commit);
    return {
      kind: 'commit',
      name: commitName(lines, commit),
      ...commit,
      head: (children[0]?.start ?? commit.end + 1) - 1,
      ...removable(children),
    };
  });
}

/** Returns the rule of a unit. It can be removed as a whole if all of its parts can. */
function removable(children: readonly Unit[]): Pick<Unit, 'rule' | 'children'> {
  const mustStay = children.some((child) => child.rule === undefined || child.standsOut === true);
  if (children.length === 0) return {};
  return mustStay ? { children } : { rule: 'diff-parts', children };
}

/** Returns the short hash and the subject of a commit. The subject is the first indented line, or the `Subject:` of an e-mail. */
function commitName(lines: readonly string[], { start, end }: LineRange): string {
  const hash = /[0-9a-f]{7,40}/.exec(lines[start - 1] ?? '')?.[0].slice(0, 8) ?? '';
  const below = lines.slice(start, Math.min(end, start + 12));
  const subject = below.find((line) => /^(?: {4}\S|Subject: )/.test(line)) ?? '';
  return `${hash} ${subject.replace(/^Subject: (?:\[PATCH[^\]]*\] )?/, '').trim()}`.trim();
}

function filesOf(lines: readonly string[], range: LineRange): Unit[] {
  let isNamed = false;
  const files = rangesFrom(lines, range, (line, next) => {
    if (NAMED_FILE.test(line)) {
      isNamed = true;
      return true;
    }
    // Below a `diff` line, `---` and `+++` belong to its heading. A plain patch has only these two lines.
    return !isNamed && OLD_NAME.test(line) && NEW_NAME.test(next);
  });
  return files.map((file) => fileUnit(lines, file));
}

function fileUnit(lines: readonly string[], file: LineRange): Unit {
  const hunks = rangesFrom(lines, file, (line) => HUNK.test(line)).map((hunk) => withoutTail(lines, hunk));
  const name = fileName(lines, file);
  const isMinor = MINOR_FILE.test(name);
  const dropped = isMinor ? new Set<string>() : droppedNames(lines, file);
  const children = hunks.map((hunk, index): Unit => {
    const standsOut = !isMinor && (index === 0 || dropsName(lines, hunk, dropped));
    return {
      kind: 'hunk',
      name: (lines[hunk.start - 1] ?? '').replace(/^@@@?.*?@@@?/, '').trim(),
      ...hunk,
      head: hunk.start - 1,
      rule: 'diff-parts',
      ...(standsOut ? { standsOut } : {}),
    };
  });
  const end = children.at(-1)?.end ?? file.end;
  const head = (children[0]?.start ?? file.end + 1) - 1;
  return { kind: 'changed-file', name, start: file.start, end, head, ...removable(children) };
}

/** Matches tests, lock files and generated files. Readers of a change read them last. */
const MINOR_FILE =
  /(?:^|[/_.-])(?:tests?|specs?|__tests__|testdata|fixtures|snapshots?|vendor|dist|generated|min)(?:[/_.-]|$)|lock\.(?:json|yaml)$|\.(?:lockb?|sum|snap|svg|map)$/i;

/** Returns the last hunk without the signature of an e-mail or the blank line before the next commit. */
function withoutTail(lines: readonly string[], { start, end }: LineRange): LineRange {
  let last = end;
  while (last > start && !/^(?:[+\-\s\\].|[+-]$|@@@? -\d+)/.test(lines[last - 1] ?? '')) last -= 1;
  return { start, end: last };
}

function fileName(lines: readonly string[], { start, end }: LineRange): string {
  const head = lines.slice(start - 1, Math.min(end, start + 8));
  const renamed = head.find((line) => NEW_NAME.test(line) && !line.includes('/dev/null'));
  const named = renamed ?? head.find((line) => OLD_NAME.test(line)) ?? '';
  if (named !== '') return named.slice(4).replace(/\t.*|^[abciw]\//g, '');
  return (lines[start - 1] ?? '').split(' ').at(-1)?.replace(/^b\//, '') ?? '';
}

const DEFINITION =
  /^[+-]\s*(?:[\w@]+ ){0,3}(?:def|function|class|func|fn|interface|struct|enum|type) +([\w$]+)/;

/** Returns names whose definition a hunk removes and no hunk adds again. */
function droppedNames(lines: readonly string[], { start, end }: LineRange): Set<string> {
  const added = new Set<string>();
  const removed = new Set<string>();
  for (const line of lines.slice(start - 1, end)) {
    const name = DEFINITION.exec(line.slice(0, 200))?.[1];
    if (name !== undefined) (line.startsWith('+') ? added : removed).add(name);
  }
  return new Set([...removed].filter((name) => !added.has(name)));
}

function dropsName(lines: readonly string[], { start, end }: LineRange, dropped: ReadonlySet<string>) {
  if (dropped.size === 0) return false;
  return lines.slice(start - 1, end).some((line) => {
    const name = line.startsWith('-') ? DEFINITION.exec(line.slice(0, 200))?.[1] : undefined;
    return name !== undefined && dropped.has(name);
  });
}
