import { type Fields, isFields, parsedFields } from '@secateur/base/text/json.ts';
import jsonc, { type ParseError } from 'jsonc-parser';

/** Returns the object in a manifest: JSON, in some of them with comments and trailing commas; empty if the text is broken. */
export function readJson(text: string): Fields {
  const plain = text.replace(/^\uFEFF/, '');
  return parsedFields(plain) ?? parsedWithComments(plain);
}

function parsedWithComments(text: string): Fields {
  const errors: ParseError[] = [];
  try {
    const value: unknown = jsonc.parse(text, errors, { allowTrailingComma: true });
    return errors.length === 0 && isFields(value) ? value : {};
  } catch {
    // The parser recurses: a text of a hundred thousand brackets exceeds the stack.
    return {};
  }
}
