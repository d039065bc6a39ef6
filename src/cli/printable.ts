/** A name or a message of others on one line: what moves a cursor or rings a bell is shown as `?`. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '?');
}
