import { firstSentenceOf, withoutXml } from '@secateur/base/text/doc-words.ts';
import type { FileFacts, SpecFacts, TestMention } from '../../reading/facts.ts';
import { displayName, type SkeletonExport } from '../../reading/skeleton.ts';
import { baseName } from '../../reading/type-text.ts';
import type { Words } from '../../words.ts';
import { blocks, fenced, inlineCode, linesLink, linkTo, quoted, readable } from './markdown.ts';
import { shownName } from './section-facts/fact-text.ts';

/** Every export with its own text: nothing here was written by a model. */
export function renderInterface(facts: SpecFacts, words: Words): string {
  const withExports = facts.files.filter(({ skeleton }) => skeleton.exports.length > 0);
  if (withExports.length === 0) return words.noExports;
  return blocks(...withExports.map((file) => renderFile(file, { facts, words })), renderUsage(facts, words));
}

const MAX_EXAMPLES = 6;

/** Shows tests and examples of the main exports. */
function renderUsage(facts: SpecFacts, words: Words): string {
  const rank = ({ filePath, symbolName, tests }: TestMention) =>
    facts.ranks.of(filePath, symbolName) + Math.log2(1 + tests.length) / 10;
  const shown = new Map<string, string>();
  for (const mention of [...facts.tests].sort((one, other) => rank(other) - rank(one))) {
    const { symbolName, filePath, example } = mention;
    if (example === undefined || shown.size >= MAX_EXAMPLES || shown.has(example.code)) continue;
    const language =
      facts.files.find(({ skeleton }) => skeleton.filePath === filePath)?.skeleton.language ?? '';
    const code = fenced(FENCE_NAMES[language] ?? language, example.code);
    shown.set(
      example.code,
      blocks(`${inlineCode(shownName(symbolName, filePath))} (${linkTo(facts, example)})`, code),
    );
  }
  return shown.size === 0 ? '' : blocks(`### ${words.headings.usage}`, ...shown.values());
}

interface Page {
  facts: SpecFacts;
  words: Words;
}

interface SourceFile {
  fence: string;
  path: string;
}

function renderFile(facts: FileFacts, page: Page): string {
  const { skeleton } = facts;
  const problems = skeleton.parseErrors?.length ?? 0;
  const warning = problems === 0 ? '' : page.words.brokenFile(problems);
  const file = { fence: FENCE_NAMES[skeleton.language] ?? skeleton.language, path: skeleton.filePath };
  return blocks(
    `### ${inlineCode(skeleton.filePath)}`,
    warning,
    renderReExports(skeleton.exports.filter(isReExport), file, page),
    ...skeleton.exports.filter((each) => !isReExport(each)).map((each) => renderExport(each, file, page)),
    ...renderReturned(facts, file, page),
  );
}

/** Types that a file does not export but whose objects its functions return. */
function renderReturned({ skeleton, internals }: FileFacts, file: SourceFile, page: Page): string[] {
  const { exports, filePath, language } = skeleton;
  const functions = page.facts.bodies.get(filePath)?.functions ?? [];
  return internals.flatMap((each) => {
    if (each.members === undefined) return [];
    const makers = functions
      .filter(({ returns }) => returns !== undefined && baseName(returns, language) === each.name)
      .flatMap(({ startLine }) => exports.filter((open) => open.startLine === startLine).map(displayName));
    if (makers.length === 0) return [];
    const names = makers.map((name) => inlineCode(name)).join(page.words.listComma);
    return [blocks(renderExport({ ...each, jsDoc: null }, file, page), page.words.returnedBy(names))];
  });
}

const FENCE_NAMES: Readonly<Record<string, string>> = { 'c++': 'cpp', 'c#': 'csharp' };

function isReExport({ kind }: SkeletonExport): boolean {
  return kind === 're-export';
}

/** Shows only their lines: they are described where they are declared. */
function renderReExports(
  exports: readonly SkeletonExport[],
  file: SourceFile,
  { facts, words }: Page,
): string {
  const lines = [...new Set(exports.map(({ signature }) => signature))];
  if (lines.length === 0) return '';
  const place = {
    path: file.path,
    startLine: Math.min(...exports.map(({ startLine }) => startLine)),
    endLine: Math.max(...exports.map(({ endLine }) => endLine)),
  };
  return blocks(
    `${words.reExports(exports.length)} · ${linesLink(facts, place)}`,
    fenced(file.fence, lines.join('\n')),
  );
}

function renderExport(each: SkeletonExport, { fence, path }: SourceFile, { facts }: Page): string {
  const { kind, signature, jsDoc, members, startLine, endLine } = each;
  const words = firstParagraph(jsDoc ?? '');
  const heading = `#### ${inlineCode(displayName(each))} · ${kind} · ${linesLink(facts, { path, startLine, endLine })}`;
  return blocks(
    heading,
    words === '' ? '' : quoted(words),
    fenced(fence, signature),
    renderMembers(members ?? [], fence),
  );
}

/** Members as one list; those with members of their own (a class in a namespace) are indented below it. */
function renderMembers(members: readonly SkeletonExport[], fence: string, indent = ''): string {
  return members
    .map((member) => {
      const own = renderMember(member, fence, indent);
      const { members: inner } = member;
      return inner === undefined ? own : `${own}\n${renderMembers(inner, fence, `${indent}  `)}`;
    })
    .join('\n');
}

/** One line; a long signature (six overloads, twelve parameters) keeps the lines its authors gave it. */
function renderMember(
  { name, kind, signature, jsDoc }: SkeletonExport,
  fence: string,
  indent: string,
): string {
  const words = firstSentence(jsDoc ?? '');
  const summary = words === '' ? '' : ` — ${words}`;
  const code = inlineCode(signature);
  if (code.length <= MAX_MEMBER || !signature.includes('\n')) return `${indent}- ${kind} ${code}${summary}`;
  const block = fenced(fence, outdented(signature)).replace(/^(?=.)/gm, `${indent}  `);
  return `${indent}- ${kind} ${inlineCode(name)}${summary}\n\n${block}\n`;
}

const MAX_MEMBER = 160;

/** Without the indentation its lines share; those at the margin begin a declaration or an overload of it. */
function outdented(code: string): string {
  const lines = code.split('\n');
  const depths = lines.map((line) => line.length - line.trimStart().length).filter((depth) => depth > 0);
  const depth = lines.some((line) => /^[)\]}]/.test(line)) ? 0 : Math.min(...depths);
  return lines.map((line) => (/^\s/.test(line) ? line.slice(depth) : line)).join('\n');
}

/** The rest is where the link leads. */
function firstParagraph(doc: string): string {
  const [first = ''] = withoutXml(withoutMachineTags(doc))
    .trim()
    .split(/\n[^\S\n]{0,200}[\n@]/);
  return first.length > MAX_DOC ? `${first.slice(0, MAX_DOC)}…` : first;
}

/** Tags at the beginning that are for checkers and generators: they say nothing to a reader. */
const MACHINE_TAGS =
  /^(?:\s*\{?@(?:phpstan|psalm|final|inheritdoc|readonly|internal|template|extends|implements|mixin|package|author|codeCoverageIgnore|noinspection)\b[^\n]*(?:\n|$))+/i;

function withoutMachineTags(doc: string): string {
  return doc.replace(MACHINE_TAGS, '').trimStart();
}

const MAX_DOC = 600;

export function firstSentence(doc: string): string {
  const flat = readable(withoutXml(withoutMachineTags(doc)).split(/\n[^\S\n]{0,200}[\n@]/)[0] ?? '').replace(
    /<!--/g,
    '&lt;!--',
  );
  const sentence = firstSentenceOf(flat);
  return sentence.length > 200 ? `${sentence.slice(0, 199)}…` : sentence;
}
