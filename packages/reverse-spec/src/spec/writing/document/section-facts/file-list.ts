import type { SpecFacts } from '../../../reading/facts.ts';
import type { Words } from '../../../words.ts';
import { blocks, inlineCode, table } from '../markdown.ts';

const SHOWN = 8;

/** Sources with their sizes, what could not be read with the reason; files that are no sources in one line. */
export function renderFileList({ files, notes }: SpecFacts, words: Words): string {
  const { columns, headings, note: say } = words;
  const read = files.map(({ skeleton }) => [
    inlineCode(skeleton.filePath),
    skeleton.language,
    `${skeleton.loc}`,
    `${skeleton.exports.length}`,
    '',
  ]);
  const entries = Object.entries(notes);
  const noted = entries
    .filter(([, { code }]) => code !== 'unknown-language')
    .map(([path, note]) => [inlineCode(path), '', '', '', say(note)]);
  const others = entries.filter(([, { code }]) => code === 'unknown-language').map(([path]) => path);
  const heads = [columns.file, columns.language, columns.lineCount, columns.exports, columns.note];
  return blocks(`### ${headings.fileList}`, table(heads, [...read, ...noted]), otherFilesText(others, words));
}

function otherFilesText(paths: readonly string[], { otherFiles, listComma, andMoreFiles }: Words): string {
  if (paths.length === 0) return '';
  const shown = paths.slice(0, SHOWN).map(inlineCode).join(listComma);
  return otherFiles(paths.length > SHOWN ? andMoreFiles(shown, paths.length) : shown);
}
