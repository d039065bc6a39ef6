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
  /** What else it was made from; the next batch compares. */
  commentsHash?: string;
  testsHash?: string;
  sourceHash?: string;
  bodiesHash?: string;
  language: string;
  toolVersion: string;
  /** The model's answer was not what was asked for: the next batch asks again. */
  degraded?: true;
  /** The side file with the baseline, and its hash. */
  baseline?: string;
  baselineHash?: string;
  /** What the tool wrote into each section, by hash: what differs at the next run was written by somebody else. */
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

const OWN_KEYS: ReadonlySet<string> = new Set([
  'type',
  'version',
  'sourceTarget',
  'relatedFiles',
  'lastUpdated',
  'confidence',
  'skeletonHash',
  'model',
  'tokenUsage',
  'sections',
  'commentsHash',
  'testsHash',
  'sourceHash',
  'bodiesHash',
  'language',
  'toolVersion',
  'degraded',
  'baseline',
  'baselineHash',
]);

/** Lines of a front matter under keys somebody else put there. */
export function foreignLines(document: string): string[] {
  let isForeign = false;
  return blockOf(document)
    .split(/\r?\n/)
    .filter((line) => {
      const key = /^([^\s#][^:]*):/.exec(line)?.[1];
      if (key !== undefined) isForeign = !OWN_KEYS.has(key);
      return isForeign;
    });
}

function blockOf(document: string): string {
  return /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(document)?.[1] ?? '';
}

/** YAML whose scalars are JSON, so that any path or name survives it. */
export function renderFrontMatter(matter: FrontMatter, foreign: readonly string[] = []): string {
  const { input, output, cacheRead, cacheWrite } = matter.tokenUsage;
  return [
    '---',
    `type: ${matter.type}`,
    `version: ${matter.version}`,
    `sourceTarget: ${JSON.stringify(matter.sourceTarget)}`,
    matter.relatedFiles.length === 0 ? 'relatedFiles: []' : 'relatedFiles:',
    ...matter.relatedFiles.map((path) => `  - ${JSON.stringify(path)}`),
    `lastUpdated: ${JSON.stringify(matter.lastUpdated)}`,
    `confidence: ${matter.confidence}`,
    ...optional('skeletonHash', matter.skeletonHash),
    ...optional('commentsHash', matter.commentsHash),
    ...optional('testsHash', matter.testsHash),
    ...optional('sourceHash', matter.sourceHash),
    ...optional('bodiesHash', matter.bodiesHash),
    `model: ${JSON.stringify(matter.model)}`,
    `language: ${matter.language}`,
    `toolVersion: ${JSON.stringify(matter.toolVersion)}`,
    ...optional('degraded', matter.degraded),
    'tokenUsage:',
    `  input: ${input}`,
    `  output: ${output}`,
    `  cacheRead: ${cacheRead}`,
    `  cacheWrite: ${cacheWrite}`,
    ...optional('baseline', matter.baseline && JSON.stringify(matter.baseline)),
    ...optional('baselineHash', matter.baselineHash),
    ...optional('sections', matter.sections && JSON.stringify(matter.sections)),
    ...foreign,
    '---',
  ].join('\n');
}

function optional(key: string, value: string | true | undefined): string[] {
  return value === undefined ? [] : [`${key}: ${value}`];
}

/** The top-level scalars of a document's front matter; none when there is no front matter. */
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

/** The version after the one a document carries; a document nobody numbered counts as the first. */
export function nextVersion(previous: string | undefined): string {
  if (previous === undefined) return 'v1';
  const written = readFrontMatter(previous).version ?? '';
  const number = Number.parseInt(/^v?(\d{1,9})\b/.exec(written)?.[1] ?? '1', 10);
  return `v${number + 1}`;
}
