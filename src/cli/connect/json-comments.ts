import { editJson, type JsonEdit } from '../../text/json-edit.ts';

/** A string, or a comment as people write them into files of settings. */
const STRING_OR_COMMENT = /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** The text with blanks in place of comments: what is left is JSON, and every character stands where it stood. */
export function blankComments(text: string): string {
  if (!text.includes('/')) return text;
  return text.replaceAll(STRING_OR_COMMENT, (found) =>
    found.startsWith('"') ? found : found.replaceAll(/[^\n]/g, ' '),
  );
}

/** Changes single values of a file of settings; comments and every other byte stay. */
export function editSettings(text: string, edits: readonly JsonEdit[]): string {
  return editJson(text, edits, blankComments(text));
}
