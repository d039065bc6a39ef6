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
  /** Absolute path. */
  outputDir: string;
  /** File name of the document. */
  name: string;
  /** Whether acceptance criteria were requested. A document that already has them gets them again. */
  criteria?: boolean;
}

export interface SavingParts {
  clock: Clock;
  version: string;
  /** Whether the baseline is written into the document instead of into a file next to it. */
  embedBaseline: boolean;
}

/** Replaces the previous document atomically and increments its version. */
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
        ...((criteria || readFrontMatter(previous ?? '').criteria === 'true') && { criteria: true as const }),
        version: nextVersion(previous),
        ...(side && { baseline: side.path, baselineHash: side.hash }),
      },
      embeddedBaseline: parts.embedBaseline ? renderBaseline(baseline) : '',
    },
    previous,
  );
  // The baseline is written before the document. If the process dies in between, the hash in the old document
  // shows that the baseline does not belong to it.
  if (side !== undefined) await saveText(outputDir, side.path, side.text);
  await saveText(outputDir, name, text);
  return { specPath, warnings };
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

/** Returns the text of a model to store it. Undefined for incomplete prose, and for prose from the AST, which costs nothing. */
function storedWriting({ facts, writing, model, language }: FinishedSpec): StoredWriting | undefined {
  if (model === AST_ONLY || writing.degraded) return undefined;
  return { key: writingKey({ ...sourceHashes(facts), model, language }), writing };
}

/** Writes a file atomically. Creates the folder if it is missing. */
export async function saveText(directory: string, name: string, text: string): Promise<void> {
  try {
    makeFolder(directory);
    await writeFileInside(await openRoot(directory), name, text);
  } catch (cause) {
    throw unwritable(directory, cause);
  }
}

/**
 * Throws if no file can be created in the folder, or in the nearest existing one above it. Creates nothing.
 * Called before a model is paid for.
 */
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

/** File names that a batch uses for other documents. */
const RESERVED: ReadonlySet<string> = new Set(['_index', '_root']);
const MAX_LENGTH = 180;

/**
 * Returns the file name of a target's spec: `src+auth.spec.md` for `src/auth`, `a%2Bb.spec.md` for `a+b`. `/`
 * becomes `+`; characters that are not allowed in file names are escaped as in URLs. Different targets have
 * different names.
 */
export function specFileName(label: string): string {
  return `${nameOf(label)}.spec.md`;
}

/** Returns the file name of the spec of a folder whose sub-folders have their own: `src+.spec.md` for `src`. */
export function ownFilesSpecName(label: string): string {
  return `${nameOf(label)}+.spec.md`;
}

function nameOf(label: string): string {
  if (label === '.') return '_root';
  const name = label
    .split('/')
    .map((segment) =>
      segment.replace(/[%+:*?"<>|\\\p{Cc}]/gu, (char) => encodeURIComponent(char).replace(/\*/g, '%2A')),
    )
    .join('+');
  const safe = RESERVED.has(name) ? name.replace('_', '%5F') : name;
  if (Buffer.byteLength(safe) <= MAX_LENGTH) return safe;
  const digest = createHash('sha256').update(label).digest('hex').slice(0, 16);
  return `${cut(safe)}%${digest}`;
}

/** Shortens a name. The end is kept, because names differ more in their ends. */
function cut(name: string): string {
  const chars = [...name];
  while (Buffer.byteLength(chars.join('')) > MAX_LENGTH - 20) chars.shift();
  return chars.join('');
}
