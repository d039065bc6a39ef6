import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CallEdge } from '../../packages/reverse-spec/src/spec/reading/call-graph.ts';
import { typescriptCalls } from './calls-typescript.ts';
import { lineOf, type OurCalls } from './our-calls.ts';

/** A call inside the project, as an independent tool resolves it. */
export interface ReferenceCall {
  path: string;
  line: number;
  name: string;
  to: string;
  toLine: number;
  isType: boolean;
  /** The type it belongs to, if the tool says so. */
  owner?: string;
}

export interface CallScore {
  listed: number;
  /** Listed calls that the tool resolves to something else. */
  wrong: string[];
  /** Listed calls about which the tool says nothing. */
  unknown: string[];
  references: number;
  found: number;
  missed: string[];
}

const COMMANDS: Readonly<Record<string, (base: string) => [string, string[]]>> = {
  python: (base) => ['python3', [script('calls_reference.py'), base]],
  java: (base) => ['java', [script('Calls.java'), base]],
};

function script(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Calls as an independent tool of the language sees them: TypeScript's compiler, jedi, javac. */
export function referenceCalls(base: string, language: string, paths: readonly string[]): ReferenceCall[] {
  if (/^(?:javascript|typescript|tsx)$/.test(language)) return typescriptCalls(base, paths);
  const command = COMMANDS[language]?.(base);
  if (command === undefined)
    throw new Error(`No independent tool for ${language}: check a sample by hand (--sample=100).`);
  const { stdout, stderr, status } = spawnSync(command[0], command[1], {
    input: paths.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`${command[0]} failed: ${stderr.slice(-2000)}`);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as ReferenceCall);
}

/** Compares our calls with the tool's. A call is the same if it is on the same line and leads into the same declaration. */
export function compareCalls(
  base: string,
  { edges }: OurCalls,
  references: readonly ReferenceCall[],
): CallScore {
  const calls = edges.filter(({ kind }) => kind === 'call');
  const byLine = new Map<string, ReferenceCall[]>();
  for (const each of references) {
    const key = `${each.path}:${each.line}`;
    byLine.set(key, [...(byLine.get(key) ?? []), each]);
  }
  const show = (edge: CallEdge) =>
    `${edge.from.path}:${edge.line} -> ${edge.to.name} (${edge.to.path}:${edge.to.startLine}) | ${lineOf(base, edge.from.path, edge.line).slice(0, 100)}`;
  const wrong: string[] = [];
  const unknown: string[] = [];
  for (const edge of calls) {
    const here = byLine.get(`${edge.from.path}:${edge.line}`) ?? [];
    if (here.some((each) => isSame(edge, each))) continue;
    const rival = here.find((each) => each.name !== '' && each.name === simple(edge.to.name));
    if (rival !== undefined) wrong.push(`${show(edge)} REFERENCE ${rival.to}:${rival.toLine}`);
    else unknown.push(show(edge));
  }
  const missed = references.filter((each) => !calls.some((edge) => isAt(edge, each) && isSame(edge, each)));
  return {
    listed: calls.length,
    wrong,
    unknown,
    references: references.length,
    found: references.length - missed.length,
    missed: missed.map(
      (each) =>
        `${each.path}:${each.line} ${each.name} (${each.to}:${each.toLine}) | ${lineOf(base, each.path, each.line).slice(0, 100)}`,
    ),
  };
}

function isAt({ from, line }: CallEdge, reference: ReferenceCall): boolean {
  return from.path === reference.path && line === reference.line;
}

/** The tool names a declaration by its line; decorators and modifiers may come before it. */
function isSame({ to }: CallEdge, reference: ReferenceCall): boolean {
  if (to.path !== reference.to) return false;
  const isInside = reference.toLine >= to.startLine && reference.toLine <= to.endLine;
  const isNamed = reference.name === '' || reference.name === simple(to.name);
  if (reference.isType)
    return isNamed || CONSTRUCTOR.test(simple(to.name)) || to.name.split('.').includes(reference.name);
  // Overloads are one in a document.
  if (reference.owner !== undefined && simple(to.owner) === reference.owner && isNamed) return true;
  return isInside && (isNamed || CONSTRUCTOR.test(simple(to.name)) || reference.toLine === to.startLine);
}

const CONSTRUCTOR = /^(?:constructor|__init__|<init>)$/;

function simple(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
