const LONGEST = 200;

/** What a log line says once its numbers, ids, times and paths are taken out: two lines of one pattern share it. */
export function templateOf(line: string): string {
  return line
    .slice(0, LONGEST)
    .replace(/(?<![\w./\\-])[\w./\\-]*\d[\w./\\:-]*/g, '#')
    .replace(/\s+/g, ' ')
    .trim();
}
