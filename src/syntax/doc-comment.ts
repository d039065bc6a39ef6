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
  return comment
    .replace(/^\/\*[*!]*<?/, '')
    .replace(/\**\*\/$/, '')
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*\*+(?= |$|\r)/, '')
        .replace(/^ /, '')
        .trimEnd(),
    );
}

function cleanLines(comment: string): string[] {
  return comment.split('\n').map((line) => line.replace(/^\s*(?:\/\/[/!]?<?|#+!?|--)\s?/, '').trimEnd());
}
