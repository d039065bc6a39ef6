import type { SpecFacts } from '../../../reading/facts.ts';
import type { Words } from '../../../words/words-table.ts';
import { blocks, inlineCode, table } from '../markdown.ts';

export function renderFileList({ files, notes }: SpecFacts, { columns, headings, note: say }: Words): string {
  const read = files.map(({ skeleton }) => [
    inlineCode(skeleton.filePath),
    skeleton.language,
    `${skeleton.loc}`,
    `${skeleton.exports.length}`,
    '',
  ]);
  const noted = Object.entries(notes).map(([path, note]) => [inlineCode(path), '', '', '', say(note)]);
  const heads = [columns.file, columns.language, columns.lineCount, columns.exports, columns.note];
  return blocks(`### ${headings.fileList}`, table(heads, [...read, ...noted]));
}
