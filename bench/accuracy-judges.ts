/**
 * Exported names and signatures beside each language's own parser (`accuracy/judges.ts`).
 * Usage: tsx bench/accuracy-judges.ts LANGUAGE FOLDER … [--sample=FILES] [--examples]
 */
import { resolve } from 'node:path';
import { createOutliner } from '../packages/reverse-spec/src/syntax/read-outline.ts';
import { compareWith } from './accuracy/judged.ts';
import { judges } from './accuracy/judges.ts';
import { TABLE_HEAD } from './accuracy/tally.ts';

const [language = '', ...folders] = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const judge = judges.find((each) => each.language === language);
if (judge === undefined) {
  console.error(`one of: ${judges.map((each) => each.language).join(', ')}`);
  process.exit(64);
}
if (judge.command('.') === undefined) {
  console.error(`${judge.tool} is not installed (Debian: ${judge.packages})`);
  process.exit(1);
}
const asked = process.argv.find((each) => each.startsWith('--sample='))?.slice('--sample='.length);
const sample = asked === undefined ? Number.POSITIVE_INFINITY : Number(asked);
const outliner = createOutliner();
console.log(TABLE_HEAD.join('\n'));
for (const folder of folders) {
  const { tally, refused, flagged } = await compareWith(judge, outliner, { folder: resolve(folder), sample });
  console.log(tally.row(`${folder.split('/').at(-1)} (${judge.tool})`));
  console.log(`    refused by the judge: ${refused.length}; flagged by us: ${flagged.length}`);
  if (process.argv.includes('--examples'))
    console.log([...tally.examples, ...flagged.map((each) => `flagged ${each}`)].join('\n'));
}
await outliner.close();
