import {
  detectLanguage,
  type KnownLanguage,
  type LanguageId,
  languageById,
} from '@secateur/base/languages/languages.ts';
import type { Node as TreeNode } from 'web-tree-sitter';
import { createCompilerTreeCopier } from './body-facts/compiler-tree.ts';
import { copyTree, type Node } from './body-facts/node.ts';
import { createTreeFactReader, type TreeFactReader } from './body-facts/walk.ts';
import { readers, type TreeReader, type TypeScriptReader } from './languages/readers.ts';
import type { Outline, ParseProblem } from './outline.ts';
import { outlineFromPatterns, supplement } from './structure/supplement.ts';
import { indexLines } from './tree/line-index.ts';
import { parseHiding, TreeParsers } from './tree/parsers.ts';

export interface OutlineRequest {
  /** Language of the source. Default: detected from `path` and the text. */
  language?: LanguageId;
  path?: string;
  /** Why to use line patterns only: what happened when a parser read the file before. */
  byPatterns?: 'late' | 'too-much';
  /** Whether to read facts of function bodies from the same tree. Default: false. */
  withBodies?: boolean;
}

export interface Outliner {
  /** Reads an outline. Invalid code gives `problems` and the declarations that could be read. */
  outline(source: string, request?: OutlineRequest): Promise<Outline>;
  /**
   * Whether a file crashed the WebAssembly instance of the tree-sitter parsers. The thread has only this one.
   * Until it ends, files of these languages are read by line patterns.
   */
  isBroken(): boolean;
  /** Frees the parsers. The outliner must not be used afterwards. */
  close(): Promise<void>;
}

/** Creates a reader of outlines. Parsers and grammars are loaded when a file first needs them, and kept. */
export function createOutliner(): Outliner {
  const parsers = new TreeParsers();
  const parse = parseWith(parsers);
  let isBroken = false;
  const fallBack = (error: unknown) => {
    if (isStackOverflow(error)) return 'too-deep';
    // Such an error shows that WebAssembly crashed.
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
    return readScript(job, reader, { ...(await compiler), readBodies });
  };
}

/** Loads the TypeScript compiler, when a file first needs it. */
async function compilerTools() {
  const { readTypeScript } = await import('./languages/typescript/read.ts');
  const { compiler } = await import('./languages/typescript/source.ts');
  return { readTypeScript, copy: createCompilerTreeCopier(compiler) };
}

type CompilerTools = Awaited<ReturnType<typeof compilerTools>> & { readBodies: TreeFactReader };

/** Whether an error is a stack overflow, as thousands of nested brackets cause in recursive parsers. */
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
    const { unread = [], ...reading } = code.read({
      code,
      text: job.source,
      masked,
      root,
      path: job.request.path,
    });
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

/** Completes an outline by line patterns, and adds facts of function bodies if requested. */
function withBodies(
  outline: Outline,
  { source, language, request }: Job,
  { readBodies, copy }: { readBodies: TreeFactReader; copy(): Node },
): Outline {
  const full = supplement(outline, source, language);
  if (request.withBodies !== true) return full;
  try {
    return { ...full, bodies: readBodies({ root: copy(), text: source, language: language.id }) };
  } catch (error) {
    // If the code is nested too deeply for the stack, the facts of bodies are missing.
    if (isStackOverflow(error)) return full;
    throw error;
  }
}

/** Returns problems for the branches of `#if` that were not parsed. */
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

/** Lists text that the parser skipped and tokens that it inserted, outermost first. */
function readProblems(root: TreeNode, text: string): ParseProblem[] {
  if (!root.hasError) return [];
  const problems: ParseProblem[] = [];
  collectProblems(root, problems);
  // Errors after the end of the text get its last line.
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
