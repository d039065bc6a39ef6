import type { SpecFacts } from '../../facts.ts';
import type { Words } from '../../words/words-table.ts';
import { inlineCode, table } from '../markdown.ts';

/** What the comments themselves call unfinished, and what the parser could not read. */
export function renderTechnicalDebt({ files }: SpecFacts, { columns, syntaxError }: Words): string {
  const rows = files.flatMap(({ skeleton, callouts }) => [
    ...callouts.map(({ tag, text, line }) => [tag, text, inlineCode(`${skeleton.filePath}:${line}`)]),
    ...(skeleton.parseErrors ?? []).map(({ line, message }) => [
      syntaxError,
      message,
      inlineCode(`${skeleton.filePath}:${line}`),
    ]),
  ]);
  return table(
    [columns.mark, columns.content, columns.place],
    rows.map(([tag = '', text = '', at = '']) => [tag, harmless(text), at]),
  );
}

function harmless(text: string): string {
  return text.replace(/<!--/g, '&lt;!--').replace(/`/g, '\\`');
}
