import { DomainError } from '../runtime/domain-error.ts';
import { buildContext, type SpecContext } from './context.ts';
import type { FileFacts } from './facts.ts';
import { createImportResolver } from './import-resolver.ts';
import { scanTarget } from './prepare/scan.ts';
import { type FactsReading, readFacts } from './read-facts.ts';
import type { ReadingParts } from './reading-parts.ts';
import { resolveDependencies } from './resolve-dependencies.ts';
import { type MergedSkeleton, mergeSkeletons, type Skeleton } from './skeleton.ts';
import { readSnippets } from './snippets.ts';
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

/** Source → skeletons → a context for a model, without a model. */
export async function prepare(request: PrepareRequest, parts: ReadingParts): Promise<PrepareResult> {
  const target = await resolveTarget(request.targetPath, parts.cwd);
  const filePaths = await scanTarget(target, {
    withTests: true,
    ...(parts.signal && { signal: parts.signal }),
  });
  const reading = await readFacts(target, filePaths, parts);
  requireSkeletons(reading, { deep: request.deep, target });
  const { files, notes } = reading;
  const skeletons = files.map(({ skeleton }) => skeleton);
  const context = buildContext({
    target: target.label,
    files,
    notes,
    dependencies: resolveDependencies(files, {
      within: filePaths,
      resolver: createImportResolver(filePaths),
    }),
    snippets: request.deep ? await deepSnippets(target, { files, notes }, parts) : [],
    budget: parts.tokenBudget,
  });
  return { skeletons, mergedSkeleton: mergeSkeletons(target.label, skeletons), context, filePaths, notes };
}

/** Without a single parsed file there is nothing to show, unless whole texts were asked for. */
export function requireSkeletons(
  reading: FactsReading,
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
  return readSnippets({ base: target.base, ...reading, budget: parts.tokenBudget });
}
