import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LocaleStrings } from '../locales.ts';
import type { FileFacts, SpecFacts } from '../reading/facts.ts';
import { contentsHash } from '../reading/read-bodies.ts';
import { hashOfAll, type SkeletonExport } from '../reading/skeleton.ts';
import { readBaselineOf } from './document/baseline.ts';
import { readDocumentText, readFrontMatter } from './document/document-text.ts';
import { firstSentence } from './document/interface-section.ts';

/** Inputs of a document, recorded in its front matter. */
export interface Origins {
  skeletonHash: string;
  /** Hash of the authors' text: the package description, comments of files, exports and members, and marks such as TODO. */
  commentsHash: string;
  /** Hash of the tests and examples that call or name each export. */
  testsHash: string;
  /** Hash of the files' contents. `bodiesHash` is the hash of the facts of their function bodies. */
  sourceHash: string;
  bodiesHash: string;
  model: string;
  language: string;
  toolVersion: string;
}

/** Reason why a document is written again. */
export type RenewalReason = keyof LocaleStrings['reasons'];

/** Hashes that are computed without parsing: all but that of function bodies. */
export type SourceHashes = Pick<Origins, 'skeletonHash' | 'commentsHash' | 'testsHash' | 'sourceHash'>;

export function sourceHashes({
  files,
  tests,
  about,
}: Pick<SpecFacts, 'files' | 'tests' | 'about'>): SourceHashes {
  return {
    skeletonHash: hashOfAll(files.map(({ skeleton }) => skeleton)),
    sourceHash: contentsHash(files),
    commentsHash: shortHash([about?.words ?? null, files.map(commentsOf)]),
    testsHash: shortHash(
      tests.map(({ filePath, symbolName, tests: places, example }) => [
        filePath,
        symbolName,
        [...new Set(places.map(({ path }) => path))].sort(),
        example?.code ?? '',
      ]),
    ),
  };
}

/** Returns the comments of a file without line numbers. A comment that only moved is unchanged. */
function commentsOf({ skeleton, headComment, callouts }: FileFacts): unknown[] {
  const marks = callouts.map(({ tag, text }) => `${tag} ${text}`);
  return [skeleton.filePath, headComment, skeleton.exports.map(docsOf), marks];
}

function docsOf({ name, jsDoc, members = [] }: SkeletonExport): unknown[] {
  return [name, jsDoc, members.map(docsOf)];
}

function shortHash(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 16);
}

/** Returns the key of the inputs of prose, without tests and the program version. If the key changes, the model is asked again. */
export function writingKey(
  origins: Pick<Origins, 'skeletonHash' | 'commentsHash' | 'model' | 'language'>,
): string {
  const { skeletonHash, commentsHash, model, language } = origins;
  return shortHash([skeletonHash, commentsHash, model, language]);
}

export type RecordedOrigins = Partial<Origins> & { degraded: boolean };

/** Returns the reasons to write a document, the most important first. An input that the document does not record counts as changed. */
function renewalReasons(
  recorded: RecordedOrigins | undefined,
  now: Omit<Origins, 'bodiesHash'>,
): RenewalReason[] {
  if (recorded === undefined) return ['new'];
  const differs = (key: keyof typeof now) => recorded[key] !== now[key];
  const reasons: [RenewalReason, boolean][] = [
    ['structure', differs('skeletonHash')],
    ['comments', differs('commentsHash')],
    ['tests', differs('testsHash')],
    // Prose of a model may replace prose from the AST, but not the reverse.
    ['model', differs('model') && now.model !== AST_ONLY],
    ['language', differs('language')],
    ['tool', differs('toolVersion')],
    ['degraded', recorded.degraded && now.model !== AST_ONLY],
  ];
  return reasons.filter(([, applies]) => applies).map(([reason]) => reason);
}

export const AST_ONLY = 'ast-only';

/** Facts that an existing spec records about its creation. */
export interface KnownSpec {
  lastUpdated: string;
  recorded: RecordedOrigins;
  hasBaseline: boolean;
  hasCriteria: boolean;
}

/** Part of a spec that the index contains. */
export interface SpecHead {
  confidence: string;
  /** Purpose of the module: the first sentence of the first section. */
  intent: string;
}

export async function readSpecHead(outputDir: string, specName: string): Promise<SpecHead | undefined> {
  const text = await readFile(join(outputDir, specName), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  return { confidence: readFrontMatter(text).confidence ?? 'low', intent: intentOf(text) };
}

export async function readKnownSpec(outputDir: string, specName: string): Promise<KnownSpec | undefined> {
  const specPath = join(outputDir, specName);
  const text = await readFile(specPath, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { lastUpdated = '', degraded, criteria, ...rest } = readFrontMatter(text);
  return {
    lastUpdated,
    recorded: { ...rest, degraded: degraded === 'true' },
    hasCriteria: criteria === 'true',
    hasBaseline: (await readBaselineOf(specPath, text)).kind === 'read',
  };
}

interface RenewalRequest {
  /** Inputs from which the document would be written now. */
  origins: Omit<Origins, 'bodiesHash'>;
  /** ISO time. Specs written before it are written again. If undefined, the age of a spec does not matter. */
  writtenSince: string | undefined;
  /** Whether acceptance criteria were requested. */
  criteria: boolean;
}

/** Returns the reasons to write the spec; empty if it is up to date. */
export function reasonsToWrite(
  spec: KnownSpec | undefined,
  { origins, writtenSince, criteria }: RenewalRequest,
): RenewalReason[] {
  if (spec !== undefined && writtenSince !== undefined && spec.lastUpdated < writtenSince) return ['forced'];
  const reasons = renewalReasons(spec?.recorded, origins);
  if (spec === undefined) return reasons;
  return [
    ...reasons,
    ...(spec.hasBaseline ? [] : ['baseline' as const]),
    ...(criteria && !spec.hasCriteria ? ['criteria' as const] : []),
  ];
}

/** Returns the first sentence of the first section. Empty if the section begins with a list, which is about single files. */
function intentOf(document: string): string {
  const section = readDocumentText(document).sections.find(({ id }) => id === 'intent')?.body ?? '';
  const [first = ''] = section.trim().split(/\n\s{0,200}\n/);
  return /^[-*+] /.test(first) ? '' : firstSentence(first);
}
