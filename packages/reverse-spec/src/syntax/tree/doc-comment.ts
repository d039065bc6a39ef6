/** The words of a comment, without the marks of its language: stars, slashes, hashes, quotes. */
export function cleanDoc(comment: string): string | undefined {
  const words = isBlock(comment) ? cleanBlock(comment) : cleanLines(comment);
  const text = words.join('\n').trim();
  return text === '' ? undefined : text;
}

function isBlock(comment: string): boolean {
  return comment.startsWith('/*');
}

function cleanBlock(comment: string): string[] {
  return withoutEnd(comment.replace(/^\/\*[*!]*<?/, ''))
    .split('\n')
    .map(withoutStar);
}

/** Without the slash that ends a block and the stars before it. */
function withoutEnd(comment: string): string {
  if (!comment.endsWith('*/')) return comment;
  let end = comment.length - 1;
  while (comment.charCodeAt(end - 1) === STAR) end -= 1;
  return comment.slice(0, end);
}

const [STAR, BLANK, RETURN] = [42, 32, 13];

/** A line without the stars it opens with and the blank after them; by hand, as every comment of a tree passes here. */
function withoutStar(line: string): string {
  const words = line.trimStart();
  let stars = 0;
  while (words.charCodeAt(stars) === STAR) stars += 1;
  const after = words.charCodeAt(stars);
  const opens = stars > 0 && (after === BLANK || after === RETURN || Number.isNaN(after));
  const rest = opens ? words.slice(stars) : line;
  return (rest.charCodeAt(0) === BLANK ? rest.slice(1) : rest).trimEnd();
}

function cleanLines(comment: string): string[] {
  return comment.split('\n').map((line) => line.replace(/^\s*(?:\/\/[/!]?<?|#+[!:]?|--)\s?/, '').trimEnd());
}
