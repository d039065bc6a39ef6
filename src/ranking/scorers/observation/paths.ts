import type { Focus } from '../../focus.ts';
import type { Column, ColumnGroup } from '../local/features/columns.ts';

const PATH = /^\.?\/?((?:[\w.@+-]{1,100}\/){1,20}[\w.@+-]{1,100})/;
const OF_TESTS = /(?:^|\/)_*tests?[/_.]|spec\b|\.test\./;
const OF_DOCS = /docs?\/|locale|changelog|\.(?:po|md|rst|txt)$|node_modules|dist\/|build\/|release/i;

/** Lines that start with a path: search results and listings. */
export function pathColumns(lines: readonly string[], focus: Focus): ColumnGroup {
  const paths = lines.map((line) => PATH.exec(line.slice(0, 240))?.[1]);
  const counts = new Map<string, number>();
  for (const path of paths) if (path !== undefined) counts.set(path, (counts.get(path) ?? 0) + 1);
  const said = `${focus.question}\n${focus.task ?? ''}`;
  const named = new Map([...counts.keys()].map((path) => [path, said.includes(lastPart(path))]));
  const column = (of: (path: string) => number): Column => {
    const values = new Float32Array(lines.length);
    for (const [line, path] of paths.entries()) if (path !== undefined) values[line] = of(path);
    return values;
  };
  return {
    'path.is': column(() => 1),
    'path.tests': column((path) => (OF_TESTS.test(path) ? 1 : 0)),
    'path.docs': column((path) => (OF_DOCS.test(path) ? 1 : 0)),
    'path.lines': column((path) => Math.log1p(counts.get(path) ?? 0) / 3),
    'path.named': column((path) => (named.get(path) === true ? 1 : 0)),
  };
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
