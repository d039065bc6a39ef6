import type { SpecFacts } from '../../../reading/facts.ts';
import { displayName, type SkeletonExport } from '../../../reading/skeleton.ts';
import type { Words } from '../../../words.ts';
import { firstSentence } from '../interface-section.ts';
import { table } from '../markdown.ts';
import { linkedName } from '../source-link.ts';

const DATA_KINDS: ReadonlySet<string> = new Set(['type', 'interface', 'enum', 'struct', 'trait', 'class']);

/** The shapes data takes, exported or not. */
export function renderDataStructures(facts: SpecFacts, { columns, internalKind }: Words): string {
  const parts = new Set<string>();
  const rows = facts.files.flatMap(({ skeleton, internals }) => [
    ...skeleton.exports
      .filter(({ kind }) => DATA_KINDS.has(kind))
      .filter((each) => isFirstPart(each, parts))
      .map(({ name, signature, kind, members, jsDoc, startLine, endLine }) => [
        linkedName(facts, displayName({ name, signature }), { path: skeleton.filePath, startLine, endLine }),
        kind,
        members === undefined ? '' : `${members.length}`,
        jsDoc === null ? '' : firstSentence(jsDoc),
      ]),
    ...internals
      .filter(({ kind }) => DATA_KINDS.has(kind))
      .map(({ name, kind, startLine, endLine }) => [
        linkedName(facts, name, { path: skeleton.filePath, startLine, endLine }),
        internalKind(kind),
        '',
        '',
      ]),
  ]);
  return table([columns.name, columns.kind, columns.members, columns.remark], rows);
}

/** A class of C# may be written in several files. */
function isFirstPart({ name, signature }: SkeletonExport, seen: Set<string>): boolean {
  if (!/\bpartial\b/.test(signature)) return true;
  const isFirst = !seen.has(name);
  seen.add(name);
  return isFirst;
}
