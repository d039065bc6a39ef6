import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DocumentLanguage, documentLanguages, stringsByLanguage } from '../../locales.ts';

/** A document on disk, divided into sections. Each line after the front matter belongs to exactly one part. */
export interface DocumentText {
  /** Text between the front matter and the first section. */
  preamble: string;
  sections: SectionText[];
}

export interface SectionText {
  /** Id of the section; undefined if a user added the section. */
  id: SectionId | HeadingId | undefined;
  /** Whole line of the heading. */
  heading: string;
  body: string;
}

export type LineKind = 'text' | 'code' | 'keep';

const FRONT_MATTER = /^\uFEFF?---\r?\n[\s\S]*?\r?\n---[^\S\n]*(?:\r?\n|$)/;
const BASELINE =
  /^<!-- reverse-spec:baseline format=\d+ sha256=[0-9a-f]{64}\r?\n[\w+/=\r\n]*-->[^\S\n]*\n?/gm;

export function readDocumentText(document: string): DocumentText {
  const text = document.replace(FRONT_MATTER, '').replace(BASELINE, '');
  const lines = text.split('\n');
  const kinds = classifyLines(lines);
  const starts = lines.flatMap((line, at) => (kinds[at] === 'text' && /^## \S/.test(line) ? [at] : []));
  const seen = new Set<string>();
  const sections = starts.map((start, at) => {
    const heading = lines[start] ?? '';
    const id = ownId(heading, seen);
    return { id, heading, body: trimLines(lines.slice(start + 1, starts[at + 1] ?? lines.length)) };
  });
  return { preamble: trimLines(lines.slice(0, starts[0] ?? lines.length)), sections };
}

/** Returns the id of a section. Undefined for a user's section, which includes any repeated title. */
function ownId(heading: string, seen: Set<string>): SectionText['id'] {
  const id = idOfTitle(heading.replace(/^#+\s+/, '').replace(/(?<!\s)\s*<!--.*/, ''));
  if (id === undefined || seen.has(id)) return undefined;
  seen.add(id);
  return id;
}

/** Returns the section or heading whose title this is in one of the document languages. */
export function idOfTitle(title: string): SectionId | HeadingId | undefined {
  const plain = title.trim();
  for (const language of documentLanguages) {
    const { sections, headings } = stringsByLanguage[language];
    const id =
      [...sectionIds, ...indexSectionIds].find((each) => sections[each] === plain) ??
      headingIds.find((each) => headings[each] === plain);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Matches a keep mark at the start or end of a line. The rest of the line belongs to the kept block. */
const KEEP = /^\s*<!--\s*keep\s*-->|<!--\s*keep\s*-->\s*$/;
const KEEP_END = /<!--\s*\/keep\s*-->/;

/** Classifies each line. A keep mark always counts, even in code, because the program never writes one. */
export function classifyLines(lines: readonly string[]): LineKind[] {
  const kinds: LineKind[] = [];
  let codeEnd = 0;
  while (kinds.length < lines.length) {
    const at = kinds.length;
    const line = lines[at] ?? '';
    if (KEEP.test(line)) {
      const end = keepEnd(lines, at);
      while (kinds.length < end) kinds.push('keep');
      continue;
    }
    if (at >= codeEnd) codeEnd = codeEndFrom(lines, at);
    kinds.push(at < codeEnd ? 'code' : 'text');
  }
  return kinds;
}

/** Returns the line after the code block that begins at `at`. Returns `at` if no closed code block begins there. */
function codeEndFrom(lines: readonly string[], at: number): number {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(lines[at] ?? '')?.[1];
  if (fence === undefined) return at;
  for (let next = at + 1; next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    if (KEEP.test(line)) next = keepEnd(lines, next) - 1;
    else if (closes(line, fence)) return next + 1;
  }
  return at;
}

function closes(line: string, fence: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line)?.[1];
  return mark?.startsWith(fence) === true;
}

/** Returns the line after the end mark. Without an end mark, kept text extends to the next section of the program. */
function keepEnd(lines: readonly string[], start: number): number {
  const end = lines.findIndex((line, at) => at >= start && KEEP_END.test(line));
  if (end !== -1) return end + 1;
  const next = lines.findIndex(
    (line, at) => at > start && line.startsWith('## ') && idOfTitle(line.slice(3)) !== undefined,
  );
  return next === -1 ? lines.length : next;
}

export function isClosedKeep(text: string): boolean {
  return KEEP_END.test(text);
}

/** Joins lines and removes blank lines around them. Keeps the indentation of the first line. */
function trimLines(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd();
}

/** The nine sections of a document, in their order. */
export const sectionIds = [
  'intent',
  'interface',
  'businessLogic',
  'dataStructures',
  'constraints',
  'edgeCases',
  'technicalDebt',
  'testCoverage',
  'dependencies',
] as const;

/** The sections of the index over all documents. */
export const indexSectionIds = ['modules', 'moduleGraph'] as const;

export type SectionId = (typeof sectionIds)[number] | (typeof indexSectionIds)[number];

/** Other headings of the program. The first three are inside a section; the last two are after the nine sections, if they have content. */
export const headingIds = ['diagram', 'fileList', 'criteria', 'conflicts', 'orphans'] as const;

export type HeadingId = (typeof headingIds)[number];

export interface FrontMatter {
  type: 'module-spec' | 'index-spec';
  /** Version `v1`, `v2`, …: incremented each time the document is written. */
  version: string;
  sourceTarget: string;
  relatedFiles: string[];
  lastUpdated: string;
  confidence: Confidence;
  skeletonHash: string;
  model: string;
  tokenUsage: TokenUsage;
  /** Hashes of the other inputs, for comparison by the next batch. */
  commentsHash?: string;
  testsHash?: string;
  sourceHash?: string;
  bodiesHash?: string;
  language: string;
  toolVersion: string;
  /** Set if a part of the prose is missing. The next batch then asks the model again. */
  degraded?: true;
  /** Set if the document has acceptance criteria. They are written again each time the document is updated. */
  criteria?: true;
  /** Path of the baseline file, relative to the document. `baselineHash` is the hash of that file. */
  baseline?: string;
  baselineHash?: string;
  /** Hash of each section as it was written. If a section no longer matches, a user edited it. */
  sections?: string;
}

export type Confidence = 'high' | 'medium' | 'low';

export type TokenUsage = Record<'input' | 'output' | 'cacheRead' | 'cacheWrite', number>;

export const noTokens: TokenUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** Keys of the front matter in the order in which they are written. */
const KEYS = [
  'type',
  'version',
  'sourceTarget',
  'relatedFiles',
  'lastUpdated',
  'confidence',
  'skeletonHash',
  'commentsHash',
  'testsHash',
  'sourceHash',
  'bodiesHash',
  'model',
  'language',
  'toolVersion',
  'degraded',
  'criteria',
  'tokenUsage',
  'baseline',
  'baselineHash',
  'sections',
] as const satisfies readonly (keyof FrontMatter)[];

/** Keys whose values are written as JSON strings, because they may contain any character. */
const QUOTED = /^(?:sourceTarget|lastUpdated|model|toolVersion|baseline|sections)$/;

/** Returns the front matter lines whose keys are not among `KEYS`. */
export function foreignLines(document: string): string[] {
  let isForeign = false;
  return blockOf(document)
    .split(/\r?\n/)
    .filter((line) => {
      const key = /^([^\s#][^:]*):/.exec(line)?.[1];
      if (key !== undefined) isForeign = !KEYS.some((own) => own === key);
      return isForeign;
    });
}

function blockOf(document: string): string {
  return /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(document)?.[1] ?? '';
}

export function renderFrontMatter(matter: FrontMatter, foreign: readonly string[] = []): string {
  const { input, output, cacheRead, cacheWrite } = matter.tokenUsage;
  const ordered = { ...matter, tokenUsage: { input, output, cacheRead, cacheWrite } };
  const own = KEYS.flatMap((key) => linesOf(key, ordered[key]));
  return ['---', ...own, ...foreign, '---'].join('\n');
}

function linesOf(key: string, value: FrontMatter[keyof FrontMatter]): string[] {
  if (value === undefined) return [];
  if (typeof value !== 'object') return [`${key}: ${QUOTED.test(key) ? JSON.stringify(value) : value}`];
  if (!Array.isArray(value))
    return [`${key}:`, ...Object.entries(value).map(([name, count]) => `  ${name}: ${count}`)];
  if (value.length === 0) return [`${key}: []`];
  return [`${key}:`, ...value.map((each) => `  - ${JSON.stringify(each)}`)];
}

/** Returns the top-level scalars in the front matter of a document; empty without front matter. */
export function readFrontMatter(document: string): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const line of blockOf(document).split(/\r?\n/)) {
    const [, key, raw] = /^([A-Za-z]\w*):\s*(.*)/.exec(line) ?? [];
    if (key !== undefined && raw !== undefined) values[key] = scalar(raw.trim());
  }
  return values;
}

function scalar(raw: string): string {
  if (!raw.startsWith('"')) return raw;
  try {
    return String(JSON.parse(raw));
  } catch {
    return raw;
  }
}

/** Returns the version after that of a document. A document without a version counts as `v1`. */
export function nextVersion(previous: string | undefined): string {
  if (previous === undefined) return 'v1';
  const written = readFrontMatter(previous).version ?? '';
  const number = Number.parseInt(/^v?(\d{1,9})\b/.exec(written)?.[1] ?? '1', 10);
  return `v${number + 1}`;
}

export interface LanguageChoice {
  /** Requested language. */
  language?: DocumentLanguage;
  /** Language of a new document if `language` is undefined. */
  defaultLanguage: DocumentLanguage;
}

/**
 * Returns the language of a document. An existing document keeps its language unless another one is
 * requested, so that it does not depend on the user's settings.
 */
export async function languageFor(
  outputDir: string,
  name: string,
  { language, defaultLanguage }: LanguageChoice,
): Promise<DocumentLanguage> {
  if (language !== undefined) return language;
  const document = await readFile(join(outputDir, name), 'utf8').catch(() => undefined);
  if (document === undefined) return defaultLanguage;
  const written = readFrontMatter(document).language;
  // Documents in the first format were always Chinese and did not name their language.
  return documentLanguages.find((each) => each === written) ?? 'zh';
}
