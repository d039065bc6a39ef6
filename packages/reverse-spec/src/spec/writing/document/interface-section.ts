import { firstSentenceOf, withoutXml } from '@secateur/base/text/doc-words.ts';
import {
  declaredParts,
  isKnownPart,
  publicMembers,
  publicOnly,
  publicTypes,
  withoutOthers,
} from '../../drift/visibility.ts';
import type { LocaleStrings } from '../../locales.ts';
import { type FileFacts, keyOf, type SpecFacts, type TestMention } from '../../reading/facts.ts';
import { SCRIPT, scriptOf, symbolKey, withScripts } from '../../reading/importable.ts';
import { displayName, isOfObject, type SkeletonExport, withoutAliases } from '../../reading/skeleton.ts';
import { baseName } from '../../reading/type-text.ts';
import { baselineOf } from './baseline.ts';
import { shownSymbol } from './fact-sections.ts';
import type { SourcePlace } from './markdown.ts';
import {
  blockQuote,
  blocks,
  escapeComments,
  fenced,
  inlineCode,
  linesLink,
  linkedName,
  linkTo,
  outdented,
  readable,
  withoutBody,
  withoutComments,
  withoutHtml,
} from './markdown.ts';

/** Renders all exports with their source text. Contains no text of a model. */
export function renderInterface(facts: SpecFacts, strings: LocaleStrings): string {
  const withExports = facts.files.filter(({ skeleton }) => skeleton.exports.length > 0);
  if (withExports.length === 0) return strings.noExports;
  return blocks(
    ...withExports.map((file) => renderFile(file, { facts, strings })),
    renderUsage(facts, strings),
  );
}

const MAX_EXAMPLES = 6;

/** Shows tests and examples of the main exports. */
function renderUsage(facts: SpecFacts, strings: LocaleStrings): string {
  const rank = ({ filePath, symbolName, tests }: TestMention) =>
    facts.ranks.of(filePath, symbolName) + Math.log2(1 + tests.length) / 10;
  const shown = new Map<string, string>();
  for (const mention of [...facts.tests].sort((one, other) => rank(other) - rank(one))) {
    const { filePath, example } = mention;
    if (example === undefined || shown.size >= MAX_EXAMPLES || shown.has(example.code)) continue;
    const language =
      facts.files.find(({ skeleton }) => skeleton.filePath === filePath)?.skeleton.language ?? '';
    const code = fenced(FENCE_NAMES[language] ?? language, example.code);
    shown.set(
      example.code,
      blocks(`${inlineCode(shownSymbol(mention, facts))} (${linkTo(facts, example)})`, code),
    );
  }
  return shown.size === 0 ? '' : blocks(`### ${strings.headings.usage}`, ...shown.values());
}

interface Page {
  facts: SpecFacts;
  strings: LocaleStrings;
}

interface SourceFile {
  fence: string;
  path: string;
}

function renderFile(facts: FileFacts, page: Page): string {
  const { skeleton } = facts;
  const problems = skeleton.parseErrors?.length ?? 0;
  const warning = problems === 0 ? '' : page.strings.brokenFile(problems);
  const file = { fence: FENCE_NAMES[skeleton.language] ?? skeleton.language, path: skeleton.filePath };
  return blocks(
    `### ${inlineCode(skeleton.filePath)}`,
    warning,
    renderReExports(skeleton.exports.filter(isReExport), file, page),
    renderMembers(skeleton.exports.filter(isOfObject), file.fence),
    ...skeleton.exports
      .filter((each) => !isReExport(each) && !isPlainImpl(each) && !isOfObject(each))
      .map((each) => renderExport(each, file, page)),
    renderImpls(skeleton.exports.filter(isPlainImpl), file, page),
    ...renderReturned(facts, file, page),
  );
}

/** Whether an export implements a trait, such as `Display for Box`, and has no comments. */
function isPlainImpl({ name, kind, jsDoc, members = [] }: SkeletonExport): boolean {
  return (
    kind === 'impl' &&
    name.includes(' for ') &&
    [jsDoc, ...members.map((each) => each.jsDoc)].every((doc) => doc === null)
  );
}

/** Lists implementations of traits on one line. The traits show which members they have. */
function renderImpls(
  impls: readonly SkeletonExport[],
  { path }: SourceFile,
  { facts, strings }: Page,
): string {
  const links = impls.map(({ name, startLine, endLine }) =>
    linkedName(facts, name, { path, startLine, endLine }),
  );
  return links.length === 0 ? '' : strings.implementations(links.join(strings.listComma));
}

/** Renders types that a file does not export, but whose objects its exported functions return. */
function renderReturned(facts: FileFacts, file: SourceFile, page: Page): string[] {
  return returnedTypes(facts, page.facts).map(({ type, makers }) => {
    const names = makers.map((name) => inlineCode(name)).join(page.strings.listComma);
    return blocks(renderExport(type, file, page), page.strings.returnedBy(names));
  });
}

/** Returns types that a file does not export, with the exported functions that return their objects. Types without members are omitted. */
function returnedTypes(
  { skeleton: { exports, filePath, language }, internals }: FileFacts,
  { bodies }: SpecFacts,
): { type: SkeletonExport; makers: string[] }[] {
  const functions = internals.length === 0 ? [] : (bodies.get(filePath)?.functions ?? []);
  return internals.flatMap((each) => {
    if (each.members === undefined) return [];
    const makers = functions
      .filter(({ returns }) => returns !== undefined && baseName(returns, language) === each.name)
      .flatMap(({ startLine }) => exports.filter((open) => open.startLine === startLine).map(displayName));
    return makers.length === 0 ? [] : [{ type: publicMembers({ ...each, jsDoc: null }, language), makers }];
  });
}

const FENCE_NAMES: Readonly<Record<string, string>> = { 'c++': 'cpp', 'c#': 'csharp' };

function isReExport({ kind }: SkeletonExport): boolean {
  return kind === 're-export';
}

/** Renders re-exports as lines. Their declarations are described with the file that contains them. */
function renderReExports(
  exports: readonly SkeletonExport[],
  file: SourceFile,
  { facts, strings }: Page,
): string {
  const lines = [...new Set(exports.map(({ signature }) => signature))];
  if (lines.length === 0) return '';
  const place = {
    path: file.path,
    startLine: Math.min(...exports.map(({ startLine }) => startLine)),
    endLine: Math.max(...exports.map(({ endLine }) => endLine)),
  };
  return blocks(
    `${strings.reExports(exports.length)} · ${linesLink(facts, place)}`,
    fenced(file.fence, lines.join('\n')),
  );
}

function renderExport(each: SkeletonExport, { fence, path }: SourceFile, { facts }: Page): string {
  const { kind, jsDoc, members, startLine, endLine } = each;
  // The cases of an enum are listed as members.
  const whole = withoutComments(each.signature, fence);
  const signature = members === undefined ? whole : withoutBody(whole, kind);
  const words = shortParagraph(jsDoc ?? '');
  const heading = `#### ${inlineCode(displayName(each))} · ${kind} · ${linesLink(facts, { path, startLine, endLine })}`;
  return blocks(
    heading,
    words === '' ? '' : blockQuote(words),
    fenced(fence, signature),
    renderMembers(members ?? [], fence),
  );
}

/** Renders members as one list, with their own members indented. Names from one statement, such as Ruby's `attr_reader`, share an item. */
function renderMembers(members: readonly SkeletonExport[], fence: string, indent = ''): string {
  return members
    .filter(({ signature }, at) => signature !== members[at - 1]?.signature)
    .map((member) => {
      const same = members.filter(({ signature }) => signature === member.signature);
      const name = same.length === 1 ? member.name : (/^\w+/.exec(member.signature)?.[0] ?? member.name);
      // In Ruby a method inside `class << self` has no `self.` in its signature.
      const isOwn = member.name.startsWith('self.') && !member.signature.includes('self.');
      const own = renderMember({ ...member, name }, { fence, indent, word: isOwn ? 'class ' : '' });
      const { members: inner } = member;
      return inner === undefined ? own : `${own}\n${renderMembers(inner, fence, `${indent}  `)}`;
    })
    .join('\n');
}

/** Renders a member as one line, or as a code block if its signature is long and has several lines. */
function renderMember(
  { name, kind, signature: written, jsDoc }: SkeletonExport,
  { fence, indent, word }: { fence: string; indent: string; word: string },
): string {
  const signature = withoutComments(written, fence);
  const words = firstSentence(jsDoc ?? '');
  const summary = words === '' ? '' : ` — ${words}`;
  const code = inlineCode(signature);
  if (code.length <= MAX_MEMBER || !signature.includes('\n'))
    return `${indent}- ${word}${kind} ${code}${summary}`;
  const block = fenced(fence, outdented(signature)).replace(/^(?=.)/gm, `${indent}  `);
  return `${indent}- ${word}${kind} ${inlineCode(name)}${summary}\n\n${block}\n`;
}

const MAX_MEMBER = 160;

/** Returns the first paragraph of a comment, shortened. If it ends with a colon, the whole comment follows. */
function shortParagraph(doc: string): string {
  const whole = withoutHtml(withoutXml(withoutMachineTags(doc))).trim();
  const first = firstParagraph(whole);
  if (isTagOnly(first) || first.startsWith('```')) return '';
  const isOpen = first.endsWith(':');
  const [shown, most] = isOpen ? [whole.split(/\n[^\S\n]{0,200}@/)[0] ?? '', MAX_LIST] : [first, MAX_DOC];
  return shown.length > most ? `${shown.slice(0, most)}…` : shown;
}

/** Tags at the beginning of a comment that are only for tools. */
const MACHINE_TAGS =
  /^(?:\s*\{?@(?:phpstan|psalm|final|inheritdoc|readonly|internal|template|extends|implements|mixin|package|author|codeCoverageIgnore|noinspection)\b[^\n]*(?:\n|$))+/i;

function withoutMachineTags(doc: string): string {
  return doc.replace(MACHINE_TAGS, '').trimStart();
}

const MAX_DOC = 600;
/** Maximum length of a comment that is shown whole because its first paragraph ends with a colon. */
const MAX_LIST = 2_000;

/** Returns the text before the first empty line or tag. */
function firstParagraph(doc: string): string {
  return doc.split(/\n[^\S\n]{0,200}[\n@]/)[0] ?? '';
}

/** Returns the first paragraph of a comment on one line. */
export function readableParagraph(doc: string): string {
  return escapeComments(readable(firstParagraph(withoutXml(doc))));
}

/** Whether a comment consists of tags such as `@return void` or `@remarks` and does not describe the declaration. */
function isTagOnly(text: string): boolean {
  const [tag = '', ...words] = text.replaceAll(' | ', '|').split(/\s+/);
  const said = words.filter((word) => !word.startsWith('$')).length;
  return tag.startsWith('@') && said < (/^@(?:returns?|var|param|see|throws|link)$/.test(tag) ? 2 : 1);
}

export function firstSentence(doc: string): string {
  const sentence = firstSentenceOf(readableParagraph(withoutMachineTags(doc)));
  if (isTagOnly(sentence)) return '';
  return sentence.length > 200 ? `${sentence.slice(0, 199)}…` : sentence;
}

/** Exports that users of the package can reach, with the places of those they cannot. */
export interface PublicFacts {
  /** Facts restricted to the reachable exports and members. */
  facts: SpecFacts;
  hidden: readonly SourcePlace[];
}

/** Separates reachable from hidden exports. If no export of a module is reachable, all are shown. */
export function publicFacts(facts: SpecFacts): PublicFacts {
  const baseline = baselineOf(facts);
  const reachable = new Map(
    publicOnly(baseline, publicTypes([baseline])).files.map(({ path, exports }) => [path, exports]),
  );
  const hidden: SourcePlace[] = [];
  const skeletons = facts.files.map(({ skeleton }) => skeleton);
  const parts = declaredParts(skeletons);
  const ofHeaders = withoutOthers(skeletons, parts);
  const files = facts.files.map((file, at) => {
    const { filePath: path } = file.skeleton;
    const isImportable = ({ name }: SkeletonExport) =>
      facts.importable === undefined ||
      !SCRIPT.test(file.skeleton.language) ||
      facts.importable.has(keyOf({ path, name }));
    const open = (reachable.get(baseline.files[at]?.path ?? '') ?? [])
      .filter(isImportable)
      .filter((each) => each.name !== 'main' || each.kind !== 'function');
    // In a script, methods that are set on a prototype come after their function.
    const placeOf = ({ startLine, endLine }: SkeletonExport) => ({ path, startLine, endLine });
    const hide = (each: SkeletonExport) => hidden.push(placeOf(each), ...(each.members ?? []).map(placeOf));
    const exports = shownOf(withoutAliases(file.skeleton.exports), ofHeaders(file.skeleton, open), hide);
    return { ...file, skeleton: { ...file.skeleton, exports } };
  });
  if (files.every(({ skeleton }) => skeleton.exports.length === 0)) return { facts, hidden: [] };
  const symbols = new Set(files.flatMap((file) => symbolsOf(file, facts)));
  const tests = withScripts(facts.tests).filter((mention) => {
    const isWorthSaying = mention.tests.length > 0 || !mention.symbolName.includes(' for ');
    return isWorthSaying && symbols.has(symbolKey(mention));
  });
  return {
    facts: { ...facts, files: files.map((file) => withoutDeclared(file, files, parts)), tests },
    hidden,
  };
}

/** Removes the exports that another declaration shows, and those of a script that the declaration file beside it contains too. */
function withoutDeclared(
  file: FileFacts,
  files: readonly FileFacts[],
  parts: ReadonlySet<string>,
): FileFacts {
  const { filePath: path, exports: all } = file.skeleton;
  const declared = files.find(
    ({ skeleton: each }) => each.filePath !== path && scriptOf(each.filePath) === path,
  );
  const names = new Set(declared?.skeleton.exports.map(({ name }) => name));
  const exports = all.filter((each) => !names.has(each.name) && !isKnownPart(each, file.skeleton, parts));
  return exports.length === all.length ? file : { ...file, skeleton: { ...file.skeleton, exports } };
}

/** Whether a declaration can only be used inside the package. */
export function isHidden(
  { hidden }: PublicFacts,
  { path, startLine }: { path: string; startLine: number },
): boolean {
  return hidden.some(
    (range) => range.path === path && range.startLine <= startLine && startLine <= range.endLine,
  );
}

/** Returns the exports and members that are in `open`. Calls `hide` for each of the others. */
function shownOf(
  exports: readonly SkeletonExport[],
  open: readonly SkeletonExport[],
  hide: (symbol: SkeletonExport) => void,
): SkeletonExport[] {
  return exports.flatMap((each) => {
    const found = open.find(({ name, startLine }) => name === each.name && startLine === each.startLine);
    if (found === undefined) {
      hide(each);
      return [];
    }
    const { members, ...rest } = each;
    if (members === undefined) return [each];
    const shown = shownOf(members, found.members ?? [], hide);
    return [shown.length === 0 ? rest : Object.assign(rest, { members: shown })];
  });
}

function symbolsOf(file: FileFacts, facts: SpecFacts): string[] {
  const { filePath, exports } = file.skeleton;
  return [...exports, ...returnedTypes(file, facts).map(({ type }) => type)].flatMap((each) => {
    const own = displayName(each);
    const members = (each.members ?? []).map((member) => `${own}.${displayName(member)}`);
    return [...(each.kind === 'impl' ? [] : [own]), ...members].map((symbolName) =>
      symbolKey({ filePath, symbolName }),
    );
  });
}
