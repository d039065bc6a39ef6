export const TIERS = ['full', 'per-line', 'lexical'] as const;
export type Tier = (typeof TIERS)[number];

export interface TextSize {
  lines: number;
  characters: number;
}

/** What reading the features costs on an ordinary core, and what each network adds, in milliseconds; see bench/scorer-speed.ts. */
const READING = { line: 0.007, character: 0.0001 };
const NETWORK_LINE: Readonly<Record<Tier, number>> = { full: 0.026, 'per-line': 0.006, lexical: 0 };
/** A machine half as fast as an ordinary one still gets the same tier, so that the same request gives the same answer. */
const SLACK = 2;

/**
 * The best tier that fits the time left. With `planned`, the features are read already and no tier above it is
 * chosen: a plan holds unless the machine turned out to be slower than the slack allows.
 */
export function chooseTier({ lines, characters }: TextSize, remainingMs: number, planned?: Tier): Tier {
  const reading = planned === undefined ? lines * READING.line + characters * READING.character : 0;
  const slack = planned === undefined ? SLACK : 1;
  const eligible = TIERS.slice(planned === undefined ? 0 : TIERS.indexOf(planned));
  return eligible.find((tier) => (reading + lines * NETWORK_LINE[tier]) * slack <= remainingMs) ?? 'lexical';
}
