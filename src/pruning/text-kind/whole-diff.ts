/** Diffs up to this many characters are read to the letter; longer ones lose whole hunks, files and commits. */
export const WHOLE_DIFF_CHARS = 20_000;
