import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { LocaleStrings } from '../locales.ts';
import type { Prose } from '../parts.ts';
import type { Declared } from '../reading/call-graph.ts';
import { keyOf, type SpecFacts } from '../reading/facts.ts';
import { displayName, type SkeletonExport } from '../reading/skeleton.ts';
import { renderBusinessLogic } from './document/business-logic.ts';
import { renderDependencies, renderDiagram } from './document/dependencies.ts';
import { type FrontMatter, foreignLines, renderFrontMatter, sectionIds } from './document/document-text.ts';
import {
  conditionsText,
  debtRows,
  raisedErrorText,
  renderConstraints,
  renderEdgeCases,
  renderTestCoverage,
  shownName,
} from './document/fact-sections.ts';
import {
  firstSentence,
  isHidden,
  type PublicFacts,
  publicFacts,
  renderInterface,
} from './document/interface-section.ts';
import { type FreshText, mergeManualEdits } from './document/manual-edits.ts';
import {
  blocks,
  inlineCode,
  linkedName,
  linkTo,
  markdownTable,
  sanitizeMarkdown,
} from './document/markdown.ts';

export interface SpecDocument {
  frontMatter: Omit<FrontMatter, 'sections'>;
  facts: SpecFacts;
  prose: Prose;
  strings: LocaleStrings;
  /** Baseline block; empty if the baseline is in a separate file. */
  embeddedBaseline: string;
}

/**
 * Renders the whole document. Facts come from the parser, prose from the writer. Text that users wrote into
 * the previous document is kept, with a warning.
 */
export function renderDocument(
  document: SpecDocument,
  previous: string | undefined,
): { text: string; warnings: string[] } {
  const { frontMatter, strings, embeddedBaseline } = document;
  const merged = mergeManualEdits(freshText(document), previous, strings);
  const foreign = foreignLines(previous ?? '');
  const matter = renderFrontMatter({ ...frontMatter, sections: merged.sectionHashes }, foreign);
  return { text: `${blocks(matter, merged.body, embeddedBaseline)}\n`, warnings: merged.warnings };
}

function freshText({ facts, prose, strings, frontMatter }: SpecDocument): FreshText {
  const open = publicFacts(facts);
  const isOpen = (declared: Declared) => declared.isExported && !isHidden(open, declared);
  const hidden = open.hidden.length === 0 ? '' : strings.notReachable(open.hidden.length);
  const parts: Record<(typeof sectionIds)[number], string[]> = {
    intent: [
      said(prose.intent),
      wordsOnWhole(facts, strings) || (said(prose.intent) === '' ? noIntent(facts, strings) : ''),
    ],
    interface: [renderInterface(open.facts, strings), hidden],
    businessLogic: [said(prose.businessLogic), renderBusinessLogic(open, strings)],
    dataStructures: [said(prose.dataStructures), renderDataStructures(facts, open, strings)],
    constraints: [
      said(prose.constraints),
      renderDocumentedErrors(open.facts, strings),
      renderConstraints(facts, strings, isOpen),
    ],
    edgeCases: [
      said(prose.edgeCases),
      renderEdgeCases(facts, strings, isOpen),
      frontMatter.criteria ? renderCriteria(facts, strings) : '',
    ],
    technicalDebt: [said(prose.technicalDebt), renderTechnicalDebt(facts, strings)],
    testCoverage: [said(prose.testCoverage), renderTestCoverage(open.facts, strings)],
    dependencies: [
      said(prose.dependencies),
      renderDependencies(facts, strings),
      renderDiagram(facts, strings),
      renderFileList(facts, strings),
    ],
  };
  const sections = sectionIds.map((id) => ({
    id,
    title: strings.sections[id],
    body: blocks(...parts[id]) || strings.nothing,
  }));
  return { title: `# ${strings.title(facts.title)}`, sections };
}

function wordsOnWhole({ about }: SpecFacts, { ofWhole }: LocaleStrings): string {
  return about?.isOfWhole === true
    ? `${ofWhole(sanitizeMarkdown(about.words))} (${inlineCode(about.path)})`
    : '';
}

/** Returns the text for a module whose purpose is unknown. It mentions the comments on declarations, if there are any. */
function noIntent({ files }: SpecFacts, { noIntent: none, noWordsOnWhole }: LocaleStrings): string {
  const hasComments = files.some(({ skeleton }) =>
    skeleton.exports.some(
      ({ jsDoc, members = [] }) => jsDoc !== null || members.some((each) => each.jsDoc !== null),
    ),
  );
  return hasComments ? noWordsOnWhole : none;
}

function said(prose: string | undefined): string {
  return prose === undefined ? '' : sanitizeMarkdown(prose);
}

/**
 * Renders errors that the authors describe in comments on exports and members, in their words. Errors that
 * the parser found in the function are omitted.
 */
function renderDocumentedErrors(facts: SpecFacts, strings: LocaleStrings): string {
  const docs = new Map(
    facts.files.flatMap(({ skeleton: { filePath, exports } }) =>
      exports
        .flatMap((each) => [
          each,
          ...(each.members ?? []).flatMap((member) => [member, ...(member.members ?? [])]),
        ])
        .map(
          ({ startLine, jsDoc, signature }) => [`${filePath} ${startLine}`, { jsDoc, signature }] as const,
        ),
    ),
  );
  const raised = [...facts.bodies].flatMap(([path, { facts: found }]) =>
    found.map(({ owner, name }) => `${keyOf({ path, name: owner })} ${name}`),
  );
  const known = new Set(raised);
  const lines = facts.calls.functions.flatMap((each) => {
    const { path, name, startLine } = each;
    const { jsDoc, signature = '' } = docs.get(`${path} ${startLine}`) ?? {};
    return documentedErrors(jsDoc ?? '')
      .filter(({ words }) => isAboutParameters(words, signature))
      .filter(({ type }) => !known.has(`${keyOf(each)} ${type}`))
      .map(({ type, words }) => {
        const error = type === '' ? strings.facts.anError : inlineCode(type);
        const link = linkTo(facts, { ...each, endLine: startLine });
        return [`${error}\0${words}`, `${inlineCode(shownName(name, path))} (${link})`] as const;
      });
  });
  const shown = [...grouped(lines)].map(([said, owners]) => {
    const [error = '', words = ''] = said.split('\0');
    const first = owners.slice(0, MAX_OWNERS).join(strings.listComma);
    const all = owners.length > MAX_OWNERS ? strings.andMorePlaces(first, owners.length) : first;
    return `- ${strings.facts.raised(all, error)}: ${words}`;
  });
  const left = shown.length - MAX_DOCUMENTED;
  return blocks(shown.slice(0, MAX_DOCUMENTED).join('\n'), left > 0 ? strings.facts.more(left) : '');
}

const MAX_DOCUMENTED = 30;
/** Maximum number of functions that are listed for an error they share. */
const MAX_OWNERS = 4;

/** Whether a function has the parameters that a sentence is about. Authors may copy a comment. */
function isAboutParameters(words: string, signature: string): boolean {
  const [, name] = /^if `([a-z]\w{0,80})` is (?:null|empty|negative)\b/i.exec(words) ?? [];
  return name === undefined || signature.split(/\W+/).includes(name);
}

/** Matches words of a sentence that describes when a function fails. */
const SAYS_ERROR = /\b(?:if|when|unless|fail\w*|errors?|`?Err`?|panics?|returns?|cannot|invalid)\b/i;

/** Matches references inside comments of C#. */
const REFERENCE =
  /<(?:see|seealso|paramref|typeparamref)\s(?:cref|name|langword)="(?:[A-Z]:)?([^"<>]{1,200})"\s?\/>/g;

/** Returns the errors in a comment: `@throws E if closed`, `<exception cref="E">`, a section `# Panics` or `# Errors` of Rust. */
function documentedErrors(comment: string): { type: string; words: string }[] {
  const doc = comment.replace(REFERENCE, '`$1`').replace(/\{@\w{1,20}\s([^{}]{1,200})\}/g, '`$1`');
  const tags = [
    ...doc.matchAll(/[@\\](?:throws?|exception)\s+([\w.:]+)\s+([^@\\]+)/g),
    ...doc.matchAll(
      /<exception\s+cref="(?:[A-Z]:)?([\w.]{1,200})(?:[({][^"]{0,200})?">([^<]{0,600})<\/exception>/g,
    ),
  ].map(([, type = '', words = '']) => ({ type: type.split(/[.:]/).at(-1) ?? type, words }));
  const sections = [...doc.matchAll(/(?:^|\n)#{1,3} (Panics|Errors)\n+([^#\n][^#]*)/g)].map(
    ([, title, words = '']) => ({ type: title === 'Panics' ? 'panic' : '', words }),
  );
  return [...tags, ...sections].flatMap(({ type, words }) => {
    const said = firstSentence(words.trim()).replace(/\s\([^()]{0,80}$/, '');
    const isRule = type !== '' && type !== 'panic' ? /\p{L}{2} +\p{L}/u.test(said) : SAYS_ERROR.test(said);
    return isRule ? [{ type, words: said }] : [];
  });
}

/** Lists unfinished and deprecated code, and code that the parser could not read. */
function renderTechnicalDebt(facts: SpecFacts, strings: LocaleStrings): string {
  const { columns } = strings;
  return markdownTable([columns.mark, columns.content, columns.place], debtRows(facts, strings));
}

const SHOWN = 8;

/** Lists the sources with their sizes, and unread files with the reason. Other files share one line. */
function renderFileList({ files, notes }: SpecFacts, strings: LocaleStrings): string {
  const { columns, headings, note: say } = strings;
  const read = files.map(({ skeleton }) => [
    inlineCode(skeleton.filePath),
    skeleton.language,
    `${skeleton.loc}`,
    `${skeleton.exports.length}`,
    '',
  ]);
  const entries = Object.entries(notes);
  const noted = entries
    .filter(([, { code }]) => code !== 'unknown-language')
    .map(([path, note]) => [inlineCode(path), '', '', '', say(note)]);
  const others = entries.filter(([, { code }]) => code === 'unknown-language').map(([path]) => path);
  const heads = [columns.file, columns.language, columns.lineCount, columns.exports, columns.note];
  return blocks(
    `### ${headings.fileList}`,
    markdownTable(heads, [...read, ...noted]),
    otherFilesText(others, strings),
  );
}

function otherFilesText(
  paths: readonly string[],
  { otherFiles, listComma, andMoreFiles }: LocaleStrings,
): string {
  if (paths.length === 0) return '';
  const shown = paths.slice(0, SHOWN).map(inlineCode).join(listComma);
  return otherFiles(paths.length > SHOWN ? andMoreFiles(shown, paths.length) : shown);
}

const MAX_CRITERIA = 100;

/**
 * Renders acceptance criteria in EARS form (`WHEN … THE … SHALL …`), one per error with a condition. An error
 * without a condition gives no criterion.
 */
function renderCriteria(facts: SpecFacts, strings: LocaleStrings): string {
  const { headings, criteria, facts: texts } = strings;
  const ears = { facts: { ...texts, and: ' AND ', not: (condition: string) => `NOT ${condition}` } };
  const lines = [...facts.bodies].flatMap(([path, { facts: found }]) =>
    found
      .filter(
        ({ kind, when }) => (kind === 'raise' || kind === 'check') && when !== undefined && when.length > 0,
      )
      .map((fact) => {
        const { owner, when = [], startLine, endLine } = fact;
        const system = inlineCode(owner === '' ? (path.split('/').at(-1) ?? path) : owner);
        const place = linkTo(facts, { path, startLine, endLine });
        const error = raisedErrorText(fact, strings);
        const { passedTo: to } = fact;
        const response = to === undefined ? criteria.raise(error) : criteria.pass(error, inlineCode(to));
        return `- WHEN ${conditionsText(when, ears)} THE ${system} SHALL ${response} (${place})`;
      }),
  );
  const distinct = [...new Set(lines)];
  if (distinct.length === 0) return '';
  const left = distinct.length - MAX_CRITERIA;
  return blocks(
    `### ${headings.criteria}`,
    distinct.slice(0, MAX_CRITERIA).join('\n'),
    left > 0 ? texts.more(left) : '',
  );
}

const DATA_KINDS: ReadonlySet<string> = new Set(['type', 'interface', 'enum', 'struct', 'trait', 'class']);

/** Lists the types of the module, with comments for those that the interface section omits. */
function renderDataStructures(
  facts: SpecFacts,
  open: PublicFacts,
  { columns, internalKind }: LocaleStrings,
): string {
  const parts = new Set<string>();
  const rows = facts.files.flatMap(({ skeleton: { filePath: path, exports }, internals }) => [
    ...exports
      .filter(({ kind }) => DATA_KINDS.has(kind))
      .filter((each) => isFirstPart(each, parts))
      .map(({ name, signature, kind, members = [], jsDoc, startLine, endLine }) => {
        const isInternal = isHidden(open, { path, startLine });
        return [
          linkedName(facts, displayName({ name, signature }), { path, startLine, endLine }),
          isInternal ? internalKind(kind) : kind,
          `${members.length || ''}`,
          isInternal ? firstSentence(jsDoc ?? '') : '',
        ];
      }),
    ...internals
      .filter(({ kind }) => DATA_KINDS.has(kind))
      .map(({ name, kind, startLine, endLine }) => [
        linkedName(facts, name, { path, startLine, endLine }),
        internalKind(kind),
        '',
        '',
      ]),
  ]);
  const heads = [columns.name, columns.kind, columns.members, columns.remark];
  const shown = heads.filter((_head, at) => rows.some((row) => row[at] !== ''));
  return markdownTable(
    shown,
    rows.map((row) => row.slice(0, shown.length)),
  );
}

/** Whether this is the first part of a type. A `partial` class in C# may have parts in several files. */
function isFirstPart({ name, signature }: SkeletonExport, seen: Set<string>): boolean {
  if (!/\bpartial\b/.test(signature)) return true;
  const isFirst = !seen.has(name);
  seen.add(name);
  return isFirst;
}
