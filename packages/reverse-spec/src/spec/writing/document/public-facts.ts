import { publicOnly, publicTypes } from '../../drift/visibility.ts';
import type { FileFacts, SpecFacts, TestMention } from '../../reading/facts.ts';
import { displayName, type SkeletonExport } from '../../reading/skeleton.ts';
import { baselineOf } from './baseline.ts';

/** Exports a user of the package can reach, and ranges that only the package itself can. */
export interface PublicFacts {
  /** Facts with reachable exports and members alone. */
  facts: SpecFacts;
  hidden: readonly HiddenRange[];
}

interface HiddenRange {
  path: string;
  startLine: number;
  endLine: number;
}

/** Separates the exports by who can reach them. A module that is internal as a whole is shown as it is. */
export function publicFacts(facts: SpecFacts): PublicFacts {
  const baseline = baselineOf(facts);
  const reachable = new Map(
    publicOnly(baseline, publicTypes([baseline])).files.map(({ path, exports }) => [path, exports]),
  );
  const hidden: HiddenRange[] = [];
  const files = facts.files.map((file, at) => {
    const { filePath: path } = file.skeleton;
    const open = (reachable.get(baseline.files[at]?.path ?? '') ?? []).filter((each) => !isProgram(each));
    const exports = shownOf(file.skeleton.exports, open, (each) => hidden.push(rangeOf(path, each)));
    return { ...file, skeleton: { ...file.skeleton, exports } };
  });
  if (files.every(({ skeleton }) => skeleton.exports.length === 0)) return { facts, hidden: [] };
  const symbols = new Set(files.flatMap(symbolsOf));
  const tests = facts.tests.filter((mention) => symbols.has(symbolKey(mention)) && isWorthSaying(mention));
  return { facts: { ...facts, files, tests }, hidden };
}

/** The function a program begins with is called by the system alone. */
function isProgram({ name, kind }: SkeletonExport): boolean {
  return name === 'main' && kind === 'function';
}

/** Whether only the package itself can reach a declaration. */
export function isHidden(
  { hidden }: PublicFacts,
  { path, startLine }: { path: string; startLine: number },
): boolean {
  return hidden.some(
    (range) => range.path === path && range.startLine <= startLine && startLine <= range.endLine,
  );
}

/** The exports as they are written, without those that are not open. */
function shownOf(
  exports: readonly SkeletonExport[],
  open: readonly SkeletonExport[],
  hide: (symbol: SkeletonExport) => void,
): SkeletonExport[] {
  return exports.flatMap((each) => {
    const found = open.find(({ name, startLine }) => name === each.name && startLine === each.startLine);
    if (found === undefined) {
      hide(each);
      return [];
    }
    const { members, ...rest } = each;
    if (members === undefined) return [each];
    const shown = shownOf(members, found.members ?? [], hide);
    return [shown.length === 0 ? rest : { ...rest, members: shown }];
  });
}

function rangeOf(path: string, { startLine, endLine }: SkeletonExport): HiddenRange {
  return { path, startLine, endLine };
}

function symbolKey({ filePath, symbolName }: Pick<TestMention, 'filePath' | 'symbolName'>): string {
  return `${filePath}\0${symbolName}`;
}

function symbolsOf({ skeleton: { filePath, exports } }: FileFacts): string[] {
  return exports.flatMap((each) => {
    const own = displayName(each);
    const members = (each.members ?? []).map((member) => `${own}.${displayName(member)}`);
    return [...(each.kind === 'impl' ? [] : [own]), ...members].map((symbolName) =>
      symbolKey({ filePath, symbolName }),
    );
  });
}

/** That no test calls `fmt` of `impl Debug for X` says nothing. */
function isWorthSaying({ symbolName, tests }: TestMention): boolean {
  return tests.length > 0 || !symbolName.includes(' for ');
}
