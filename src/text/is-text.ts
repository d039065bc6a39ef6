const SAMPLE_CHARACTERS = 64_000;
/** As far as git and grep look. */
const LOOKED_AT_FOR_NUL = 8000;
/** A text may quote a broken character or two. */
const MOST_BROKEN = 0.02;

/** Whether a decoded string was text at all: no NUL near the start, hardly any bytes that were no UTF-8. */
export function isText(text: string): boolean {
  if (text.slice(0, LOOKED_AT_FOR_NUL).includes('\u0000')) return false;
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  let broken = 0;
  for (let at = sample.indexOf('\ufffd'); at >= 0; at = sample.indexOf('\ufffd', at + 1)) broken += 1;
  return broken <= MOST_BROKEN * sample.length;
}
