import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { detectLanguage } from '@secateur/base/languages/languages.ts';
import { redactSecrets } from '@secateur/base/redaction/redact.ts';
import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { BodyFacts } from '../../../syntax/body-facts.ts';
import { roleOf } from '../../prepare/scope.ts';
import type { CallEdge, ResolvedFile, resolveCallsOf } from '../call-graph.ts';
import type { UsageExample } from '../facts.ts';

/** A test or example: its calls, and the line of its first use of each wanted name, not counting imports. */
export interface TestFile {
  path: string;
  /** Text of the file. May contain secrets. */
  text: string;
  /** Returns a line with secrets redacted. */
  line: LineReader;
  isExample: boolean;
  words: ReadonlyMap<string, number>;
  /** Calls and uses whose target is known. */
  edges: readonly CallEdge[];
  /** Names imported from files of the project, as `importKey`. */
  imports: ReadonlySet<string>;
  /** Names of all functions that the file calls or passes on. */
  called: ReadonlySet<string>;
  /** Lines of calls on an object of unknown type, by the name called. */
  unresolved: ReadonlyMap<string, readonly number[]>;
  /** Cache: whether the text contains a file name. A long text is searched only once per name. */
  stems: Map<string, boolean>;
}

/** Returns the facts of the function bodies of a file; undefined if it could not be read. */
export type BodiesAt = (path: string) => BodyFacts | undefined;

export interface Search {
  /** Wanted names, each mapped to itself. Storing these copies instead of slices lets V8 free the texts of the tests. */
  names: ReadonlyMap<string, string>;
  bodiesAt: BodiesAt;
  resolve: ReturnType<typeof resolveCallsOf>;
}

const MAX_FILE_BYTES = 512 * 1024;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** Matches tests inside Rust sources. */
const INLINE_TESTS = /#\[(?:cfg\(test\)|test\]|(?:\w+::)+test\b)/;

export async function readTestFiles(
  base: string,
  paths: { tests: readonly string[]; sources: readonly string[] },
  search: Search,
): Promise<TestFile[]> {
  const tests: TestFile[] = [];
  let total = 0;
  const add = async (path: string, isInline: boolean) => {
    if (total > MAX_TOTAL_BYTES || search.names.size === 0) return;
    const text = await readSmall(join(base, path));
    if (isInline && !INLINE_TESTS.test(text)) return;
    total += text.length;
    const test = testFile(path, text, { ...search, isInline });
    if (test !== undefined) tests.push(test);
  };
  for (const path of paths.tests) if (detectLanguage({ path }) !== undefined) await add(path, false);
  for (const path of paths.sources) if (path.endsWith('.rs')) await add(path, true);
  return tests;
}

function testFile(
  path: string,
  text: string,
  { names, bodiesAt, resolve, isInline }: Search & { isInline: boolean },
): TestFile | undefined {
  const words = findNames(text, names);
  if (words.size === 0) return undefined;
  const bodies = bodiesAt(path);
  const language = detectLanguage({ path, source: text }) ?? '';
  const facts = isInline ? (bodies?.testCalls ?? []) : (bodies?.facts ?? []).concat(bodies?.testCalls ?? []);
  const { edges, imports } = bodies === undefined ? NOTHING : resolve({ path, language, bodies, facts });
  const isExample = !isInline && roleOf(path) === 'example';
  const shown = isInline ? new Map<string, number>() : words;
  return {
    path,
    text,
    line: lineReader(() => redactSecrets(text)),
    isExample,
    words: shown,
    edges,
    called: new Set(facts.flatMap(({ kind, name }) => (kind === 'call' || kind === 'use' ? [name] : []))),
    imports: new Set(imports.map((each) => importKey(each.path, each.name))),
    unresolved: unresolvedIn({ facts, edges, names, isTyped: TYPED.test(language) }),
    stems: new Map(),
  };
}

const NOTHING: ResolvedFile = { edges: [], imports: [] };

export function importKey(path: string, name: string): string {
  return `${path}\0${name}`;
}

/** Languages with static types. In these, an object whose type is unknown is not of a type of the project. */
const TYPED = /^(?:go|java|kotlin|rust|csharp|swift|c|cpp|typescript|tsx)$/;

function unresolvedIn({ facts, edges, names, isTyped }: Unresolved): Map<string, number[]> {
  const known = new Set(
    edges.map(({ line, to }) => `${line} ${to.name.slice(to.name.lastIndexOf('.') + 1)}`),
  );
  const calls = facts.filter(
    ({ kind, name, text, startLine }) =>
      kind === 'call' && names.has(name) && !known.has(`${startLine} ${name}`) && !(isTyped && text !== name),
  );
  return grouped(calls.map(({ name, startLine }) => [name, startLine]));
}

interface Unresolved {
  facts: BodyFacts['facts'];
  edges: readonly CallEdge[];
  names: Search['names'];
  isTyped: boolean;
}

async function readSmall(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.size > MAX_FILE_BYTES) return '';
  return readFile(file, 'utf8').catch(() => '');
}

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

function findNames(text: string, names: Search['names']): Map<string, number> {
  const lines = new Map<string, number>();
  for (const [at, line] of withoutImports(text).split('\n').entries())
    for (const [word] of line.matchAll(WORD)) {
      const name = names.get(word);
      if (name !== undefined && !lines.has(name)) lines.set(name, at + 1);
    }
  return lines;
}

const IMPORT = /^[ \t]{0,40}(?:(?:import|from|using|use|namespace|package)\s|require\b|#include\b)/;

/** Empties the lines of imports. An import extends to the line that closes its brackets. */
function withoutImports(text: string): string {
  let end: string | undefined;
  const shown = text.split('\n').map((line) => {
    if (end === undefined && !IMPORT.test(line)) return line;
    end ??= BRACKETS.find(([opening]) => line.includes(opening))?.[1];
    if (end !== undefined && line.includes(end)) end = undefined;
    return '';
  });
  return shown.join('\n');
}

const BRACKETS = [
  ['{', '}'],
  ['(', ')'],
] as const;

const MAX_LINES = 14;

const MAX_NEAR = 4;

/** Returns a line by its 1-based number; undefined after the last line. */
export type LineReader = (line: number) => string | undefined;

/** Creates a reader of lines. It indexes the text at the first call, because most files are never shown. */
function lineReader(read: () => string): LineReader {
  let text = '';
  let starts: number[] | undefined;
  return (line) => {
    if (starts === undefined) {
      text = read();
      starts = [0];
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    }
    const start = starts[line - 1];
    return start === undefined ? undefined : text.slice(start, (starts[line] ?? text.length + 1) - 1);
  };
}

/** Returns the code around a call: the whole function if it is short, else lines of the same paragraph. */
export function usageExample(lineAt: LineReader, { from, line }: CallEdge): UsageExample | undefined {
  const isShort = from.name !== '' && from.endLine - from.startLine < MAX_LINES && from.startLine <= line;
  const stretch = isShort ? ([from.startLine, from.endLine] as const) : paragraphAt(lineAt, line);
  if (stretch === undefined) return undefined;
  const [start, end] = stretch;
  const code = outdented(linesBetween(lineAt, start, end));
  return code.trim() === '' ? undefined : { path: from.path, startLine: start, endLine: end, code };
}

function linesBetween(lineAt: LineReader, start: number, end: number): string[] {
  const lines = Array.from({ length: end - start + 1 }, (_, at) => lineAt(start + at));
  return lines.filter((each) => each !== undefined);
}

function paragraphAt(lineAt: LineReader, line: number): [start: number, end: number] | undefined {
  let [start, end] = [line, line];
  while (start > 1 && line - start < MAX_NEAR && (lineAt(start - 1)?.trim() ?? '') !== '') start -= 1;
  while (end - line < MAX_NEAR && (lineAt(end + 1)?.trim() ?? '') !== '') end += 1;
  return closedStretch(lineAt, { start, line, end });
}

/** Returns lines around a call in which all brackets are balanced: if possible most of the paragraph, else a little more. */
function closedStretch(
  lineAt: LineReader,
  { start, line, end }: { start: number; line: number; end: number },
): [start: number, end: number] | undefined {
  for (let first = start; first <= line; first += 1) {
    const last = GOES_ON.test(lineAt(first) ?? '') ? undefined : closingLine(lineAt, { first, line, end });
    if (last !== undefined) return [first, last];
  }
  return undefined;
}

/** Returns the last line up to `end` after which brackets are balanced, or else the first such line after `end`. */
function closingLine(
  lineAt: LineReader,
  { first, line, end }: { first: number; line: number; end: number },
): number | undefined {
  const most = first + MAX_LINES - 1;
  const closed = Array.from({ length: Math.max(most - line + 1, 0) }, (_, at) => line + at).filter(
    (last) => lineAt(last) !== undefined && isBalanced(linesBetween(lineAt, first, last).join('\n')),
  );
  return closed.findLast((each) => each <= end) ?? closed[0];
}

/** Matches a line that continues the previous statement. */
const GOES_ON = /^\s*(?:[+.|&?:,)\]}]|and\b|or\b)/;

/** Whether the brackets of a piece of code are balanced. */
export function isBalanced(code: string): boolean {
  let depth = 0;
  for (const char of code) {
    if ('([{'.includes(char)) depth += 1;
    if (')]}'.includes(char)) depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function outdented(lines: readonly string[]): string {
  const depths = lines
    .filter((each) => each.trim() !== '')
    .map((each) => each.length - each.trimStart().length);
  const depth = Math.min(...depths, 200);
  return lines.map((each) => each.slice(depth).trimEnd()).join('\n');
}
