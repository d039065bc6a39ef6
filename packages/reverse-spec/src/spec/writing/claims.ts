import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpecFacts } from '../reading/facts.ts';
import { sourceText } from '../reading/read-bodies.ts';
import type { SkeletonExport } from '../reading/skeleton.ts';
import type { SourcePlace } from './document/markdown.ts';

/** A sentence of a model and the source lines that support it. */
export interface ModelClaim {
  section: string;
  /** Beginning of the sentence, as shown in reports. */
  text: string;
  /** Path relative to the project. */
  path: string;
  startLine: number;
  endLine: number;
  /** Hash of the lines when the sentence was written. Spaces around each line do not count. */
  hash: string;
}

export function hashOfLines(lines: readonly string[], startLine: number, endLine: number): string {
  const shown = lines.slice(startLine - 1, endLine).map((line) => line.trim());
  return hash('sha256', shown.join('\n')).slice(0, 16);
}

/** Returns the claims whose lines no longer occur in their file. Lines that only moved are found again. */
export async function staleClaims(claims: readonly ModelClaim[], base: string): Promise<ModelClaim[]> {
  const texts = new Map<string, string[]>();
  const stale: ModelClaim[] = [];
  for (const claim of claims) {
    const lines = texts.get(claim.path) ?? (await textOf(join(base, claim.path))).split('\n');
    texts.set(claim.path, lines);
    if (!isThere(claim, lines)) stale.push(claim);
  }
  return stale;
}

function isThere({ startLine, endLine, hash: before }: ModelClaim, lines: readonly string[]): boolean {
  if (hashOfLines(lines, startLine, endLine) === before) return true;
  const height = endLine - startLine;
  return lines.some((_, at) => hashOfLines(lines, at + 1, at + 1 + height) === before);
}

function textOf(file: string): Promise<string> {
  return readFile(file).then(sourceText, () => '');
}

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Literals of programming languages. A sentence may name them even if no source file does. */
const LITERALS: ReadonlySet<string> = new Set(
  'true false null undefined None nil True False NULL NaN this self void'.split(' '),
);
const FILE_NAME = /^[\w@./+-]*[\w+-]\.([A-Za-z]\w{0,9})$/;

/** Words, lines and declarations of the source files, to check a model's sentences. */
export class Evidence {
  readonly #lines: ReadonlyMap<string, string[]>;
  readonly #words: ReadonlySet<string>;
  readonly #paths: readonly string[];
  readonly #extensions: ReadonlySet<string>;
  readonly #places: ReadonlyMap<string, SourcePlace>;

  constructor(facts: SpecFacts, lines: ReadonlyMap<string, string[]>) {
    this.#lines = lines;
    this.#paths = pathsIn(facts);
    this.#words = wordsIn(facts, lines, this.#paths);
    this.#extensions = new Set(this.#paths.map((path) => path.split('.').at(-1) ?? ''));
    this.#places = placesIn(facts);
  }

  /** Whether each name or path in a piece of code occurs in a source file. */
  knows(code: string): boolean {
    const text = code.trim().replace(/#L\d{1,9}(?:-L?\d{1,9})?$/, '');
    const extension = FILE_NAME.exec(text)?.[1];
    if (extension !== undefined && this.#extensions.has(extension)) return this.#knowsPath(text);
    return this.unknownWords(text).length === 0;
  }

  unknownWords(code: string): string[] {
    return (code.match(WORD) ?? []).filter(
      (word) => word.length > 1 && !this.#words.has(word) && !LITERALS.has(word),
    );
  }

  /** Returns the file with this path, or with a path that ends in it, and its lines. Undefined if not found. */
  fileNamed(path: string): { path: string; lines: readonly string[] } | undefined {
    const found = [...this.#lines].find(([each]) => each === path || each.endsWith(`/${path}`));
    return found && { path: found[0], lines: found[1] };
  }

  /** Finds where a name is declared: `Mux.ServeHTTP`, `ServeHTTP` or `ServeHTTP()`. */
  placeOf(code: string): SourcePlace | undefined {
    const name = code.trim().replace(/\(.*$/s, '');
    return this.#places.get(name) ?? this.#places.get(name.split(/[.:#\\]+/).at(-1) ?? name);
  }

  /** Returns the place of each file of the module. */
  files(): SourcePlace[] {
    return [...this.#lines].map(([path, lines]) => ({ path, startLine: 1, endLine: lines.length }));
  }

  #knowsPath(path: string): boolean {
    const plain = path.replace(/^\.\//, '');
    if (this.#paths.some((each) => each === plain || each.endsWith(`/${plain}`))) return true;
    return [...this.#lines.values()].some((lines) => lines.some((line) => line.includes(plain)));
  }
}

/** Reads the files of a module again. Only their facts were kept in memory. */
export async function readEvidence(base: string, facts: SpecFacts): Promise<Evidence> {
  const lines = new Map<string, string[]>();
  for (const { skeleton } of facts.files) {
    const text = await textOf(join(base, skeleton.filePath));
    lines.set(skeleton.filePath, text.replace(/\n$/, '').split('\n'));
  }
  return new Evidence(facts, lines);
}

function pathsIn({ files, notes, dependencies, tests, about }: SpecFacts): string[] {
  const { internal, project } = dependencies;
  return [
    ...files.map(({ skeleton }) => skeleton.filePath),
    ...Object.keys(notes),
    ...[...internal, ...project].flatMap(({ from, to }) => [from, to]),
    ...tests.flatMap((mention) => mention.tests.map(({ path }) => path)),
    ...(about === undefined ? [] : [about.path]),
  ];
}

function wordsIn(
  { label, title, about, dependencies }: SpecFacts,
  lines: ReadonlyMap<string, string[]>,
  paths: readonly string[],
): ReadonlySet<string> {
  const words = new Set<string>();
  const texts = [label, title, about?.words ?? '', ...dependencies.external.map(({ module }) => module)];
  for (const text of [...texts, ...paths, ...[...lines.values()].flat()])
    for (const [word] of text.matchAll(WORD)) words.add(word);
  return words;
}

/** Returns the places of declarations by full name and by last part. For a repeated last part, the first declaration is used. */
function placesIn({ files, bodies }: SpecFacts): ReadonlyMap<string, SourcePlace> {
  const places = new Map<string, SourcePlace>();
  const add = (name: string, place: SourcePlace) => {
    for (const key of [name, name.split(/[.:#\\]+/).at(-1) ?? name])
      if (!places.has(key)) places.set(key, place);
  };
  for (const { skeleton, internals } of files) {
    const path = skeleton.filePath;
    const addSymbol = ({ name, startLine, endLine, members = [] }: SkeletonExport, owner = '') => {
      add(`${owner}${name}`, { path, startLine, endLine });
      for (const member of members) addSymbol(member, `${name}.`);
    };
    for (const symbol of skeleton.exports) addSymbol(symbol);
    for (const { name, startLine, endLine } of internals) add(name, { path, startLine, endLine });
    for (const { name, startLine, endLine } of bodies.get(path)?.functions ?? [])
      add(name, { path, startLine, endLine });
  }
  return places;
}
