/**
 * Calls that reverse-spec lists beside those an independent tool finds (TypeScript's compiler, jedi, javac); for languages without one a sample
 * for a person to check. Usage: tsx bench/accuracy-calls.ts LANGUAGE FOLDER … [--examples] [--sample=N]
 */
import { resolve } from 'node:path';
import { compareCalls, referenceCalls } from './accuracy/calls.ts';
import { lineOf, type OurCalls, ourCalls } from './accuracy/our-calls.ts';

const [language = '', ...folders] = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const sample = Number(
  process.argv.find((each) => each.startsWith('--sample='))?.slice('--sample='.length) ?? 0,
);
for (const folder of folders) {
  const base = resolve(folder);
  const ours = await ourCalls(base, (path) => !path.startsWith('.'));
  if (sample > 0) printSample(base, ours);
  else printScore(base, ours);
}

function printScore(base: string, ours: OurCalls): void {
  const paths = ours.files
    .filter(({ skeleton }) => sameFamily(skeleton.language))
    .map(({ skeleton }) => skeleton.filePath);
  const { listed, wrong, unknown, references, found, missed } = compareCalls(
    base,
    ours,
    referenceCalls(base, language, paths),
  );
  console.log(
    `${base}: listed ${listed}, wrong ${wrong.length}, not known to the tool ${unknown.length}; tool ${references}, found ${found} (${((100 * found) / Math.max(references, 1)).toFixed(1)} %)`,
  );
  if (!process.argv.includes('--examples')) return;
  console.log(['wrong', ...wrong, 'unknown', ...unknown, 'missed', ...missed].join('\n'));
}

function sameFamily(id: string): boolean {
  return id === language || (/^(?:javascript|typescript|tsx)$/.test(id) && /script$/.test(language));
}

/** Every n-th call with its line. */
function printSample(base: string, { edges }: OurCalls): void {
  const step = Math.max(1, Math.floor(edges.length / sample));
  console.log(`${base}: ${edges.length} calls, every ${step}th`);
  for (const [at, { from, to, line, kind }] of edges.entries())
    if (at % step === 0)
      console.log(
        `${from.path}:${line} ${from.name} ${kind} ${to.name} (${to.path}:${to.startLine}) | ${lineOf(base, from.path, line).slice(0, 120)}`,
      );
}
