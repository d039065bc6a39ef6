/**
 * Imports that lead to files, beside a second reading of the same project (`accuracy/edges_reference.py`): found of the true edges, and
 * edges that are not. Usage: tsx bench/accuracy-edges.ts FOLDER … [--examples]
 */
import { resolve } from 'node:path';
import { judgeEdges } from './accuracy/edges.ts';

const folders = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const shown = process.argv.includes('--examples') ? 15 : 0;

console.log('| project | files | true edges | found | not true |');
console.log('|---|--:|--:|--:|--:|');
for (const folder of folders) {
  const { files, truth, found, missed, invented } = await judgeEdges(resolve(folder));
  const share = truth === 0 ? '' : ` (${((100 * found) / truth).toFixed(1)} %)`;
  console.log(
    `| ${folder.split('/').at(-1)} | ${files} | ${truth} | ${found}${share} | ${invented.length} |`,
  );
  for (const edge of missed.slice(0, shown)) console.log(`    missed   ${edge}`);
  for (const edge of invented.slice(0, shown)) console.log(`    invented ${edge}`);
}
