import type { FileFacts } from '../../reading/facts.ts';
import type { SkeletonExport } from '../../reading/skeleton.ts';

const MAX_DOC = 600;

/** One file's skeleton as a model reads it: half the tokens of its JSON. */
export function renderSkeletonText({
  skeleton,
  headComment,
}: Pick<FileFacts, 'skeleton' | 'headComment'>): string {
  const { filePath, language, loc, imports, exports, parseErrors } = skeleton;
  return [
    `### ${filePath}（${language}，${loc} 行）`,
    ...(headComment === null ? [] : [comment(headComment, '')]),
    ...imports.map(
      ({ module, names }) => `import ${names.length === 0 ? '*' : `{ ${names.join(', ')} }`} from ${module}`,
    ),
    ...(parseErrors === undefined ? [] : [`（${parseErrors.length} 处语法错误）`]),
    ...exports.map((each) => renderExport(each, '')),
  ].join('\n');
}

function renderExport({ name, signature, jsDoc, members }: SkeletonExport, indent: string): string {
  const exportedName = signature.includes(name) ? '' : `（导出名 ${name}）`;
  return [
    ...(jsDoc === null ? [] : [comment(jsDoc, indent)]),
    `${indent}${signature.split('\n').join(`\n${indent}`)}${exportedName}`,
    ...(members ?? []).map((member) => renderExport(member, `${indent}  `)),
  ].join('\n');
}

function comment(text: string, indent: string): string {
  const short = text.length > MAX_DOC ? `${text.slice(0, MAX_DOC)}…` : text;
  return short
    .split('\n')
    .map((line) => `${indent}/// ${line.trim()}`)
    .join('\n');
}
