import type { SpecFacts } from '../../facts.ts';
import { firstSentence } from '../interface-section.ts';
import { inlineCode, table } from '../markdown.ts';

const DATA_KINDS: ReadonlySet<string> = new Set(['type', 'interface', 'enum', 'struct', 'trait', 'class']);

/** The shapes data takes, exported or not. */
export function renderDataStructures({ files }: SpecFacts): string {
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
        `${kind}（内部）`,
        '',
        inlineCode(`${skeleton.filePath}:${startLine}`),
        '',
      ]),
  ]);
  return table(['名称', '种类', '成员数', '位置', '说明'], rows);
}
