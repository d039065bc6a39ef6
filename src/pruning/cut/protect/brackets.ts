const [OPEN_ROUND, CLOSE_ROUND] = [40, 41];
const [OPEN_SQUARE, CLOSE_SQUARE] = [91, 93];
const [OPEN_BRACE, CLOSE_BRACE] = [123, 125];

/** Round and square brackets, and braces if asked for, that a line opens less those it closes. */
export function bracketBalance(line: string, withBraces: boolean): number {
  let balance = 0;
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code === OPEN_ROUND || code === OPEN_SQUARE || (withBraces && code === OPEN_BRACE)) balance += 1;
    if (code === CLOSE_ROUND || code === CLOSE_SQUARE || (withBraces && code === CLOSE_BRACE)) balance -= 1;
  }
  return balance;
}
