/** Runs of white space as one blank each: expressions need no repetition for it, and keep to a time in step with the line. */
export function drawTogether(line: string): string {
  const indent = line.length - line.trimStart().length;
  // Most lines are even but for their indent: a part of the line itself costs no copy.
  const oneBlank = indent > 0 ? line.slice(indent - 1) : line;
  return UNEVEN.test(oneBlank) ? oneBlank.replace(/\s+/g, ' ') : oneBlank;
}

const UNEVEN = /\s\s|[^\S ]/;
