import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseSync } from '@swc/core';
import { sourceFiles } from '../source-files.ts';

/** A pattern of the packages, or a place that makes one (`source` is then unknown until it ran). */
export interface FoundPattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

export interface PatternList {
  readonly patterns: readonly FoundPattern[];
  /** Files that call `RegExp` and did not do so while everything was loaded. */
  readonly madeLater: readonly string[];
}

const root = process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url));
const files = sourceFiles(root);
const literals = files.flatMap((file) => [...literalsOf(file)]);
const made = await patternsMadeOnLoading(files);
const makers = new Set(made.map(({ file }) => file));
const list: PatternList = {
  patterns: [...literals, ...made],
  madeLater: files.filter((file) => callsRegExp(file) && !makers.has(file)),
};
process.stdout.write(JSON.stringify(list), () => process.exit(0));

function* literalsOf(file: string): Generator<FoundPattern> {
  const program = parseSync(readFileSync(join(root, file), 'utf8'), {
    syntax: 'typescript',
    target: 'es2022',
  });
  for (const node of nodesOf(program)) {
    if (node.type === 'RegExpLiteral')
      yield { file, source: String(node.pattern), flags: String(node.flags) };
    // A tool's schema holds its patterns as text.
    const { key, value } = node as { key?: Node; value?: Node };
    if (node.type === 'KeyValueProperty' && key?.value === 'pattern' && value?.type === 'StringLiteral')
      yield { file, source: String(value.value), flags: 'u' };
  }
}

interface Node {
  readonly type?: unknown;
  readonly value?: unknown;
  readonly pattern?: unknown;
  readonly flags?: unknown;
}

function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  yield value as Node;
  for (const inner of Object.values(value)) yield* nodesOf(inner);
}

/** Most patterns put together from parts are made when their file is loaded: `RegExp` writes down which. */
async function patternsMadeOnLoading(modules: readonly string[]): Promise<FoundPattern[]> {
  const found: FoundPattern[] = [];
  globalThis.RegExp = new Proxy(RegExp, {
    construct(target, parts) {
      const pattern = Reflect.construct(target, parts) as RegExp;
      const file = callerIn(new Error().stack ?? '');
      if (file !== undefined) found.push({ file, source: pattern.source, flags: pattern.flags });
      return pattern;
    },
  });
  for (const file of modules.filter((each) => !/^packages\/[^/]+\/src\/main\//.test(each))) {
    // A worker's file refuses to be loaded outside of its pool; what it imports has been loaded by then.
    await import(pathToFileURL(join(root, file)).href).catch(() => undefined);
  }
  return found;
}

function callerIn(stack: string): string | undefined {
  const [, ...frames] = stack.split('\n');
  return frames
    .map((frame) => /[/\\](packages[/\\][\w./\\-]+\.ts)/.exec(frame)?.[1]?.replaceAll('\\', '/'))
    .find(Boolean);
}

function callsRegExp(file: string): boolean {
  return /\bRegExp\(/.test(readFileSync(join(root, file), 'utf8'));
}
