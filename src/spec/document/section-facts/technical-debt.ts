import type { SpecFacts } from '../../facts.ts';
import { inlineCode, table } from '../markdown.ts';

/** What the comments themselves call unfinished, and what the parser could not read. */
export function renderTechnicalDebt({ files }: SpecFacts): string {
  const rows = files.flatMap(({ skeleton, callouts }) => [
    ...callouts.map(({ tag, text, line }) => [tag, text, inlineCode(`${skeleton.filePath}:${line}`)]),
    ...(skeleton.parseErrors ?? []).map(({ line, message }) => [
      '语法错误',
      message,
      inlineCode(`${skeleton.filePath}:${line}`),
    ]),
  ]);
  return table(
    ['标记', '内容', '位置'],
    rows.map(([tag = '', text = '', at = '']) => [tag, harmless(text), at]),
  );
}

function harmless(text: string): string {
  return text.replace(/<!--/g, '&lt;!--').replace(/`/g, '\\`');
}
