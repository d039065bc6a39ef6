/**
 * Outlines with function bodies skipped against outlines of whole trees, for every script under the folders given
 * (by default our sources and everything installed): how much is skipped, how much sooner, and every difference.
 * Then each file broken once inside a body: how often that is noticed. Usage: tsx bench/bodies.ts [folder …]
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BodyFinder } from '../src/syntax/languages/typescript/bodies/body-finder.ts';
import { hollowOut } from '../src/syntax/languages/typescript/bodies.ts';
import { loadTypeScript, loadWhole } from '../src/syntax/languages/typescript/compiler.ts';
import { createTsReader, type TsReading, type TsRequest } from '../src/syntax/languages/typescript/read.ts';

const SCRIPT = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const DECLARATIONS = /\.d\.(?:[^.]+\.)?[cm]?ts$/;
const MOST_BYTES = 1_500_000;

const finder = BodyFinder.open();
if (finder === undefined) throw new Error('this machine cannot run the scanner of bodies');
const bodyFinder = finder;
const readShort = createTsReader(loadTypeScript());
const readWhole = createTsReader(loadWhole(), { wholeTrees: true });
const given = process.argv.slice(2);
const folders =
  given.length > 0 ? given : ['src', 'test', 'bench', 'node_modules', 'test/outside/node_modules'];

const sums = {
  files: 0,
  characters: 0,
  skipped: 0,
  wholeMs: 0,
  shortMs: 0,
  different: 0,
  broken: 0,
  missed: 0,
};
for (const path of folders.flatMap((folder) => [...scriptsUnder(folder)])) compare(path);

const share = (part: number, all: number) => `${((100 * part) / Math.max(all, 1)).toFixed(1)} %`;
console.log(
  `${sums.files} files, ${(sums.characters / 1e6).toFixed(1)} MB, ${share(sums.skipped, sums.characters)} of it skipped`,
);
console.log(
  `whole ${sums.wholeMs.toFixed(0)} ms, short ${sums.shortMs.toFixed(0)} ms (${(sums.wholeMs / sums.shortMs).toFixed(2)} ×)`,
);
console.log(`${sums.different} outlines differ`);
console.log(
  `of ${sums.broken} files broken inside a body ${share(sums.broken - sums.missed, sums.broken)} are noticed`,
);
process.exitCode = sums.different > 0 ? 1 : 0;

function* scriptsUnder(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* scriptsUnder(path);
    else if (entry.isFile() && SCRIPT.test(entry.name) && statSync(path).size < MOST_BYTES) yield path;
  }
}

function compare(path: string): void {
  const text = readFileSync(path, 'utf8');
  const request = requestFor(path, text);
  const [whole, wholeMs] = timed(readWhole, request);
  const [short, shortMs] = timed(readShort, request);
  const bodies = hollowOut(text, bodyFinder, { mayHoldJsx: request.dialect !== 'ts' })?.bodies ?? [];
  sums.files += 1;
  sums.characters += text.length;
  sums.wholeMs += wholeMs;
  sums.shortMs += shortMs;
  for (const { start, end } of request.isDeclarationFile ? [] : bodies) sums.skipped += end - start;
  if (JSON.stringify(short) !== JSON.stringify(whole)) {
    sums.different += 1;
    console.log(`different: ${path}`);
  }
  const body = bodies[sums.files % Math.max(bodies.length, 1)];
  if (body !== undefined && text.length < 40_000) breakInside(request, body);
}

function requestFor(path: string, text: string): TsRequest {
  const typed = path.endsWith('x') ? 'tsx' : 'ts';
  const dialect = /\.([cm]?ts|tsx)$/.test(path) ? typed : 'js';
  return { text, dialect, isDeclarationFile: DECLARATIONS.test(path) };
}

function timed(read: (request: TsRequest) => TsReading, request: TsRequest): [TsReading, number] {
  const start = performance.now();
  const reading = read(request);
  return [reading, performance.now() - start];
}

/** One token of the body is taken out or doubled, whichever the turn is. */
function breakInside(request: TsRequest, { start, end }: { start: number; end: number }): void {
  const { text } = request;
  const tokens = [...text.slice(start + 1, end).matchAll(/[\w$]+|'[^'\n]*'|[^\s\w]/g)];
  const token = tokens[(sums.files * 7919) % Math.max(tokens.length, 1)];
  if (token === undefined) return;
  const at = start + 1 + token.index;
  const doubled = sums.files % 2 === 0 ? `${token[0]} ${token[0]}` : '';
  const damaged = { ...request, text: text.slice(0, at) + doubled + text.slice(at + token[0].length) };
  if (readWhole(damaged).problems.length === 0) return;
  sums.broken += 1;
  if (readShort(damaged).problems.length === 0) sums.missed += 1;
}
