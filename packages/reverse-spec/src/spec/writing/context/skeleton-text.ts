import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { FileFacts } from '../../reading/facts.ts';
import type { SkeletonExport, SkeletonImport } from '../../reading/skeleton.ts';

const MAX_DOC = 600;

/** One file's skeleton as a model reads it: half the tokens of its JSON, and no word of any language. */
export function renderSkeletonText({
  skeleton,
  headComment,
}: Pick<FileFacts, 'skeleton' | 'headComment'>): string {
  const { filePath, language, loc, imports, exports, parseErrors } = skeleton;
  return [
    `### ${filePath} (${language}, L1-L${loc})`,
    ...(headComment === null ? [] : [comment(headComment, '')]),
    ...importLine(imports),
    ...(parseErrors === undefined ? [] : [`(parseErrors: ${parseErrors.length})`]),
    ...onceEach(exports).map((each) => renderExport(each, '')),
  ].join('\n');
}

/** `import typing { t }, os`: a module once, whatever is taken from it. */
function importLine(imports: readonly SkeletonImport[]): string[] {
  const modules = grouped(imports.map(({ module, names }) => [module, names]));
  const told = [...modules].map(([module, lists]) => {
    const names = new Set(lists.flat());
    return names.size === 0 ? module : `${module} { ${[...names].join(', ')} }`;
  });
  return told.length === 0 ? [] : [`import ${told.join(', ')}`];
}

/** Keeps a statement that declares seven names (`a = b = c = f`) once. */
function onceEach(exports: readonly SkeletonExport[]): SkeletonExport[] {
  return exports.filter((each, at) => {
    const before = exports[at - 1];
    return before?.signature !== each.signature || before.startLine !== each.startLine;
  });
}

function renderExport({ name, signature, jsDoc, members }: SkeletonExport, indent: string): string {
  const exportedName = signature.includes(name) ? '' : ` (export: ${name})`;
  return [
    ...(jsDoc === null ? [] : [comment(jsDoc, indent)]),
    `${indent}${signature.split('\n').join(`\n${indent}`)}${exportedName}`,
    ...onceEach(members ?? []).map((member) => renderExport(member, `${indent}  `)),
  ].join('\n');
}

function comment(text: string, indent: string): string {
  const short = text.length > MAX_DOC ? `${text.slice(0, MAX_DOC)}…` : text;
  return short
    .split('\n')
    .map((line) => `${indent}/// ${line.trim()}`)
    .join('\n');
}
