import { basename, isAbsolute, posix, relative, sep } from 'node:path';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import type { Messages } from '../locales/messages/zh.ts';
import type { DocumentLanguage } from '../locales.ts';
import type { ReadingParts } from '../parts.ts';
import { deepSnippets } from '../prepare.ts';
import {
  type FileFacts,
  type FileNotes,
  type Links,
  rankFunctions,
  type SpecFacts,
} from '../reading/facts.ts';
import { resolveDependencies } from '../reading/import-resolver.ts';
import { importableExports } from '../reading/importable.ts';
import type { Project } from '../reading/project.ts';
import { bodiesOf } from '../reading/read-bodies.ts';
import type { Target } from '../reading/target.ts';
import { readPackageDescription, readPackageName } from './authors-text.ts';
import { buildContext, type ContextRequest, outlineTextOf, type SpecContext, sizeOf } from './context.ts';
import { enclosingFolder } from './document/markdown.ts';

export interface Composition {
  target: Target;
  files: FileFacts[];
  notes: FileNotes;
  project: Project;
  deep: boolean;
  language: DocumentLanguage;
  /** Whether to write from the AST alone. No context for a model is built then. */
  astOnly: boolean;
  /** Folder that will contain the document. */
  outputDir: string;
  specOf?: (path: string) => string | undefined;
  /** Purposes of the modules that the module imports. */
  background?: string;
}

/** Returns the facts for a document and the contexts for its writer. */
export async function composeSpec(
  composition: Composition,
  parts: Pick<ReadingParts, 'tokenBudget'>,
): Promise<{ facts: SpecFacts; contexts: PartContext[] }> {
  const { target, files, notes, project, deep, background, language } = composition;
  const dependencies = resolveDependencies(files, project.resolver);
  const bodies = bodiesOf(files);
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
    importable: importableExports(target, files, project.resolver),
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

/** Returns the title of a document. For a whole project it is the name in its manifest, else the name of its folder. */
async function titleOf({ base, path, label }: Target): Promise<string> {
  // The folder `src` of a package has no name of its own.
  if (path !== '.' && posix.basename(path) !== 'src') return label;
  const name = await readPackageName(posix.join(base, posix.dirname(path)));
  return name ?? (path === '.' ? basename(base) : label);
}

/** Returns the package description for a target. Undefined for a single file, which its own comments describe. */
export async function aboutTarget({ base, path, scope }: Target): Promise<SpecFacts['about']> {
  return scope === 'file' ? undefined : readPackageDescription(base, path);
}

function linksOf({ target, outputDir, specOf }: Composition): Links {
  const way = relative(outputDir, target.base).split(sep).join('/');
  // Links are only written to a project that contains the document or is in a folder above it. Others would
  // not work for other people.
  const isNear = !isAbsolute(way) && way.split('/').filter((step) => step !== '..').length === 0;
  return { toProject: isNear ? way || '.' : undefined, specOf: specOf ?? (() => undefined) };
}

/** Returns warnings about files and contexts that are incomplete. */
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

/** Context of one model call, about a module or a part of it. */
export interface PartContext extends SpecContext {
  label: string;
}

/** Returns one context if the module fits the token budget. Otherwise divides its files, folder by folder, into groups that fit. */
function splitContext(request: ContextRequest): PartContext[] {
  const whole = buildContext(request);
  if (whole.tokenCount <= request.budget) return [{ label: request.target, ...whole }];
  const groups = groupsWithin(request.files, roomFor(request));
  return groups.map((files, at) => {
    const label = `${request.target} [${at + 1}/${groups.length}] ${enclosingFolder(files.map(({ skeleton }) => skeleton.filePath))}`;
    const { notes, background, ...rest } = request;
    const first = at === 0 ? { notes, ...(background !== undefined && { background }) } : { notes: {} };
    return {
      label,
      ...buildContext({ ...rest, ...first, target: label, files, ...narrowed(request, files) }),
    };
  });
}

/** Returns the number of tokens for outlines: the budget without titles, notes and background. */
function roomFor(request: ContextRequest): number {
  const { facts: _, ...bare } = request;
  const { instructions, skeleton } = buildContext({ ...bare, files: [], snippets: [] }).breakdown;
  return Math.max(200, request.budget - instructions - skeleton - 60);
}

function narrowed({ dependencies, snippets, facts }: ContextRequest, files: readonly FileFacts[]) {
  const paths = new Set(files.map(({ skeleton }) => skeleton.filePath));
  return {
    dependencies: () => {
      const { internal, project, external } = dependencies();
      return {
        internal: internal.filter(({ from }) => paths.has(from)),
        project: project.filter(({ from }) => paths.has(from)),
        external: external.filter(({ usedBy }) => usedBy.some((path) => paths.has(path))),
      };
    },
    snippets: snippets.filter(({ filePath }) => paths.has(filePath)),
    ...(facts && { facts: factsOfPart(facts, files, paths) }),
  };
}

function factsOfPart(facts: SpecFacts, files: readonly FileFacts[], paths: ReadonlySet<string>): SpecFacts {
  return {
    ...facts,
    files: [...files],
    tests: facts.tests.filter(({ filePath }) => paths.has(filePath)),
    bodies: new Map([...facts.bodies].filter(([path]) => paths.has(path))),
  };
}

/**
 * Groups files in path order, so that files of one folder stay together. A new folder begins a new group if
 * the current group is at least half full.
 */
function groupsWithin(files: readonly FileFacts[], room: number): FileFacts[][] {
  const pieces = files
    .toSorted((one, other) => (one.skeleton.filePath < other.skeleton.filePath ? -1 : 1))
    .flatMap((file) => piecesOf(file, room));
  const groups: FileFacts[][] = [];
  let left = 0;
  let folder = '';
  for (const piece of pieces) {
    const own = posix.dirname(piece.skeleton.filePath);
    const isNewFolder = own !== folder && left < room / 2;
    const tokens = sizeOf(outlineTextOf(piece));
    if (tokens > left || isNewFolder) {
      groups.push([]);
      left = room;
    }
    groups.at(-1)?.push(piece);
    left -= tokens;
    folder = own;
  }
  return groups;
}

/** Splits the outline of a file that alone exceeds the budget. No line is lost. */
function piecesOf(file: FileFacts, room: number): FileFacts[] {
  const text = outlineTextOf(file);
  if (sizeOf(text) <= room) return [file];
  const pieces: FileFacts[] = [];
  let lines: string[] = [];
  let tokens = 0;
  const close = () => {
    const outlineText = lines.join('\n');
    const rest = pieces.length === 0 ? {} : { callouts: [], internals: [] };
    if (lines.length > 0) pieces.push({ ...file, ...rest, outlineText });
    lines = [];
    tokens = 0;
  };
  for (const line of text.split('\n').flatMap((each) => shortLines(each, room))) {
    const size = estimateTokens(line) + 2;
    if (tokens + size > room) close();
    lines.push(line);
    tokens += size;
  }
  close();
  return pieces;
}

/** Splits a line into pieces that fit even if each character is a token. */
function shortLines(line: string, room: number): string[] {
  const most = Math.max(50, room - 20);
  const count = Math.max(1, Math.ceil(line.length / most));
  return Array.from({ length: count }, (_, at) => line.slice(at * most, (at + 1) * most));
}
