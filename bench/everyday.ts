/**
 * Everyday situations with a certain answer: the share that an output cut by the hook still answers, and the characters
 * that are gone, beside unchanged outputs, BM25, and head and tail with as many characters.
 *
 *   npm run bench:everyday -- [situations.jsonl or .xz, default ../shared/eval/everyday.jsonl.xz, else our own] [--own]
 *     [--failures] [--cases]
 *
 * `--failures` lists situations that are not answered, with the markers that hide their lines; `--cases` lists all.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { requestKindOf } from '../packages/engine/src/policy/request-kind.ts';
import { readDocument } from '../packages/engine/src/reading/read.ts';
import { kindOfText } from '../packages/engine/src/request.ts';
import { lostRanges, originOf, readSituations, type Situation } from './everyday/situation.ts';
import { OWN_SITUATIONS } from './everyday/situations.ts';
import { groupBy, type Result, type Sums, sumsOf } from './everyday/tally.ts';
import { bestByWords, cutLikeHook, headAndTail, type OurCut, unchanged } from './everyday/ways.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    own: { type: 'boolean', default: false },
    failures: { type: 'boolean', default: false },
    cases: { type: 'boolean', default: false },
  },
});
const evaluation = fileURLToPath(new URL('../../shared/eval/everyday.jsonl.xz', import.meta.url));

const situations = chosenSituations(positionals[0]);
const ours = situations.map((situation) => ({ situation, shown: cutLikeHook(situation) }));
for (const result of ours) if (isListed(result)) printCase(result);
printWays();
printAreas();

function chosenSituations(file: string | undefined): readonly Situation[] {
  if (file !== undefined) return readSituations(file);
  return values.own || !existsSync(evaluation) ? OWN_SITUATIONS : readSituations(evaluation);
}

interface OurResult extends Result {
  readonly shown: OurCut;
}

function isListed({ situation, shown }: OurResult): boolean {
  return values.cases || (values.failures && lostRanges(situation, shown.isInView).length > 0);
}

function printCase({ situation, shown }: OurResult): void {
  const lost = lostRanges(situation, shown.isInView);
  const origin = originOf(situation);
  const { fileName } = kindOfText(origin, situation.output);
  const { format } = readDocument(situation.output, { fileName });
  const removed = percent(1 - shown.characters / situation.output.length);
  console.log(
    `${lost.length === 0 ? 'answered' : 'LOST    '} ${situation.id} (${requestKindOf(origin)}, ${format}): ` +
      `${situation.output.length} characters, ${removed} removed, ${shown.gaps.length} gaps`,
  );
  for (const [first, last] of lost) {
    const hiding = shown.gaps.filter(({ start, end }) => start <= last && end >= first);
    console.log(`  lines ${first}-${last} behind ${hiding.map(({ marker }) => marker).join(' ')}`);
  }
}

function printWays(): void {
  const ways: [string, Result[]][] = [
    ['Sécateur', ours],
    ['unchanged', situations.map((situation) => ({ situation, shown: unchanged(situation) }))],
    ['BM25, as many characters', baseline(bestByWords)],
    ['head and tail, as many characters', baseline(headAndTail)],
  ];
  console.log(
    '\n| way | answered | per output | characters removed | mean per output | where cuttable ≥ .5 |',
  );
  console.log('|---|--:|--:|--:|--:|--:|');
  for (const [name, results] of ways) {
    const sums = sumsOf(results);
    const shares = [sums.removed, sums.removedPerOutput, sums.removedWhereCuttable].map(percent);
    console.log(`| ${name} | ${answered(sums)} | ${answeredOutputs(sums)} | ${shares.join(' | ')} |`);
  }
}

function baseline(way: typeof bestByWords): Result[] {
  return ours.map(({ situation, shown }) => ({ situation, shown: way(situation, shown.characters) }));
}

function printAreas(): void {
  console.log('\n| area | answered | outputs | characters removed | where cuttable ≥ .5 |');
  console.log('|---|--:|--:|--:|--:|');
  for (const [area, results] of groupBy(ours, ({ situation }) => situation.area)) {
    const sums = sumsOf(results);
    const shares = [sums.removed, sums.removedWhereCuttable].map(percent).join(' | ');
    console.log(`| ${area} | ${sums.answered} of ${sums.cases} | ${sums.outputs} | ${shares} |`);
  }
}

function answered({ answered: count, cases }: Sums): string {
  return `${count} of ${cases} (${percent(count / cases)})`;
}

function answeredOutputs({ answeredOutputs: count, outputs }: Sums): string {
  return `${count} of ${outputs}`;
}

function percent(share: number): string {
  return Number.isNaN(share) ? '–' : `${(100 * share).toFixed(1)} %`;
}
