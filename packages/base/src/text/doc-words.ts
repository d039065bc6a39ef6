/** This file reads the text of comments on declarations, in any language. */

/** First sentence of a line. A dot in `. and ..` or `e.g.` does not end a sentence. */
const SENTENCE = /^.*?(?:[。！？]|(?<=[^\s.])(?<!\b(?:e\.g|i\.e|cf|vs))[.!?](?=\s|$))/;

/** Returns the first sentence of a line, or the whole line if it contains no end of a sentence. */
export function firstSentenceOf(words: string): string {
  return SENTENCE.exec(words)?.[0] ?? words;
}

const XML_BLOCK = /<(?:summary|inheritdoc|remarks|param|typeparam|returns|value|exception|example)\b/;

/** Converts C# comments: `<summary>` to text, other blocks to tags as in Javadoc, references to code. */
export function withoutXml(text: string): string {
  if (!XML_BLOCK.test(text)) return text;
  return text
    .replace(
      /<(?:see|seealso|paramref|typeparamref)\s{1,40}\w{1,20}="(?:[A-Z]:)?([^"]{1,300})"\s{0,40}\/>/g,
      '`$1`',
    )
    .replace(/<c>([^<]{1,300})<\/c>/g, '`$1`')
    .replace(/<(?:exception|(?:type)?param)\s{1,40}(?:cref|name)="([^"]{1,300})"\s{0,9}>/g, '\n@param $1 ')
    .replace(/<(?:returns|value|example|remarks)>/g, '\n@remarks ')
    .replace(
      /<\/?(?:summary|remarks|param|typeparam|returns|value|exception|example|para|list|item|inheritdoc)\b[^<>]{0,300}>/g,
      '',
    )
    .trim();
}

/** Tags in comments for unfinished work, as alternatives of a pattern. */
export const UNFINISHED_TAGS = 'TODO|FIXME|HACK|XXX|BUG|OPTIMIZE|WORKAROUND|REFACTOR';
