import type { SpecFacts } from '../../facts.ts';
import type { Words } from '../../words/words-table.ts';
import { firstSentence } from '../interface-section.ts';
import { inlineCode, table } from '../markdown.ts';

const DATA_KINDS: ReadonlySet<string> = new Set(['type', 'interface', 'enum', 'struct', 'trait', 'class']);

/** The shapes data takes, exported or not. */
export function renderDataStructures({ files }: SpecFacts, { columns, internalKind }: Words): string {
  const rows = files.flatMap(({ skeleton, internals }) => [
    ...skeleton.exports
      .filter(({ kind }) => DATA_KINDS.has(kind))
      .map(({ name, kind, members, jsDoc, startLine }) => [
        inlineCode(name),
        kind,
        members === undefined ? '' : `${members.length}`,
        inlineCode(`${skeleton.filePath}:${startLine}`),
        jsDoc === null ? '' : firstSentence(jsDoc),
      ]),
    ...internals
      .filter(({ kind }) => DATA_KINDS.has(kind))
      .map(({ name, kind, startLine }) => [
        inlineCode(name),
        internalKind(kind),
        '',
        inlineCode(`${skeleton.filePath}:${startLine}`),
        '',
      ]),
  ]);
  return table([columns.name, columns.kind, columns.members, columns.place, columns.remark], rows);
}
