import { buildContext, type SpecContext } from './context.ts';
import type { FileFacts, SpecFacts } from './facts.ts';
import { deepSnippets } from './prepare.ts';
import type { Project } from './project.ts';
import type { ReadingParts } from './reading-parts.ts';
import { importerOf, resolveDependencies } from './resolve-dependencies.ts';
import type { Target } from './target.ts';

export interface Composition {
  target: Target;
  files: FileFacts[];
  notes: Record<string, string>;
  project: Project;
  deep: boolean;
  /** What is already known about modules this one builds on. */
  background?: string;
}

/** Facts for the document and a context for its writer. */
export async function composeSpec(
  { target, files, notes, project, deep, background }: Composition,
  parts: Pick<ReadingParts, 'tokenBudget'>,
): Promise<{ facts: SpecFacts; context: SpecContext }> {
  const within = files.map(({ skeleton }) => skeleton.filePath);
  const dependencies = resolveDependencies(files.map(importerOf), { within, resolver: project.resolver });
  const facts: SpecFacts = {
    target: target.path,
    label: target.label,
    scope: target.scope,
    files,
    notes,
    dependencies,
    tests: project.testsFor(files),
  };
  const context = buildContext({
    target: target.label,
    files,
    notes,
    dependencies,
    snippets: deep ? await deepSnippets(target, { files, notes }, parts) : [],
    budget: parts.tokenBudget,
    ...(background !== undefined && { background }),
  });
  return { facts, context };
}

/** What a reader of the result should know before trusting it. */
export function warningsAbout({ files, notes }: SpecFacts, context: SpecContext, budget: number): string[] {
  const broken = files.filter(({ skeleton }) => skeleton.parseErrors !== undefined).length;
  const skipped = Object.keys(notes).length;
  return [
    ...(broken === 0 ? [] : [`${broken} 个文件有语法错误，只提取了可识别的部分`]),
    ...(skipped === 0 ? [] : [`${skipped} 个文件未解析，见文件清单`]),
    ...(context.truncated ? [`上下文超出预算，已舍弃: ${context.truncatedParts.join(', ')}`] : []),
    ...(context.tokenCount > budget ? [`骨架本身约 ${context.tokenCount} tokens，超出预算 ${budget}`] : []),
  ];
}
