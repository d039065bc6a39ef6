import type { SpecFacts } from '../../../reading/facts.ts';
import type { Words } from '../../../words/words-table.ts';
import { firstSentence } from '../interface-section.ts';
import { inlineCode, table } from '../markdown.ts';
import { linkTo } from '../source-link.ts';

const DATA_KINDS: ReadonlySet<string> = new Set(['type', 'interface', 'enum', 'struct', 'trait', 'class']);

/** The shapes data takes, exported or not. */
export function renderDataStructures(facts: SpecFacts, { columns, internalKind }: Words): string {
  const rows = facts.files.flatMap(({ skeleton, internals }) => [
    ...skeleton.exports
      .filter(({ kind }) => DATA_KINDS.has(kind))
      .map(({ name, kind, members, jsDoc, startLine, endLine }) => [
        inlineCode(name),
        kind,
        members === undefined ? '' : `${members.length}`,
        linkTo(facts, skeleton.filePath, { startLine, endLine }),
        jsDoc === null ? '' : firstSentence(jsDoc),
      ]),
    ...internals
      .filter(({ kind }) => DATA_KINDS.has(kind))
      .map(({ name, kind, startLine, endLine }) => [
        inlineCode(name),
        internalKind(kind),
        '',
        linkTo(facts, skeleton.filePath, { startLine, endLine }),
        '',
      ]),
  ]);
  return table([columns.name, columns.kind, columns.members, columns.place, columns.remark], rows);
}
