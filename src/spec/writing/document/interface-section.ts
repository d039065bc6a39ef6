import type { FileFacts, SpecFacts } from '../../reading/facts.ts';
import type { SkeletonExport } from '../../reading/skeleton.ts';
import type { Words } from '../../words/words-table.ts';
import { blocks, fenced, inlineCode, quoted } from './markdown.ts';
import { linkTo } from './source-link.ts';

/** Every export with its own text: nothing here was written by a model. */
export function renderInterface(facts: SpecFacts, words: Words): string {
  const withExports = facts.files.filter(({ skeleton }) => skeleton.exports.length > 0);
  if (withExports.length === 0) return words.noExports;
  return blocks(...withExports.map((file) => renderFile(file, { facts, words })));
}

interface Page {
  facts: SpecFacts;
  words: Words;
}

function renderFile({ skeleton }: FileFacts, page: Page): string {
  const problems = skeleton.parseErrors?.length ?? 0;
  const warning = problems === 0 ? '' : page.words.brokenFile(problems);
  const fence = FENCE_NAMES[skeleton.language] ?? skeleton.language;
  return blocks(
    `### ${inlineCode(skeleton.filePath)}`,
    warning,
    ...skeleton.exports.map((each) => renderExport(each, { fence, path: skeleton.filePath }, page)),
  );
}

const FENCE_NAMES: Readonly<Record<string, string>> = { 'c++': 'cpp', 'c#': 'csharp' };

function renderExport(
  each: SkeletonExport,
  { fence, path }: { fence: string; path: string },
  { facts }: Page,
): string {
  const { name, kind, signature, jsDoc, members } = each;
  const heading = `#### ${inlineCode(name)} · ${kind} · ${linkTo(facts, path, each)}`;
  return blocks(
    heading,
    jsDoc === null ? '' : quoted(firstParagraph(jsDoc)),
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

/** The rest is where the link leads. */
function firstParagraph(doc: string): string {
  const [first = ''] = doc.trim().split(/\n[^\S\n]{0,200}[\n@]/);
  return first.length > MAX_DOC ? `${first.slice(0, MAX_DOC)}…` : first;
}

const MAX_DOC = 600;

export function firstSentence(doc: string): string {
  const flat = doc.replace(/\s+/g, ' ').replace(/<!--/g, '&lt;!--').trim();
  const sentence = /^.*?(?:[。！？]|[.!?](?=\s|$))/.exec(flat)?.[0] ?? flat;
  return sentence.length > 200 ? `${sentence.slice(0, 199)}…` : sentence;
}
