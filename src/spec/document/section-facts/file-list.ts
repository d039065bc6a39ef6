import type { SpecFacts } from '../../facts.ts';
import { blocks, inlineCode, table } from '../markdown.ts';

export function renderFileList({ files, notes }: SpecFacts): string {
  const read = files.map(({ skeleton }) => [
    inlineCode(skeleton.filePath),
    skeleton.language,
    `${skeleton.loc}`,
    `${skeleton.exports.length}`,
    '',
  ]);
  const noted = Object.entries(notes).map(([path, note]) => [inlineCode(path), '', '', '', note]);
  return blocks('### 文件清单', table(['文件', '语言', '行数', '导出', '备注'], [...read, ...noted]));
}
