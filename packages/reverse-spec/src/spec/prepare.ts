import { hash } from 'node:crypto';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import { messagesIn, specError } from './locales.ts';
import type { ReadingParts } from './parts.ts';
import { scanTarget } from './prepare/scope.ts';
import { buildCallGraph, surroundingsOf } from './reading/call-graph.ts';
import { type Dependencies, hasOnlySyntaxErrors, rankFunctions, type SpecFacts } from './reading/facts.ts';
import { createImportResolver, type ImportResolver, resolveDependencies } from './reading/import-resolver.ts';
import { bodiesOf } from './reading/read-bodies.ts';
import { type FactsReading, readFacts } from './reading/read-facts.ts';
import { type MergedSkeleton, mergeSkeletons, type Skeleton } from './reading/skeleton.ts';
import { resolveTarget, type Target } from './reading/target.ts';
import { readPackageDescription } from './writing/authors-text.ts';
import { buildContext, outlineTextOf, type SpecContext, sizeOf } from './writing/context.ts';

export interface PrepareRequest {
  targetPath: string;
  /** Whether to include function bodies. */
  deep: boolean;
}

export interface PrepareResult {
  skeletons: Skeleton[];
  mergedSkeleton: MergedSkeleton;
  context: SpecContext;
  /** All files of the target, including those that were not read. */
  filePaths: string[];
  /** Reason why a file of `filePaths` has no skeleton, by path. */
  notes: Record<string, string>;
}

/** Reads the sources of a target, and builds skeletons and the context for a model. Calls no model. */
export async function prepare(request: PrepareRequest, parts: ReadingParts): Promise<PrepareResult> {
  const target = await resolveTarget(request.targetPath, parts.cwd);
  const scan = await scanTarget(target, { ...parts, modulesOnly: false });
  const reading = await readForPrompt(target, scan.paths, { ...parts, withBodies: request.deep });
  const { files } = reading;
  const notes = { ...reading.notes, ...scan.notes };
  requireSkeletons({ files, notes }, { deep: request.deep, target });
  const say = messagesIn(parts.messageLanguage).note;
  const filePaths = [...scan.paths, ...Object.keys(scan.notes)].sort();
  const resolver = createImportResolver(target.base, filePaths);
  const dependencies = () => resolveDependencies(files, resolver, filePaths);
  const facts = await factsOf(target, { files, notes, dependencies }, resolver);
  const context = buildContext({
    target: target.label,
    files,
    notes,
    dependencies: () => facts?.dependencies ?? dependencies(),
    snippets: request.deep
      ? await deepSnippets(
          target,
          facts ?? { files, notes, bodies: new Map(), ranks: { of: () => 0 } },
          parts,
        )
      : [],
    budget: parts.tokenBudget,
    language: parts.messageLanguage ?? 'zh',
    ...(facts && { facts }),
  });
  return {
    skeletons: files.map(({ skeleton }) => skeleton),
    mergedSkeleton: mergeSkeletons(target.label, files),
    context,
    filePaths,
    notes: Object.fromEntries(Object.entries(notes).map(([path, note]) => [path, say(note)])),
  };
}

/** Reads the files. Function bodies are included if requested, or if the skeletons leave budget for them. */
async function readForPrompt(
  target: Target,
  paths: readonly string[],
  parts: ReadingParts,
): Promise<FactsReading> {
  const reading = await readFacts(target, paths, parts);
  const tokens = reading.files.reduce((sum, file) => sum + sizeOf(outlineTextOf(file)), 0);
  if (parts.withBodies === true || tokens >= parts.tokenBudget) return reading;
  const { progress: _, ...silent } = parts;
  return readFacts(target, paths, { ...silent, withBodies: true });
}

/** Returns the facts beyond skeletons; undefined if function bodies were not read. Only `generate` needs tests. */
async function factsOf(
  { base, path, label, scope }: Target,
  { files, notes, dependencies }: FactsReading & { dependencies: () => Dependencies },
  resolver: ImportResolver,
): Promise<SpecFacts | undefined> {
  const bodies = bodiesOf(files);
  if (bodies.size === 0) return undefined;
  const calls = buildCallGraph({ files, bodies, ...surroundingsOf(files, resolver) });
  return {
    target: path,
    label,
    title: label,
    scope,
    files,
    notes,
    dependencies: dependencies(),
    tests: [],
    bodies,
    calls,
    ranks: rankFunctions(calls, []),
    about: scope === 'file' ? undefined : await readPackageDescription(base, path),
    links: { toProject: undefined, specOf: () => undefined },
  };
}

/** Yields the result as JSON in pieces. In one piece, a large tree could exceed the maximum string length. */
export function* jsonOf({ skeletons, mergedSkeleton, ...rest }: PrepareResult): Generator<string> {
  const { exports, ...merged } = mergedSkeleton;
  yield '{"skeletons":[';
  yield* listed(skeletons);
  yield '],"mergedSkeleton":{"exports":[';
  yield* listed(exports);
  yield `],${JSON.stringify(merged).slice(1)},${JSON.stringify(rest).slice(1)}`;
}

const ITEMS_A_PIECE = 100;

function* listed(items: readonly unknown[]): Generator<string> {
  for (let at = 0; at < items.length; at += ITEMS_A_PIECE) {
    const list = JSON.stringify(items.slice(at, at + ITEMS_A_PIECE)).slice(1, -1);
    yield at === 0 ? list : `,${list}`;
  }
}

/** Throws if no file has a usable skeleton. With `deep`, throws only if the target contains no files or is a file that is too large. */
export function requireSkeletons(
  { files, notes }: FactsReading,
  { deep, target }: { deep: boolean; target: Target },
): void {
  const broken = files.filter(hasOnlySyntaxErrors).length;
  if (files.length > broken) return;
  const codes = Object.values(notes).map(({ code }) => code);
  if (broken + codes.length === 0) throw specError('no_files', { path: target.label });
  const refusal = target.scope === 'file' ? notes[target.path] : undefined;
  if (refusal?.code === 'too-large') {
    const { bytes, maxBytes } = refusal;
    throw specError('file_too_large', { bytes, maxBytes });
  }
  if (deep) return;
  const unsupported = codes.filter((code) => code === 'unknown-language').length;
  throw specError('ast_failed', { broken, unsupported, skipped: codes.length - unsupported });
}

/** Reads snippets of function bodies. Imports their module on demand, because it loads all patterns for secrets. */
export async function deepSnippets(
  target: Target,
  { files, notes, bodies, ranks }: Pick<SpecFacts, 'files' | 'notes' | 'bodies' | 'ranks'>,
  parts: Pick<ReadingParts, 'tokenBudget'>,
) {
  const { readSnippets } = await import('./reading/snippets.ts');
  return readSnippets({ base: target.base, files, notes, bodies, ranks, budget: parts.tokenBudget });
}

export interface PageRequest extends PrepareRequest {
  /** Maximum number of tokens per page. Lines are never split. */
  maxTokens: number;
  /** `nextCursor` of the previous page. Default: the first page. */
  cursor?: string;
}

/**
 * Returns one page of the prompt that `prepare` builds, with figures about the page. Each call reads the
 * target again, with the cache for unchanged files.
 */
export async function preparePage(request: PageRequest, parts: ReadingParts) {
  const { context, mergedSkeleton, filePaths, notes } = await prepare(request, parts);
  const lines = context.prompt.split('\n');
  const edition = hash('sha256', context.prompt).slice(0, EDITION_LETTERS);
  const start = request.cursor === undefined ? 0 : startOf(request.cursor, edition);
  const { end, tokens } = endOf(lines, start, request.maxTokens);
  return {
    text: lines.slice(start, end).join('\n'),
    about: {
      target: mergedSkeleton.filePath,
      files: filePaths.length,
      // Files that were listed but not read.
      unread: Object.keys(notes).length,
      exports: mergedSkeleton.exports.length,
      tokenCount: context.tokenCount,
      truncatedParts: context.truncatedParts,
      pageTokens: tokens,
      // Line numbers are 1-based and inclusive.
      lines: { from: start + 1, to: end, of: lines.length },
      ...(end < lines.length && { nextCursor: `${end}.${edition}` }),
    },
  };
}

const EDITION_LETTERS = 12;

function startOf(cursor: string, edition: string): number {
  const [, line, of] = /^(\d{1,9})\.([0-9a-f]{12})$/.exec(cursor) ?? [];
  if (line === undefined) throw specError('invalid_cursor', { cursor: cursor.slice(0, 40) });
  if (of !== edition) throw specError('cursor_outdated', {});
  return Number(line);
}

/** Returns the last line of a page. A page has at least one line, even if the line exceeds the limit. */
function endOf(lines: readonly string[], start: number, maxTokens: number) {
  let [end, tokens] = [start, 0];
  while (end < lines.length) {
    const next = estimateTokens(lines[end] ?? '') + 1;
    if (end > start && tokens + next > maxTokens) break;
    [end, tokens] = [end + 1, tokens + next];
  }
  return { end, tokens };
}
