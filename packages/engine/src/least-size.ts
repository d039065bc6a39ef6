/** Minimum savings of a cut; without them every text is cut as far as possible. */
export interface LeastSize {
  /** Shorter texts are returned unchanged. */
  characters: number;
  /** So do texts that would lose fewer tokens, or a smaller share of them. */
  savedTokens: number;
  savedShare: number;
}

/** Default: below it, a marker and a recovery cost more than a cut can save. */
export const DEFAULT_LEAST: LeastSize = { characters: 1000, savedTokens: 60, savedShare: 0.2 };

export function isTooSmall(text: string, least: LeastSize | undefined): boolean {
  return least !== undefined && text.length < least.characters;
}

export function savesTooLittle(
  { tokensBefore, tokensAfter }: { tokensBefore: number; tokensAfter: number },
  least: LeastSize | undefined,
): boolean {
  if (least === undefined) return false;
  const saved = tokensBefore - tokensAfter;
  return saved < least.savedTokens || saved < least.savedShare * tokensBefore;
}
