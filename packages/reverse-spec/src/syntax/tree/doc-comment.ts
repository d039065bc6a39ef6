/** Returns the text of a comment without comment marks (stars, slashes, hashes); undefined if it is empty. */
export function cleanDoc(comment: string): string | undefined {
  const words = comment.startsWith('/*')
    ? withoutEnd(comment.replace(/^\/\*[*!]*<?/, ''))
        .split('\n')
        .map(withoutStar)
    : comment.split('\n').map((line) => line.replace(/^\s*(?:\/\/[/!]?<?|#+[!:]?|--)\s?/, '').trimEnd());
  const text = words.join('\n').trim();
  return text === '' ? undefined : text;
}

/** Removes the end mark of a block comment and the stars before it. */
function withoutEnd(comment: string): string {
  if (!comment.endsWith('*/')) return comment;
  let end = comment.length - 1;
  while (comment.charCodeAt(end - 1) === STAR) end -= 1;
  return comment.slice(0, end);
}

const [STAR, BLANK, RETURN] = [42, 32, 13];

/** Removes the stars at the start of a line. Uses no pattern, because it runs on every line of every comment. */
function withoutStar(line: string): string {
  const words = line.trimStart();
  let stars = 0;
  while (words.charCodeAt(stars) === STAR) stars += 1;
  const after = words.charCodeAt(stars);
  const opens = stars > 0 && (after === BLANK || after === RETURN || Number.isNaN(after));
  const rest = opens ? words.slice(stars) : line;
  return (rest.charCodeAt(0) === BLANK ? rest.slice(1) : rest).trimEnd();
}
