/** What manifests hold: JSON, in some of them with comments and trailing commas. Nothing when it is broken. */
export function readJson(text: string): Readonly<Record<string, unknown>> {
  for (const candidate of [text, withoutComments(text)]) {
    try {
      const value: unknown = JSON.parse(candidate);
      return isObject(value) ? value : {};
    } catch {
      // The next form.
    }
  }
  return {};
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Strings first, so that a `//` inside one stays. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|,(?=\s*[}\]])/g;

function withoutComments(text: string): string {
  return text.replace(TOKEN, (token) => (token.startsWith('"') ? token : ' '));
}
