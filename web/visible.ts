/** The longest piece of one line that is laid out at once: browsers take seconds for a line of megabytes. */
export const LONGEST_PIECE = 2000;

/**
 * Text of anybody as it can be looked at: control characters and those that turn the writing around are shown as
 * signs, so that what is read is what is there.
 */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (character === '\t') return character;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/** Controls, format characters such as bidirectional overrides and zero-width ones, line separators; the tab may stay. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
