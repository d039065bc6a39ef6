const LOOK_AHEAD = 200;
const TYPE_MEMBER =
  /^(?:\s|\/\/.*\n|\/\*[\s\S]*?\*\/)*(?:readonly\s|-?readonly\s|[\w$]+\??\s*:|(['"]).*\1\??\s*:|\[[\w$]+\s*(?::|in\b))/;

/** Whether the brace at `start` looks like that of an object type: an arrow before it then belongs to a function type. */
export function opensObjectType(text: string, start: number): boolean {
  return TYPE_MEMBER.test(text.slice(start + 1, start + LOOK_AHEAD));
}
