/** A name or a message of others on one line: what moves a cursor, rings a bell or turns the writing around is shown as `?`. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '?');
}

/** Replaces control characters but line breaks and tabs. */
export function printableLines(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '?');
}

/** JSON escapes most of them already; the rest are inside its strings. */
export function printableJson(json: string): string {
  return json.replace(/[\u007f-\u009f]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
}
