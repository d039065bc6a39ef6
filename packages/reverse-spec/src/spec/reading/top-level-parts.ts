/** Splits a list at the separators that are in no brackets; parts are trimmed, empty ones are left out. */
export function topLevelParts(list: string, separator = ','): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of list) {
    if ('([{<'.includes(character)) depth += 1;
    if (')]}>'.includes(character)) depth -= 1;
    if (character === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
