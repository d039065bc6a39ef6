import { basename, isAbsolute, relative, sep } from 'node:path';
import type { FileNotes } from '../prepare/notes.ts';
import { deepSnippets } from '../prepare.ts';
import type { FileFacts, Links, SpecFacts } from '../reading/facts.ts';
import type { Project } from '../reading/project.ts';
import { rankFunctions } from '../reading/ranks.ts';
import { resolveDependencies } from '../reading/resolve-dependencies.ts';
import type { Target } from '../reading/target.ts';
import type { ReadingParts } from '../reading-parts.ts';
import type { Messages } from '../words/messages/zh.ts';
import type { DocumentLanguage } from '../words.ts';
import { readPackageName, readPackageWords } from './package-words.ts';
import { type PartContext, splitContext } from './split-context.ts';

export interface Composition {
  target: Target;
  files: FileFacts[];
  notes: FileNotes;
  project: Project;
  deep: boolean;
  /** The document's. */
  language: DocumentLanguage;
  /** Write from the tree alone: no context is built. */
  astOnly: boolean;
  /** Folder the document will be in. */
  outputDir: string;
  specOf?: (path: string) => string | undefined;
  /** Known facts about modules this one builds on. */
  background?: string;
}

/** Facts for the document and a context for its writer. */
export async function composeSpec(
  composition: Composition,
  parts: Pick<ReadingParts, 'tokenBudget'>,
): Promise<{ facts: SpecFacts; contexts: PartContext[] }> {
  const { target, files, notes, project, deep, background, language } = composition;
  const dependencies = resolveDependencies(files, project.resolver);
  const bodies = await project.bodiesOf(files);
  const calls = project.callsOf(files, bodies);
  const tests = project.testsFor(files);
  const facts: SpecFacts = {
    target: target.path,
    label: target.label,
    title: await titleOf(target),
    scope: target.scope,
    ...(target.without && { without: target.without }),
    files,
    notes,
    dependencies,
    tests,
    bodies,
    calls,
    ranks: rankFunctions(calls, tests),
    about: await aboutTarget(target),
    links: linksOf(composition),
  };
  if (composition.astOnly) return { facts, contexts: [] };
  const contexts = splitContext({
    target: target.label,
    files,
    notes,
    dependencies: () => dependencies,
    snippets: deep ? await deepSnippets(target, facts, parts) : [],
    budget: parts.tokenBudget,
    language,
    facts,
    ...(background !== undefined && { background }),
  });
  return { facts, contexts };
}

/** A whole project has a name in its manifest, else that of its folder. */
async function titleOf({ base, path, label }: Target): Promise<string> {
  return path === '.' ? ((await readPackageName(base)) ?? basename(base)) : label;
}

/** Undefined for a file: its own comments describe it. */
export async function aboutTarget({ base, path, scope }: Target): Promise<SpecFacts['about']> {
  return scope === 'file' ? undefined : readPackageWords(base, path);
}

function linksOf({ target, outputDir, specOf }: Composition): Links {
  const way = relative(outputDir, target.base).split(sep).join('/');
  // A document on another drive, or far away, has no way that others could follow.
  const isNear = !isAbsolute(way) && way.split('/').filter((step) => step !== '..').length === 0;
  return { toProject: isNear ? way || '.' : undefined, specOf: specOf ?? (() => undefined) };
}

/** Returns what a reader should know before trusting the result. */
export function warningsAbout(
  { files, notes }: SpecFacts,
  contexts: readonly PartContext[],
  texts: Messages['warnings'],
): string[] {
  const broken = files.filter(({ skeleton }) => skeleton.parseErrors !== undefined).length;
  const skipped = Object.keys(notes).length;
  const cut = new Set(contexts.flatMap(({ truncatedParts }) => truncatedParts));
  return [
    ...(broken === 0 ? [] : [texts.brokenFiles(broken)]),
    ...(skipped === 0 ? [] : [texts.unparsedFiles(skipped)]),
    ...(cut.size > 0 ? [texts.contextCut([...cut].join(', '))] : []),
    ...(contexts.length > 1 ? [texts.contextSplit(contexts.length)] : []),
  ];
}
