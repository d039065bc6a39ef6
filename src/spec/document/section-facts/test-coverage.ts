import type { SpecFacts } from '../../facts.ts';
import { blocks, inlineCode, table } from '../markdown.ts';

const SHOWN = 3;

/** Which tests name which export; an export no test names is worth knowing too. */
export function renderTestCoverage({ tests }: SpecFacts): string {
  if (tests.length === 0) return '';
  const named = tests.filter((mention) => mention.tests.length > 0);
  const rows = named.map(({ symbolName, filePath, tests: places }) => [
    inlineCode(symbolName),
    inlineCode(filePath),
    placesText(places),
  ]);
  const unnamed = tests.filter((mention) => mention.tests.length === 0).map(({ symbolName }) => symbolName);
  const count = `${tests.length} 个导出中有 ${named.length} 个在测试中被提及。`;
  const missing =
    unnamed.length === 0 ? '' : `测试中未提及：${[...new Set(unnamed)].map(inlineCode).join('、')}。`;
  return blocks(count, table(['导出', '文件', '提及它的测试'], rows), missing);
}

function placesText(places: readonly { path: string; line: number }[]): string {
  const shown = places.slice(0, SHOWN).map(({ path, line }) => inlineCode(`${path}:${line}`));
  const more = places.length > SHOWN ? ` 等 ${places.length} 处` : '';
  return shown.join('、') + more;
}
