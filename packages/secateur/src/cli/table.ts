import { type Paint, printable } from '@secateur/serving/commands/terminal.ts';

/** Names of tools and servers come from data and may be of any length. */
const MAX_CELL_CHARS = 80;

/** Rows under each other, the first and the last in bold; what is in a column of `left` begins where it begins, figures end there. */
export function table(
  given: readonly (readonly string[])[],
  paint: Paint,
  left: readonly number[] = [0],
): string {
  const rows = given.map((row) => row.map((cell) => printable(shortened(cell))));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return left.includes(column) ? cell.padEnd(width) : cell.padStart(width);
    });
    return cells.join('  ').trimEnd();
  });
  const isOutstanding = (index: number) => index === 0 || index === lines.length - 1;
  return lines.map((line, index) => (isOutstanding(index) ? paint('bold', line) : line)).join('\n');
}

function shortened(cell: string): string {
  return cell.length > MAX_CELL_CHARS ? `${cell.slice(0, MAX_CELL_CHARS - 1)}…` : cell;
}
