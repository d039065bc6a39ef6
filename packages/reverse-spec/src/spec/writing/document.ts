import type { SpecFacts } from '../reading/facts.ts';
import { displayName, type SkeletonExport } from '../reading/skeleton.ts';
import type { Words } from '../words.ts';
import type { Prose } from '../writer.ts';
import { renderDiagram } from './document/diagram.ts';
import { sectionIds } from './document/document-text.ts';
import { type FrontMatter, foreignLines, renderFrontMatter } from './document/front-matter.ts';
import { type FreshText, mergeHumanWords } from './document/human-words.ts';
import { firstSentence, renderInterface } from './document/interface-section.ts';
import { blocks, inlineCode, linkedName, linkTo, table, tameProse } from './document/markdown.ts';
import { type PublicFacts, publicFacts } from './document/public-facts.ts';
import { renderBusinessLogic } from './document/section-facts/business-logic.ts';
import { renderDependencies } from './document/section-facts/dependencies.ts';
import {
  debtRows,
  renderConstraints,
  renderEdgeCases,
  renderTestCoverage,
} from './document/section-facts/fact-sections.ts';
import { conditionsText, errorText, harmless } from './document/section-facts/fact-text.ts';
export interface SpecDocument {
  frontMatter: Omit<FrontMatter, 'sections'>;
  facts: SpecFacts;
  prose: Prose;
  words: Words;
  /** For those who want it inside the document. */
  embeddedBaseline: string;
}

/**
 * The whole Markdown text. Facts come from the parser alone; prose is the writer's; what people wrote into the document
 * before it stays; warnings speak of it.
 */
export function renderDocument(
  document: SpecDocument,
  previous: string | undefined,
): { text: string; warnings: string[] } {
  const { frontMatter, words, embeddedBaseline } = document;
  const merged = mergeHumanWords(freshText(document), previous, words);
  const foreign = foreignLines(previous ?? '');
  const matter = renderFrontMatter({ ...frontMatter, sections: merged.sectionHashes }, foreign);
  return { text: `${blocks(matter, merged.body, embeddedBaseline)}\n`, warnings: merged.warnings };
}

function freshText({ facts, prose, words, frontMatter }: SpecDocument): FreshText {
  const open = publicFacts(facts);
  const parts: Record<(typeof sectionIds)[number], string[]> = {
    intent: [
      said(prose.intent),
      wordsOnWhole(facts, words) || (said(prose.intent) === '' ? noIntent(facts, words) : ''),
    ],
    interface: [renderInterface(open.facts, words), notReachable(open, words)],
    businessLogic: [said(prose.businessLogic), renderBusinessLogic(open, words)],
    dataStructures: [said(prose.dataStructures), renderDataStructures(facts, words)],
    constraints: [said(prose.constraints), renderConstraints(facts, words)],
    edgeCases: [
      said(prose.edgeCases),
      renderEdgeCases(facts, words),
      frontMatter.criteria ? renderCriteria(facts, words) : '',
    ],
    technicalDebt: [said(prose.technicalDebt), renderTechnicalDebt(facts, words)],
    testCoverage: [said(prose.testCoverage), renderTestCoverage(open.facts, words)],
    dependencies: [
      said(prose.dependencies),
      renderDependencies(facts, words),
      renderDiagram(facts, words),
      renderFileList(facts, words),
    ],
  };
  const sections = sectionIds.map((id) => ({
    id,
    title: words.sections[id],
    body: blocks(...parts[id]) || words.nothing,
  }));
  return { title: `# ${words.title(facts.title)}`, sections };
}

function notReachable({ hidden }: PublicFacts, words: Words): string {
  return hidden.length === 0 ? '' : words.notReachable(hidden.length);
}

function wordsOnWhole({ about }: SpecFacts, { ofWhole }: Words): string {
  return about?.isOfWhole === true ? `${ofWhole(tameProse(about.words))} (${inlineCode(about.path)})` : '';
}

/** Says that nothing was written only if that is so: declarations may have comments. */
function noIntent({ files }: SpecFacts, { noIntent: none, noWordsOnWhole }: Words): string {
  const hasComments = files.some(({ skeleton }) =>
    skeleton.exports.some(
      ({ jsDoc, members = [] }) => jsDoc !== null || members.some((each) => each.jsDoc !== null),
    ),
  );
  return hasComments ? noWordsOnWhole : none;
}

function said(prose: string | undefined): string {
  return prose === undefined ? '' : tameProse(prose);
}

/** Lists what sources call unfinished or old, and what the parser could not read. */
function renderTechnicalDebt(facts: SpecFacts, words: Words): string {
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

const SHOWN = 8;

/** Lists sources with their sizes, unread files with the reason; files that are not sources in one line. */
function renderFileList({ files, notes }: SpecFacts, words: Words): string {
  const { columns, headings, note: say } = words;
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
  return blocks(`### ${headings.fileList}`, table(heads, [...read, ...noted]), otherFilesText(others, words));
}

function otherFilesText(paths: readonly string[], { otherFiles, listComma, andMoreFiles }: Words): string {
  if (paths.length === 0) return '';
  const shown = paths.slice(0, SHOWN).map(inlineCode).join(listComma);
  return otherFiles(paths.length > SHOWN ? andMoreFiles(shown, paths.length) : shown);
}

const MAX_CRITERIA = 100;

/**
 * Acceptance criteria in EARS form, `WHEN … THE … SHALL …`: one for each error that is raised under a condition. An error
 * without a condition gives none, since nothing says when it is expected.
 */
function renderCriteria(facts: SpecFacts, words: Words): string {
  const { headings, criteria, facts: texts } = words;
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
        const error = errorText(fact, words);
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

/** The shapes data takes, exported or not. */
function renderDataStructures(facts: SpecFacts, { columns, internalKind }: Words): string {
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
