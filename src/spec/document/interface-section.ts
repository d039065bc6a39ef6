import type { FileFacts, SpecFacts } from '../facts.ts';
import type { SkeletonExport } from '../skeleton.ts';
import type { Words } from '../words/words-table.ts';
import { blocks, fenced, inlineCode, quoted } from './markdown.ts';

/** Every export with its own text: nothing here was written by a model. */
export function renderInterface({ files }: SpecFacts, words: Words): string {
  const withExports = files.filter(({ skeleton }) => skeleton.exports.length > 0);
  if (withExports.length === 0) return words.noExports;
  return blocks(...withExports.map((file) => renderFile(file, words)));
}

function renderFile({ skeleton }: FileFacts, words: Words): string {
  const problems = skeleton.parseErrors?.length ?? 0;
  const warning = problems === 0 ? '' : words.brokenFile(problems);
  const fence = FENCE_NAMES[skeleton.language] ?? skeleton.language;
  return blocks(
    `### ${inlineCode(skeleton.filePath)}`,
    warning,
    ...skeleton.exports.map((each) => renderExport(each, fence, words)),
  );
}

const FENCE_NAMES: Readonly<Record<string, string>> = { 'c++': 'cpp', 'c#': 'csharp' };

function renderExport(each: SkeletonExport, fence: string, words: Words): string {
  const { name, kind, signature, jsDoc, members, startLine, endLine } = each;
  const heading = `#### ${inlineCode(name)} · ${kind} · ${words.lines(startLine, endLine)}`;
  return blocks(
    heading,
    jsDoc === null ? '' : quoted(jsDoc),
    fenced(fence, signature),
    renderMembers(members ?? []),
  );
}

/** Members as one list; those with members of their own (a class in a namespace) are indented below it. */
function renderMembers(members: readonly SkeletonExport[], indent = ''): string {
  return members
    .map(({ kind, signature, jsDoc, members: inner }) => {
      const summary = jsDoc === null ? '' : ` — ${firstSentence(jsDoc)}`;
      const own = `${indent}- ${kind} ${inlineCode(signature)}${summary}`;
      return inner === undefined ? own : `${own}\n${renderMembers(inner, `${indent}  `)}`;
    })
    .join('\n');
}

export function firstSentence(doc: string): string {
  const flat = doc.replace(/\s+/g, ' ').replace(/<!--/g, '&lt;!--').trim();
  const sentence = /^.*?(?:[。！？]|[.!?](?=\s|$))/.exec(flat)?.[0] ?? flat;
  return sentence.length > 200 ? `${sentence.slice(0, 199)}…` : sentence;
}
