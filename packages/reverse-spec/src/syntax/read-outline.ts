import {
  detectLanguage,
  type KnownLanguage,
  type LanguageId,
  languageById,
} from '@secateur/base/languages/languages.ts';
import { indexLines } from '@secateur/base/text/lines.ts';
import type { Node as TreeNode } from 'web-tree-sitter';
import { createCompilerTreeCopier } from './body-facts/compiler-tree.ts';
import { copyTree, type Node } from './body-facts/node.ts';
import { createTreeFactReader, type TreeFactReader } from './body-facts/walk.ts';
import { readers, type TreeReader, type TypeScriptReader } from './languages/readers.ts';
import type { Outline, ParseProblem } from './outline.ts';
import { outlineFromPatterns, supplement } from './structure/supplement.ts';
import { parseHiding, TreeParsers } from './tree/parsers.ts';

export interface OutlineRequest {
  /** Language of the source. Default: detected from `path` and the text. */
  language?: LanguageId;
  path?: string;
  /**
   * Set to read the file by line patterns only, because a parser took too long (`late`) or too many steps
   * before.
   */
  byPatterns?: 'late' | 'too-much';
  /** Whether to read facts of function bodies too. Default: false. */
  withBodies?: boolean;
}

export interface Outliner {
  /** Reads an outline. For invalid code it contains `problems` and the declarations that could be read. */
  outline(source: string, request?: OutlineRequest): Promise<Outline>;
  /**
   * Whether a file crashed WebAssembly, which has one instance per thread. From then on, files that need
   * tree-sitter are read by line patterns.
   */
  isBroken(): boolean;
  /** Frees the memory of the parsers. The outliner must not be used afterwards. */
  close(): Promise<void>;
}

/** Creates an outliner. It loads each parser and grammar when a file first needs it, and keeps it. */
export function createOutliner(): Outliner {
  const parsers = new TreeParsers();
  const parse = parseWith(parsers);
  let isBroken = false;
  const fallBack = (error: unknown) => {
    if (isStackOverflow(error)) return 'too-deep';
    // WebAssembly throws a `RuntimeError` when it crashes.
    if (!(error instanceof Error && error.name === 'RuntimeError')) throw error;
    isBroken = true;
    return 'too-much';
  };
  return {
    outline: async (source, request = {}) => {
      const language = languageOf(source, request);
      if (language === undefined) return unknownLanguage();
      const cannotParse = isBroken && 'grammar' in readers[language.id];
      if (cannotParse || request.byPatterns !== undefined)
        return outlineFromPatterns(source, language, request.byPatterns ?? 'too-much');
      try {
        return await parse({ source, request, language });
      } catch (error) {
        return outlineFromPatterns(source, language, fallBack(error));
      }
    },
    isBroken: () => isBroken,
    close: () => parsers.close(),
  };
}

function parseWith(parsers: TreeParsers): (job: Job) => Promise<Outline> {
  const readBodies = createTreeFactReader();
  let compiler: ReturnType<typeof compilerTools> | undefined;
  return async (job) => {
    const reader = readers[job.language.id];
    if ('grammar' in reader) return readTree(job, reader, { parsers, readBodies });
    compiler ??= compilerTools();
    return readScript(job, reader, { readBodies, ...(await compiler) });
  };
}

/** Loads the TypeScript compiler. Called when a file first needs it. */
async function compilerTools() {
  const { readTypeScript } = await import('./languages/typescript/read.ts');
  const { compiler } = await import('./languages/typescript/source.ts');
  return { readTypeScript, copy: createCompilerTreeCopier(compiler) };
}

type CompilerTools = Awaited<ReturnType<typeof compilerTools>> & { readBodies: TreeFactReader };

/** Whether an error is a stack overflow. Recursive parsers cause one on thousands of nested brackets. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

interface Job {
  source: string;
  request: OutlineRequest;
  language: KnownLanguage;
}

function languageOf(source: string, { language, path }: OutlineRequest): KnownLanguage | undefined {
  const id = language ?? detectLanguage(path === undefined ? { source } : { path, source });
  return id === undefined ? undefined : languageById(id);
}

function unknownLanguage(): Outline {
  const problems = [{ line: 1, message: 'no parser for this language' }];
  return { language: 'unknown', parser: 'none', imports: [], declarations: [], problems };
}

async function readTree(
  job: Job,
  reader: TreeReader,
  { parsers, readBodies }: { parsers: TreeParsers; readBodies: TreeFactReader },
): Promise<Outline> {
  const code = await reader.load();
  const { grammar, fragmentGrammar } = reader;
  const isFragment = fragmentGrammar?.opens.test(job.source) === false;
  const parser = await parsers.parserFor(isFragment ? fragmentGrammar.grammar : grammar);
  const text = code.mask?.(job.source) ?? job.source;
  const parsed = parseHiding(parser, text, code.hides);
  if (parsed === undefined) return outlineFromPatterns(job.source, job.language, 'too-much');
  const { tree, masked, lost } = parsed;
  try {
    const root = tree.rootNode;
    const source = { code, text: job.source, masked, root, path: job.request.path };
    const { unread = [], ...reading } = code.read(source);
    const outline: Outline = {
      language: job.language.id,
      parser: 'tree-sitter',
      ...reading,
      problems: [...readProblems(root, job.source), ...unread, ...lostProblems(lost, job.source)].sort(
        (one, other) => one.line - other.line,
      ),
    };
    return withBodies(outline, job, {
      readBodies,
      copy: () => copyTree(root, { text: masked, language: job.language.id }),
    });
  } finally {
    tree.delete();
  }
}

/** Adds facts of function bodies, if requested, and declarations found by line patterns. */
function withBodies(
  outline: Outline,
  { source, language, request }: Job,
  { readBodies, copy }: { readBodies: TreeFactReader; copy(): Node },
): Outline {
  const full = supplement(outline, source, language);
  if (request.withBodies !== true) return full;
  try {
    return { bodies: readBodies({ root: copy(), text: source, language: language.id }), ...full };
  } catch (error) {
    // The code is nested too deeply for the stack: the outline is returned without facts.
    if (isStackOverflow(error)) return full;
    throw error;
  }
}

/** Returns one problem per branch of `#if` that was not parsed. */
function lostProblems(lost: readonly number[], text: string): ParseProblem[] {
  const line = (at: number) => text.slice(0, at).split('\n').length;
  return lost.map((at) => ({ line: line(at), message: 'branch read by line patterns' }));
}

function readScript(job: Job, { dialect }: TypeScriptReader, tools: CompilerTools): Outline {
  const { source, language, request } = job;
  const isDeclarationFile = /\.d\.([^.]+\.)?[cm]?ts$/.test(request.path ?? '');
  const { outline, file, lines } = tools.readTypeScript(source, isDeclarationFile ? 'd.ts' : dialect);
  return withBodies({ language: language.id, parser: 'typescript', ...outline }, job, {
    readBodies: tools.readBodies,
    copy: () => tools.copy(file, lines),
  });
}

const MAX_PROBLEMS = 50;

/** Returns problems for text that the parser skipped and for tokens that it inserted, outermost first. */
function readProblems(root: TreeNode, text: string): ParseProblem[] {
  if (!root.hasError) return [];
  const problems: ParseProblem[] = [];
  collectProblems(root, problems);
  // An error behind the end of the text is reported on the last line.
  const last = indexLines(text).count;
  return problems.map(({ line, message }) => ({ line: Math.min(line, last), message }));
}

function collectProblems(node: TreeNode, problems: ParseProblem[]): void {
  if (problems.length >= MAX_PROBLEMS) return;
  if (node.isMissing) return void problems.push({ line: lineOf(node), message: `missing ${node.type}` });
  if (node.isError) return void problems.push({ line: lineOf(node), message: `unexpected ${excerpt(node)}` });
  for (const child of node.children) if (child.hasError || child.isMissing) collectProblems(child, problems);
}

function lineOf(node: TreeNode): number {
  return node.startPosition.row + 1;
}

function excerpt(node: TreeNode): string {
  const [line = ''] = node.text.trimStart().split('\n', 1);
  return `\`${line.slice(0, 40).trim()}\``;
}
