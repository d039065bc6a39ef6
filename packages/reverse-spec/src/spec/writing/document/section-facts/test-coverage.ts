import type { SpecFacts, TestMention } from '../../../reading/facts.ts';
import type { Words } from '../../../words.ts';
import { blocks, inlineCode, table } from '../markdown.ts';
import { linesLink, linkTo } from '../source-link.ts';
import { shownName } from './fact-text.ts';

const SHOWN = 3;
const MAX_UNTESTED = 40;

/** Lists which tests call which export or method, and exports that no test calls. */
export function renderTestCoverage(facts: SpecFacts, words: Words): string {
  const { tests } = facts;
  if (tests.length === 0) return '';
  const called = tests.filter((mention) => mention.tests.length > 0);
  const rows = called.map((mention, at) => [
    inlineCode(symbolText(mention)),
    called[at - 1]?.filePath === mention.filePath ? '' : inlineCode(mention.filePath),
    placesText(mention.tests, facts, words),
  ]);
  const { columns } = words;
  return blocks(
    words.testedExports(called.length, tests.length),
    table([columns.export, columns.file, columns.tests], rows),
    untestedText(tests, words),
  );
}

/** Ruby writes `Type#method`, Rust, PHP and C++ `Type::method`. */
function symbolText({ symbolName, filePath }: TestMention): string {
  return shownName(symbolName, filePath);
}

function untestedText(tests: readonly TestMention[], { untested, listComma, facts }: Words): string {
  const names = [...new Set(tests.filter((mention) => mention.tests.length === 0).map(symbolText))];
  if (names.length === 0) return '';
  const shown = names.slice(0, MAX_UNTESTED).map(inlineCode).join(listComma);
  const more = names.length - MAX_UNTESTED;
  return untested(shown) + (more > 0 ? ` ${facts.more(more)}` : '');
}

/** `test/a.test.ts#L3, L9`: a file is named once. */
function placesText(
  places: TestMention['tests'],
  facts: SpecFacts,
  { listComma, andMorePlaces }: Words,
): string {
  const shown = places.slice(0, SHOWN).map(({ path, line }, at) => {
    const place = { path, startLine: line, endLine: line };
    return places[at - 1]?.path === path ? linesLink(facts, place) : linkTo(facts, place);
  });
  const text = shown.join(listComma);
  return places.length > SHOWN ? andMorePlaces(text, places.length) : text;
}
