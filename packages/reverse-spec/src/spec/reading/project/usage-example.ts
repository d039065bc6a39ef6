import type { CallEdge } from '../call-graph.ts';
import type { UsageExample } from '../facts.ts';

const MAX_LINES = 14;

const MAX_NEAR = 4;

/** Returns the code around a call: its whole function if it is short, else the lines of the paragraph it is in. */
export function usageExample(text: string, { from, line }: CallEdge): UsageExample | undefined {
  const lines = text.split('\n');
  const isShort = from.name !== '' && from.endLine - from.startLine < MAX_LINES && from.startLine <= line;
  const [start, end] = isShort ? [from.startLine, from.endLine] : paragraphAt(lines, line);
  const code = outdented(lines.slice(start - 1, end));
  return code.trim() === '' ? undefined : { path: from.path, startLine: start, endLine: end, code };
}

function paragraphAt(lines: readonly string[], line: number): [start: number, end: number] {
  let [start, end] = [line, line];
  while (start > 1 && line - start < MAX_NEAR && (lines[start - 2]?.trim() ?? '') !== '') start -= 1;
  while (end < lines.length && end - line < MAX_NEAR && (lines[end]?.trim() ?? '') !== '') end += 1;
  return [start, end];
}

function outdented(lines: readonly string[]): string {
  const depths = lines
    .filter((each) => each.trim() !== '')
    .map((each) => each.length - each.trimStart().length);
  const depth = Math.min(...depths, 200);
  return lines.map((each) => each.slice(depth).trimEnd()).join('\n');
}
