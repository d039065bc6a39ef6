import { createHash } from 'node:crypto';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DomainError } from '@secateur/base/runtime/domain-error.ts';
import type { Clock } from '@secateur/base/runtime/time.ts';
import { makeFolder } from '@secateur/base/runtime/writing-files.ts';
import { writeFileInside } from '@secateur/serving/workspace/files-in-root.ts';
import { openRoot } from '@secateur/serving/workspace/root.ts';
import { type DocumentLanguage, specError, stringsByLanguage } from '../locales.ts';
import type { Writing } from '../parts.ts';
import type { SpecFacts } from '../reading/facts.ts';
import { bodiesHash } from '../reading/read-bodies.ts';
import { baselineFile, baselineOf, renderBaseline, type StoredWriting } from './document/baseline.ts';
import { nextVersion, readFrontMatter } from './document/document-text.ts';
import { renderDocument } from './document.ts';
import { AST_ONLY, sourceHashes, writingKey } from './freshness.ts';

export interface FinishedSpec {
  facts: SpecFacts;
  writing: Writing;
  model: string;
  language: DocumentLanguage;
  /** Absolute. */
  outputDir: string;
  /** The file's. */
  name: string;
  /** Acceptance criteria were asked for; a document that has them keeps them. */
  criteria?: boolean;
}

export interface SavingParts {
  clock: Clock;
  version: string;
  /** Inside the document instead of beside it. */
  embedBaseline: boolean;
}

/** Writes the document over the one before it, whole or not at all; the version goes up by one. */
export async function saveSpec(
  finished: FinishedSpec,
  parts: SavingParts,
): Promise<{ specPath: string; warnings: string[] }> {
  const { facts, writing, language, outputDir, name, criteria = false } = finished;
  const specPath = join(outputDir, name);
  const previous = await readFile(specPath, 'utf8').catch(() => undefined);
  const { claims = [] } = writing;
  const baseline = { ...baselineOf(facts), ...(claims.length > 0 && { claims }) };
  const side = parts.embedBaseline ? undefined : baselineFile(name, baseline, storedWriting(finished));
  const { text, warnings } = renderDocument(
    {
      facts,
      prose: writing.prose,
      strings: stringsByLanguage[language],
      frontMatter: {
        ...matterOf(finished, parts),
        ...((criteria || hasCriteria(previous)) && { criteria: true as const }),
        version: nextVersion(previous),
        ...(side && { baseline: side.path, baselineHash: side.hash }),
      },
      embeddedBaseline: parts.embedBaseline ? renderBaseline(baseline) : '',
    },
    previous,
  );
  // The document names its baseline: a run that dies between the two leaves a document whose baseline does not fit.
  if (side !== undefined) await saveText(outputDir, side.path, side.text);
  await saveText(outputDir, name, text);
  return { specPath, warnings };
}

function hasCriteria(previous: string | undefined): boolean {
  return readFrontMatter(previous ?? '').criteria === 'true';
}

function matterOf({ facts, writing, model, language }: FinishedSpec, { clock, version }: SavingParts) {
  return {
    type: 'module-spec' as const,
    sourceTarget: facts.label,
    relatedFiles: facts.files.map(({ skeleton }) => skeleton.filePath),
    lastUpdated: new Date(clock.now()).toISOString(),
    confidence: writing.confidence,
    ...sourceHashes(facts),
    bodiesHash: bodiesHash(facts.bodies),
    model,
    language,
    toolVersion: version,
    ...(writing.degraded && { degraded: true as const }),
    tokenUsage: writing.tokenUsage,
  };
}

/** AST prose is not stored: it costs nothing. */
function storedWriting({ facts, writing, model, language }: FinishedSpec): StoredWriting | undefined {
  if (model === AST_ONLY || writing.degraded) return undefined;
  return { key: writingKey({ ...sourceHashes(facts), model, language }), writing };
}

/** Atomically; the folder is made when it is missing. */
export async function saveText(directory: string, name: string, text: string): Promise<void> {
  try {
    makeFolder(directory);
    await writeFileInside(await openRoot(directory), name, text);
  } catch (cause) {
    throw unwritable(directory, cause);
  }
}

/** Asked before a model is paid: whether the folder, or the one it would be made in, takes files. Makes nothing. */
export async function requireWritable(directory: string): Promise<void> {
  const found = await stat(directory).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT' || dirname(directory) === directory) throw unwritable(directory, cause);
  });
  if (found === undefined) return requireWritable(dirname(directory));
  if (!found.isDirectory()) throw unwritable(directory, undefined);
  await access(directory, constants.W_OK | constants.X_OK).catch((cause) => {
    throw unwritable(directory, cause);
  });
}

function unwritable(directory: string, cause: unknown): DomainError {
  return specError('output_unwritable', { path: directory }, cause);
}

/** Names the batch keeps for itself. */
const RESERVED: ReadonlySet<string> = new Set(['_index', '_root']);
const MAX_LENGTH = 180;

/**
 * The file name of a target's spec. `/` becomes `+`, and what a file name cannot hold is escaped as in URLs, so that
 * two targets never share a name: `src/auth` → `src+auth.spec.md`, `a+b` → `a%2Bb.spec.md`.
 */
export function specFileName(label: string): string {
  return `${nameOf(label)}.spec.md`;
}

/** Names the spec of a folder's own files if its sub-folders are modules: `src` → `src+.spec.md`. */
export function ownFilesSpecName(label: string): string {
  return `${nameOf(label)}+.spec.md`;
}

function nameOf(label: string): string {
  if (label === '.') return '_root';
  const name = label.split('/').map(escapeSegment).join('+');
  const safe = RESERVED.has(name) ? name.replace('_', '%5F') : name;
  if (Buffer.byteLength(safe) <= MAX_LENGTH) return safe;
  const digest = createHash('sha256').update(label).digest('hex').slice(0, 16);
  return `${cut(safe)}%${digest}`;
}

function escapeSegment(segment: string): string {
  return segment.replace(/[%+:*?"<>|\\\p{Cc}]/gu, (char) => encodeURIComponent(char).replace(/\*/g, '%2A'));
}

/** Keeps the end, which differs more than the beginning. A cut name holds a `%` no escape can follow. */
function cut(name: string): string {
  const chars = [...name];
  while (Buffer.byteLength(chars.join('')) > MAX_LENGTH - 20) chars.shift();
  return chars.join('');
}
