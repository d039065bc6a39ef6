import type { SpecFacts } from '../../facts.ts';
import { blocks, inlineCode, table } from '../markdown.ts';

const SHOWN = 5;

export function renderDependencies({ dependencies }: SpecFacts): string {
  const { internal, project, external } = dependencies;
  const edges = [
    ...internal.map(({ from, to }) => [inlineCode(from), inlineCode(to), '模块内']),
    ...project.map(({ from, to }) => [inlineCode(from), inlineCode(to), '项目内']),
  ];
  const packages = external.map(({ module, usedBy }) => [inlineCode(module), usedByText(usedBy)]);
  return blocks(table(['文件', '依赖', '范围'], edges), table(['外部模块', '使用者'], packages));
}

function usedByText(files: readonly string[]): string {
  const shown = files.slice(0, SHOWN).map(inlineCode).join('、');
  return files.length > SHOWN ? `${shown} 等 ${files.length} 个文件` : shown;
}
