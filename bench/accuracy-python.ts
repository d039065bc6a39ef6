/** The standard library's modules against Python's own `ast`: `npx tsx bench/accuracy-python.ts`. */
import { createOutliner } from '../packages/reverse-spec/src/syntax/read-outline.ts';
import { comparePython, pythonFiles, standardLibrary } from './accuracy/python.ts';
import { TABLE_HEAD } from './accuracy/tally.ts';

const root = standardLibrary();
if (root === undefined) {
  console.error('python3 is not installed');
  process.exit(1);
}
const outliner = createOutliner();
const tally = await comparePython(outliner, root, pythonFiles(root));
console.log([...TABLE_HEAD, tally.row('Python standard library')].join('\n'));
if (process.argv.includes('--examples')) console.log(tally.examples.join('\n'));
await outliner.close();
