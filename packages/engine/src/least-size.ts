/** What a cut must be worth; without one every text is cut as far as it goes. */
export interface LeastSize {
  /** Shorter texts pass whole. */
  characters: number;
  /** So do texts that would lose fewer tokens, or a smaller share of them. */
  savedTokens: number;
  savedShare: number;
}

/** What it is unless a setting says otherwise: below, a marker and a recovery cost more than a cut can save. */
export const USUAL_LEAST: LeastSize = { characters: 1000, savedTokens: 60, savedShare: 0.2 };

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
