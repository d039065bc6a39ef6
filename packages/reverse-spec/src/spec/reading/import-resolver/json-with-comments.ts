import { parsedFields } from '@secateur/base/text/json-value.ts';
/** What manifests hold: JSON, in some of them with comments and trailing commas. Nothing when it is broken. */
export function readJson(text: string): Readonly<Record<string, unknown>> {
  return parsedFields(text) ?? parsedFields(withoutComments(text)) ?? {};
}

/** Strings first, so that a `//` inside one stays. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|,(?=\s*[}\]])/g;

function withoutComments(text: string): string {
  return text.replace(TOKEN, (token) => (token.startsWith('"') ? token : ' '));
}
