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

/** Inputs of a document, as its front matter records them. */
export interface Origins {
  skeletonHash: string;
  /** Hash of the authors' words: comments of files, exports and members, marks such as TODO. */
  commentsHash: string;
  /** Hash of which tests name which export. */
  testsHash: string;
  /** Hash of the files as they were; then of their bodies. */
  sourceHash: string;
  bodiesHash: string;
  model: string;
  language: string;
  toolVersion: string;
}

/** Why a document is written again. */
export type RenewalReason = keyof LocaleStrings['reasons'];

/** All hashes except that of the bodies, which needs a parser. */
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

/** Line numbers are left out: a comment that moved is unchanged. */
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

/** Key of the inputs of prose: the model is asked again if it changes. Tests and the tool version are not part of it. */
export function writingKey(
  origins: Pick<Origins, 'skeletonHash' | 'commentsHash' | 'model' | 'language'>,
): string {
  const { skeletonHash, commentsHash, model, language } = origins;
  return shortHash([skeletonHash, commentsHash, model, language]);
}

export type RecordedOrigins = Partial<Origins> & { degraded: boolean };

/** Lists structure first, because it is the gravest reason. A key that was not recorded counts as changed. */
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
    // A model replaces a document from the AST, never the other way round.
    ['model', differs('model') && now.model !== AST_ONLY],
    ['language', differs('language')],
    ['tool', differs('toolVersion')],
    ['degraded', recorded.degraded && now.model !== AST_ONLY],
  ];
  return reasons.filter(([, applies]) => applies).map(([reason]) => reason);
}

export const AST_ONLY = 'ast-only';

/** Facts that an existing spec states about its own making. */
export interface KnownSpec {
  lastUpdated: string;
  recorded: RecordedOrigins;
  hasBaseline: boolean;
  hasCriteria: boolean;
}

/** Part of a spec that the index shows. */
export interface SpecHead {
  confidence: string;
  /** First sentence of the first section: the purpose of the module. */
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
  /** Inputs the document would be made from now. */
  origins: Omit<Origins, 'bodiesHash'>;
  /** Only specs written since then count; all of them if undefined. */
  writtenSince: string | undefined;
  /** Acceptance criteria were asked for. */
  criteria: boolean;
}

/** Empty if the spec may stay as it is. */
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

/** Paragraphs alone: a list is about single files. */
function intentOf(document: string): string {
  const section = readDocumentText(document).sections.find(({ id }) => id === 'intent')?.body ?? '';
  const [first = ''] = section.trim().split(/\n\s{0,200}\n/);
  return /^[-*+] /.test(first) ? '' : firstSentence(first);
}
