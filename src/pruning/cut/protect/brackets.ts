const ROUND_AND_SQUARE = balancesOf('([', ')]');
const WITH_BRACES = balancesOf('([{', ')]}');

/** Round and square brackets, and braces if asked for, that a line opens less those it closes. */
export function bracketBalance(line: string, withBraces: boolean): number {
  const balances = withBraces ? WITH_BRACES : ROUND_AND_SQUARE;
  let balance = 0;
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code < balances.length) balance += balances[code] as number;
  }
  return balance;
}

/** By character code. */
function balancesOf(opening: string, closing: string): Int8Array {
  const balances = new Int8Array(128);
  for (const bracket of opening) balances[bracket.charCodeAt(0)] = 1;
  for (const bracket of closing) balances[bracket.charCodeAt(0)] = -1;
  return balances;
}
