import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { detectLanguage } from '../../packages/base/src/languages/languages.ts';
import { roleOf } from '../../packages/reverse-spec/src/spec/prepare/scope.ts';
import type { Declaration } from '../../packages/reverse-spec/src/syntax/outline.ts';
import type { Outliner } from '../../packages/reverse-spec/src/syntax/read-outline.ts';
import type { Judge } from './judges.ts';
import { Tally } from './tally.ts';

interface Item {
  /** Owners and name, joined by dots. */
  name: string;
  exported: boolean;
  /** Texts that are right; none where the judge cannot tell. */
  signatures: string[];
}

interface Described {
  path: string;
  items: Item[];
  /** Lines the preprocessor passed over. */
  skipped?: [number, number][];
  error?: string;
}

export interface Judgement {
  tally: Tally;
  /** Files the judge refused. */
  refused: string[];
  /** Files in which our reader names problems. */
  flagged: string[];
}

/** The sources of a folder that a judge can read. */
export function filesFor(judge: Judge, folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => judge.extensions.test(file) && roleOf(file) !== 'vendored')
    .sort()
    .map((file) => join(folder, file))
    .filter((file) => detectLanguage({ path: file, source: read(file) }) === judge.language);
}

function read(file: string): string {
  return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
}

/** Compares each file's outline with what the language's own parser says of it. */
export async function compareWith(
  judge: Judge,
  outliner: Outliner,
  { folder, sample = Number.POSITIVE_INFINITY }: { folder: string; sample?: number },
): Promise<Judgement> {
  const judgement: Judgement = { tally: new Tally(), refused: [], flagged: [] };
  for (const described of describe(judge, folder, sample)) {
    const where = relative(folder, described.path);
    if (described.error !== undefined) {
      judgement.refused.push(where);
      continue;
    }
    const source = read(described.path);
    const outline = await outliner.outline(source, { language: judge.language, path: described.path });
    if (outline.problems.length > 0) judgement.flagged.push(where);
    const ours = flatten(outline.declarations, { judge, owner: '', skipped: described.skipped ?? [] });
    compare(where, judgement.tally, { judge, ours, theirs: described.items });
  }
  return judgement;
}

/** A tool that dies over one file takes few others with it. */
const FILES_A_RUN = 25;

function describe(judge: Judge, folder: string, sample: number): Described[] {
  const files = filesFor(judge, folder);
  const step = Math.max(1, Math.floor(files.length / sample));
  const wanted = files.filter((_, at) => at % step === 0);
  const [program = '', ...rest] = judge.command(folder) ?? [];
  const size = judge.dialect === 'clang' ? FILES_A_RUN : wanted.length;
  const runs = Array.from({ length: Math.ceil(wanted.length / size) }, (_, at) =>
    wanted.slice(at * size, (at + 1) * size),
  );
  return runs.flatMap((run) => describeRun([program, ...rest], run));
}

function describeRun([program = '', ...rest]: readonly string[], files: readonly string[]): Described[] {
  const { stdout } = spawnSync(program, rest, {
    input: files.map((file) => `${file}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  const answers = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Described]));
  const unanswered = files.slice(answers.length);
  return [...answers, ...unanswered.map((path) => ({ path, items: [], error: 'the tool ended' }))];
}

interface Flattening {
  judge: Judge;
  owner: string;
  skipped: readonly [number, number][];
}

/** Everything seen from outside, by its owners' names and its own. */
function flatten(
  declarations: readonly Declaration[],
  context: Flattening,
): { name: string; signature: string }[] {
  return declarations.flatMap((declaration) => {
    const { kind, exported, signature, members, startLine } = declaration;
    if (!exported || context.skipped.some(([from, to]) => startLine > from && startLine < to)) return [];
    const own = ownName(declaration, context.judge);
    const inside = flatten(members, {
      ...context,
      owner: own === '' ? context.owner : `${context.owner}${own}.`,
    });
    const isName = own !== '' && kind !== 'impl';
    return isName ? [{ name: context.owner + own, signature }, ...inside] : inside;
  });
}

/** Empty for what lends its members no name: a namespace of C++, an unnamed union. */
function ownName({ name, kind }: Declaration, { dialect }: Judge): string {
  if (dialect === 'rust' && kind === 'impl') return baseName(name.replace(/^.* for /s, ''));
  if (dialect === 'rust' && kind === 'case' && name.startsWith('(')) return '';
  return dialect === 'clang' ? clangName(name, kind) : name;
}

function clangName(name: string, kind: Declaration['kind']): string {
  if (kind === 'namespace' || name === '<anonymous>' || kind === 're-export') return '';
  if (/^operator (?!new\b|delete\b|co_await\b)\w|^operator ?::/.test(name)) return 'operator cast';
  if (name.startsWith('operator')) return name;
  // Arguments of a template may be of any namespace.
  const bare = name.replace(/<.*/s, '');
  if (!bare.includes('::')) return bare;
  // The class has declared what is defined outside of it.
  return kind === 'class' || kind === 'struct' ? (bare.split('::').at(-1) ?? bare) : '';
}

function baseName(type: string): string {
  const path = type.replace(/<.*/s, '').replace(/^[&\s]*(?:'\w+\s+)?(?:mut\s+)?/, '');
  return /^[\w:]+$/.test(path) ? (path.split('::').at(-1) ?? path) : '?';
}

interface Sides {
  judge: Judge;
  ours: readonly { name: string; signature: string }[];
  theirs: readonly Item[];
}

function compare(where: string, tally: Tally, { judge, ours, theirs }: Sides): void {
  const seen = theirs.filter(({ exported }) => exported);
  const names = (items: readonly { name: string }[]) => new Set(items.map(({ name }) => plain(name, judge)));
  tally.files++;
  tally.names(where, names(ours), names(seen));
  for (const { name, signatures } of seen) {
    const same = ours.filter((each) => plain(each.name, judge) === plain(name, judge));
    if (signatures.length === 0 || same.length === 0) continue;
    const isRight = same.some(({ signature }) => signatures.some((text) => quotes(judge, signature, text)));
    tally.signature(`${where} ${name}`, isRight, `${signatures[0]} got ${same[0]?.signature}`);
  }
}

/** A space in an operator's name is a matter of taste. */
function plain(name: string, { dialect }: Judge): string {
  return dialect === 'clang' ? name.replace(/\boperator\s*/g, 'operator ').replace(/\s+/g, ' ') : name;
}

/** libclang leaves out macros and attributes at the edges of a declaration. */
function quotes({ dialect }: Judge, ours: string, theirs: string): boolean {
  if (dialect === 'plain') return ours === theirs;
  return ours === theirs || ours.includes(theirs);
}
