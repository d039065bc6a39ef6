import type { SpecFacts } from '../../facts.ts';
import type { Words } from '../../words/words-table.ts';
import { blocks, inlineCode, table } from '../markdown.ts';

const SHOWN = 3;

/** Which tests name which export; an export no test names is worth knowing too. */
export function renderTestCoverage({ tests }: SpecFacts, words: Words): string {
  if (tests.length === 0) return '';
  const named = tests.filter((mention) => mention.tests.length > 0);
  const rows = named.map(({ symbolName, filePath, tests: places }) => [
    inlineCode(symbolName),
    inlineCode(filePath),
    placesText(places, words),
  ]);
  const unnamed = tests.filter((mention) => mention.tests.length === 0).map(({ symbolName }) => symbolName);
  const count = words.testedExports(named.length, tests.length);
  const missing =
    unnamed.length === 0 ? '' : words.untested([...new Set(unnamed)].map(inlineCode).join(words.listComma));
  const { columns } = words;
  return blocks(count, table([columns.export, columns.file, columns.tests], rows), missing);
}

function placesText(
  places: readonly { path: string; line: number }[],
  { listComma, andMorePlaces }: Words,
): string {
  const shown = places.slice(0, SHOWN).map(({ path, line }) => inlineCode(`${path}:${line}`));
  const text = shown.join(listComma);
  return places.length > SHOWN ? andMorePlaces(text, places.length) : text;
}
