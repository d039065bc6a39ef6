/** Text as ripgrep writes it: as a string, or in base64 when it is not UTF-8. */
type Data = { text: string } | { bytes: string };

export function beginPath(message: Buffer): string {
  return textOf(dataOf<{ path: Data }>(message).path);
}

export interface MatchedLine {
  line: number;
  column: number | null;
  text: string;
  cut: boolean;
}

export function readMatch(message: Buffer): MatchedLine {
  const { lines, line_number, submatches } = dataOf<{
    lines: Data;
    line_number: number | null;
    submatches: { start: number }[];
  }>(message);
  const start = submatches[0]?.start;
  const column = start === undefined ? null : start + 1;
  return { line: line_number ?? 0, column, ...shortenLine(textOf(lines).replace(/\r?\n$/, ''), start ?? 0) };
}

function dataOf<Content>(message: Buffer): Content {
  return (JSON.parse(message.toString()) as { data: Content }).data;
}

function textOf(data: Data): string {
  return 'text' in data ? data.text : Buffer.from(data.bytes, 'base64').toString('utf8');
}

/** Longer lines (minified code, data) are shown around their match only. */
const MAX_LINE_CHARACTERS = 2_000;
const BEFORE_MATCH = 500;

export function shortenLine(line: string, matchAt: number): { text: string; cut: boolean } {
  if (line.length <= MAX_LINE_CHARACTERS) return { text: line, cut: false };
  const start = Math.max(0, Math.min(matchAt - BEFORE_MATCH, line.length - MAX_LINE_CHARACTERS));
  const end = Math.min(line.length, start + MAX_LINE_CHARACTERS);
  const shown = line.slice(start, end).toWellFormed();
  return { text: `${start > 0 ? '…' : ''}${shown}${end < line.length ? '…' : ''}`, cut: true };
}
