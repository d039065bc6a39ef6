import type { SpecFacts } from '../../../reading/facts.ts';
import type { Words } from '../../../words.ts';
import { table } from '../markdown.ts';
import { linkTo } from '../source-link.ts';
import { debtRows } from './body-sections.ts';
import { harmless } from './fact-text.ts';

/** What the sources themselves call unfinished or old, and what the parser could not read. */
export function renderTechnicalDebt(facts: SpecFacts, words: Words): string {
  const { columns, syntaxError } = words;
  const unread = facts.files.flatMap(({ skeleton }) =>
    (skeleton.parseErrors ?? []).map(({ line, message }) => [
      syntaxError,
      harmless(message),
      linkTo(facts, { path: skeleton.filePath, startLine: line, endLine: line }),
    ]),
  );
  return table([columns.mark, columns.content, columns.place], [...debtRows(facts, words), ...unread]);
}
