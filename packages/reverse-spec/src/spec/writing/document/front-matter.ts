import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DocumentLanguage, documentLanguages } from '../../words.ts';

export interface FrontMatter {
  type: 'module-spec' | 'index-spec';
  /** `v1`, `v2`, …: one more with every rewrite. */
  version: string;
  sourceTarget: string;
  relatedFiles: string[];
  lastUpdated: string;
  confidence: Confidence;
  skeletonHash: string;
  model: string;
  tokenUsage: TokenUsage;
  /** Hashes of its other inputs; the next batch compares. */
  commentsHash?: string;
  testsHash?: string;
  sourceHash?: string;
  bodiesHash?: string;
  language: string;
  toolVersion: string;
  /** The model's answer was not what was asked for: the next batch asks again. */
  degraded?: true;
  /** The document has acceptance criteria; it keeps them until it is written without a previous one. */
  criteria?: true;
  /** The side file with the baseline, and its hash. */
  baseline?: string;
  baselineHash?: string;
  /** Hash of each section as the tool wrote it: what differs at the next run was edited by a user. */
  sections?: string;
}

export type Confidence = 'high' | 'medium' | 'low';

export interface TokenUsage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

export const noTokens: TokenUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** In the order they are written. */
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

/** Written as JSON, so that any path or name survives. */
const QUOTED: ReadonlySet<string> = new Set([
  'sourceTarget',
  'lastUpdated',
  'model',
  'toolVersion',
  'baseline',
  'sections',
]);

/** Finds front matter lines whose keys are not the tool's. */
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
  if (typeof value !== 'object') return [`${key}: ${QUOTED.has(key) ? JSON.stringify(value) : value}`];
  if (!Array.isArray(value))
    return [`${key}:`, ...Object.entries(value).map(([name, count]) => `  ${name}: ${count}`)];
  if (value.length === 0) return [`${key}: []`];
  return [`${key}:`, ...value.map((each) => `  - ${JSON.stringify(each)}`)];
}

/** Returns the top-level scalars of a document's front matter; empty without one. */
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

/** Returns the version after a document's own; a document without a number counts as the first. */
export function nextVersion(previous: string | undefined): string {
  if (previous === undefined) return 'v1';
  const written = readFrontMatter(previous).version ?? '';
  const number = Number.parseInt(/^v?(\d{1,9})\b/.exec(written)?.[1] ?? '1', 10);
  return `v${number + 1}`;
}

export interface LanguageChoice {
  /** Requested language. */
  language?: DocumentLanguage;
  /** Language of a new document by default. */
  defaultLanguage: DocumentLanguage;
}

/** A document keeps its language until another is asked for: it must not depend on who runs the tool. */
export async function languageFor(
  outputDir: string,
  name: string,
  { language, defaultLanguage }: LanguageChoice,
): Promise<DocumentLanguage> {
  if (language !== undefined) return language;
  const document = await readFile(join(outputDir, name), 'utf8').catch(() => undefined);
  if (document === undefined) return defaultLanguage;
  const written = readFrontMatter(document).language;
  // Documents of the first format were Chinese and did not say so.
  return documentLanguages.find((each) => each === written) ?? 'zh';
}
