import { hash } from 'node:crypto';
import type { FileFacts, SpecFacts } from '../reading/facts.ts';
import { contentsHash } from '../reading/read-bodies.ts';
import { hashOfAll, type SkeletonExport } from '../reading/skeleton.ts';
import type { Words } from '../words.ts';

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
export type RenewalReason = keyof Words['reasons'];

/** All but what the bodies do, which takes a parser. */
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

/** Lines do not count: a comment that moved says what it said. */
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

/** Prose is asked for again when what it was written from changed; tests and the tool alone do not change it. */
export function writingKey(
  origins: Pick<Origins, 'skeletonHash' | 'commentsHash' | 'model' | 'language'>,
): string {
  const { skeletonHash, commentsHash, model, language } = origins;
  return shortHash([skeletonHash, commentsHash, model, language]);
}

export type Recorded = Partial<Origins> & { degraded: boolean };

/** Lists structure first, because it is the gravest reason. A key that was not recorded counts as changed. */
export function renewalReasons(
  recorded: Recorded | undefined,
  now: Omit<Origins, 'bodiesHash'>,
): RenewalReason[] {
  if (recorded === undefined) return ['new'];
  const differs = (key: keyof typeof now) => recorded[key] !== now[key];
  const reasons: [RenewalReason, boolean][] = [
    ['structure', differs('skeletonHash')],
    ['comments', differs('commentsHash')],
    ['tests', differs('testsHash')],
    // A document from the AST gives way to a model, never the other way round.
    ['model', differs('model') && now.model !== AST_ONLY],
    ['language', differs('language')],
    ['tool', differs('toolVersion')],
    ['degraded', recorded.degraded && now.model !== AST_ONLY],
  ];
  return reasons.filter(([, applies]) => applies).map(([reason]) => reason);
}

export const AST_ONLY = 'ast-only';
