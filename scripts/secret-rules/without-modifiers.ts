/**
 * Rewrites a pattern of Go for a JavaScript without modifiers inside of patterns: under `(?i)` every letter
 * matches both of its cases.
 */
export function withoutModifiers(pattern: string, ignoresCase: boolean): string {
  const groups = [ignoresCase];
  let plain = '';
  let rest = pattern.replaceAll('[[:alnum:]]', '[A-Za-z0-9]').replaceAll('\\x60', '`');
  while (rest !== '') {
    const piece = PIECE.exec(rest)?.[0] ?? rest;
    rest = rest.slice(piece.length);
    plain += pieceOf(piece, groups);
  }
  return plain;
}

const PIECE = /^(?:\(\?-?i\)|\(\?-?i:|\(\?:|\[(?:\\.|[^\]\\])*\]|\\.|\{[\d,]*\}|[\s\S])/;

/** `groups` says for each open group whether it ignores case, the innermost last. */
function pieceOf(piece: string, groups: boolean[]): string {
  const isSwitch = /^\(\?-?i\)$/.test(piece);
  if (isSwitch) groups[groups.length - 1] = !piece.includes('-');
  if (isSwitch) return '';
  if (/^\(\?-?i:$/.test(piece)) groups.push(!piece.includes('-'));
  else if (piece.startsWith('(')) groups.push(groups.at(-1) ?? false);
  if (piece === ')') groups.pop();
  if (piece.startsWith('(?')) return '(?:';
  return groups.at(-1) === true ? bothCases(piece) : piece;
}

function bothCases(piece: string): string {
  if (/^[a-z]$/i.test(piece)) return `[${piece.toLowerCase()}${piece.toUpperCase()}]`;
  if (!piece.startsWith('[')) return piece;
  const inner = piece.slice(1, -1);
  const other = [...inner.matchAll(/(?<!\\)([a-z])(?:-([a-z]))?/gi)].map(([range]) =>
    range === range.toLowerCase() ? range.toUpperCase() : range.toLowerCase(),
  );
  return `[${other.filter((range) => !inner.includes(range)).join('')}${inner}]`;
}
