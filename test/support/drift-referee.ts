import { compareBaselines } from '../../packages/reverse-spec/src/spec/drift/compare.ts';
import type { Change, PlacedExport } from '../../packages/reverse-spec/src/spec/drift/export-changes.ts';
import type { Baseline } from '../../packages/reverse-spec/src/spec/writing/document/baseline.ts';
import type { DeclaredExports } from './declared-exports.ts';

export interface Verdict {
  expected: { removed: number; added: number; changed: number };
  /** Changes the compiler sees and the report does not. */
  missed: string[];
  /** Changes the report has and the compiler does not see. */
  invented: string[];
}

/** Holds our comparison against what the compiler says about both states. */
export function judge(
  ours: { before: Baseline; after: Baseline },
  theirs: { before: Map<string, DeclaredExports>; after: Map<string, DeclaredExports> },
): Verdict {
  const expected = expectedChanges(theirs.before, theirs.after);
  const reported = reportedChanges(ours.before, ours.after);
  const count = (sign: string) => [...expected].filter((each) => each.startsWith(sign)).length;
  return {
    expected: { removed: count('-'), added: count('+'), changed: count('~') },
    missed: [...expected].filter((each) => !reported.has(each)).sort(),
    invented: [...reported].filter((each) => !expected.has(each)).sort(),
  };
}

type Declared = Map<string, DeclaredExports>;

function expectedChanges(before: Declared, after: Declared): Set<string> {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return new Set([...paths].flatMap((path) => fileChanges(path, before.get(path), after.get(path))));
}

function fileChanges(
  path: string,
  old: DeclaredExports = new Map(),
  now: DeclaredExports = new Map(),
): string[] {
  return [
    ...[...old.keys()].filter((name) => !now.has(name)).map((name) => `-${path}#${name}`),
    ...[...now.keys()].filter((name) => !old.has(name)).map((name) => `+${path}#${name}`),
    ...[...old]
      .filter(([name, text]) => now.has(name) && now.get(name) !== text)
      .map(([name]) => `~${path}#${name}`),
  ];
}

/** A rename or a move is one removal and one addition; a change of a member is a change of its owner. */
function reportedChanges(before: Baseline, after: Baseline): Set<string> {
  const marks = compareBaselines(before, after).changes.flatMap(marksOf);
  const arrived = new Set(marks.filter((mark) => mark.startsWith('+')).map((mark) => mark.slice(1)));
  return new Set(marks.filter((mark) => !(mark.startsWith('~') && arrived.has(mark.slice(1)))));
}

function marksOf(change: Change): string[] {
  const old = 'before' in change ? change.before : undefined;
  const now = 'after' in change ? change.after : undefined;
  if (change.owner !== undefined) return [`~${(now ?? old)?.path}#${change.owner.split('.')[0]}`];
  // To the compiler, a change inside a namespace is a change of the namespace.
  const held = [old, now].find((each) => each?.symbol.name.includes('.'));
  if (held !== undefined) return [`~${held.path}#${held.symbol.name.split('.')[0]}`];
  if (old === undefined) return now === undefined ? [] : [`+${key(now)}`];
  if (now === undefined) return [`-${key(old)}`];
  return key(old) === key(now) ? [`~${key(now)}`] : [`-${key(old)}`, `+${key(now)}`];
}

function key({ path, symbol }: PlacedExport): string {
  const module = /from\s*['"]([^'"]+)['"]/.exec(symbol.signature)?.[1];
  return `${path}#${symbol.name === '*' ? `* ${module}` : symbol.name}`;
}
