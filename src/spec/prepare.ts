import { DomainError } from '../runtime/domain-error.ts';
import { type ContextFiles, type ContextLayout, layOutContext, type SpecContext } from './context.ts';
import type { FileFacts } from './facts.ts';
import { createImportResolver } from './import-resolver.ts';
import { answerPieces } from './prepare/answer.ts';
import { inChunks } from './prepare/chunks.ts';
import { readStored, type StoredReading } from './prepare/read-stored.ts';
import { scanTarget } from './prepare/scan.ts';
import { storedDependencies } from './prepare/stored-dependencies.ts';
import { detailsOf, factsOf, outlineTextOf, type StoredFiles } from './prepare/stored-facts.ts';
import type { ReadingParts } from './reading-parts.ts';
import type { MergedSkeleton, Skeleton } from './skeleton.ts';
import type { SnippetRequest } from './snippets.ts';
import { resolveTarget, type Target } from './target.ts';

export interface PrepareRequest {
  targetPath: string;
  /** Function bodies too. */
  deep: boolean;
}

export interface PrepareResult {
  skeletons: Skeleton[];
  mergedSkeleton: MergedSkeleton;
  context: SpecContext;
  /** Every file of the target, read or not. */
  filePaths: string[];
  /** Why a file of `filePaths` has no skeleton. */
  notes: Record<string, string>;
}

/** What was prepared, and not yet put together: of a large tree it is larger than anybody would hold in memory. */
export interface Prepared {
  summary: PreparedSummary;
  /** A `PrepareResult` as JSON, in pieces of some hundred kilobytes; each is good until the next is asked for. */
  json(): Iterable<Buffer>;
  /** The context's prompt alone. */
  prompt(): Iterable<string>;
  /** Neither can be asked for afterwards. */
  close(): void;
}

export interface PreparedSummary extends Pick<SpecContext, 'tokenCount' | 'truncatedParts'> {
  files: number;
  unread: number;
  exports: number;
}

/** Source → skeletons → a context for a model, without a model. */
export async function prepare(request: PrepareRequest, parts: ReadingParts): Promise<PrepareResult> {
  return JSON.parse(await prepareJson(request, parts));
}

/** A `PrepareResult` as one JSON text. */
export async function prepareJson(request: PrepareRequest, parts: ReadingParts): Promise<string> {
  const prepared = await openPrepared(request, parts);
  try {
    const chunks: Buffer[] = [];
    for (const chunk of prepared.json()) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    prepared.close();
  }
}

export async function openPrepared(request: PrepareRequest, parts: ReadingParts): Promise<Prepared> {
  const target = await resolveTarget(request.targetPath, parts.cwd);
  const scanning = scanTarget(target, { withTests: true, ...(parts.signal && { signal: parts.signal }) });
  const reading = await readStored(
    target,
    scanning.then(({ paths }) => paths),
    parts,
  );
  const scan = await scanning;
  const filePaths = [...scan.paths, ...Object.keys(scan.notes)].sort();
  Object.assign(reading.notes, scan.notes);
  try {
    requireSkeletons(reading, { deep: request.deep, target });
    const context = await layOut({ target, filePaths, reading, deep: request.deep }, parts);
    return preparedFrom({ target, filePaths, reading }, context);
  } catch (error) {
    reading.close();
    throw error;
  }
}

interface Reading {
  target: Target;
  filePaths: string[];
  reading: StoredReading;
}

async function layOut(
  { target, filePaths, reading, deep }: Reading & { deep: boolean },
  { tokenBudget }: ReadingParts,
): Promise<ContextLayout> {
  const { files, notes } = reading;
  const facts = { base: target.base, files: factsInTurn(files), notes, budget: tokenBudget };
  return layOutContext({
    target: target.label,
    files: contextFiles(files),
    notes,
    dependencies: storedDependencies(files, filePaths, () => createImportResolver(filePaths)),
    snippets: deep ? await snippetsOf(facts) : [],
    budget: tokenBudget,
  });
}

function contextFiles(files: StoredFiles): ContextFiles {
  return {
    length: files.length,
    *[Symbol.iterator]() {
      for (const file of files) {
        const { loc, outlineTokens, hasCallouts, hasInternals } = file.brief;
        const details = () => detailsOf(file);
        yield { filePath: file.path, loc, outlineTokens, hasCallouts, hasInternals, details };
      }
    },
  };
}

function* factsInTurn(files: StoredFiles): Generator<FileFacts> {
  for (const file of files) yield factsOf(file);
}

function preparedFrom({ target, filePaths, reading }: Reading, context: ContextLayout): Prepared {
  const { files, notes, mergedTail, close } = reading;
  const { tokenCount, truncatedParts } = context.figures;
  return {
    summary: {
      files: filePaths.length,
      unread: Object.keys(notes).length,
      exports: countExports(files),
      tokenCount,
      truncatedParts,
    },
    json: () => inChunks(answerPieces({ label: target.label, files, notes, filePaths, mergedTail, context })),
    prompt: () => promptTexts(files, context),
    close,
  };
}

function countExports(files: StoredFiles): number {
  let count = 0;
  for (const { brief } of files) count += brief.exports;
  return count;
}

function* promptTexts(files: StoredFiles, { opening, rest }: ContextLayout): Generator<string> {
  yield opening.join('\n\n');
  for (const file of files) yield `\n\n${outlineTextOf(file)}`;
  for (const text of rest) yield `\n\n${text}`;
}

/** Without a single parsed file there is nothing to show, unless whole texts were asked for. */
export function requireSkeletons(
  reading: { files: { length: number }; notes: Readonly<Record<string, string>> },
  { deep, target }: { deep: boolean; target: Target },
): void {
  if (reading.files.length > 0) return;
  if (Object.keys(reading.notes).length === 0) {
    throw new DomainError('no_files', `目标路径下没有可分析的文件: ${target.label}`);
  }
  if (!deep) throw new DomainError('ast_failed', 'AST 解析失败，建议使用 --deep 模式');
}

/** Bodies of what was parsed, whole texts of what no parser knows. */
export function deepSnippets(
  target: Target,
  reading: { files: readonly FileFacts[]; notes: Readonly<Record<string, string>> },
  parts: Pick<ReadingParts, 'tokenBudget'>,
) {
  return snippetsOf({ base: target.base, ...reading, budget: parts.tokenBudget });
}

/** Loaded where it is asked for: with it come all the patterns of secrets. */
async function snippetsOf(request: SnippetRequest) {
  const { readSnippets } = await import('./snippets.ts');
  return readSnippets(request);
}
