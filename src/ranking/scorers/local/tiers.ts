export const TIERS = ['full', 'per-line', 'lexical'] as const;
export type Tier = (typeof TIERS)[number];

export interface TextSize {
  lines: number;
  characters: number;
}

/** What reading the features costs on an ordinary core, and what each network adds, in milliseconds; see bench/scorer-speed.ts. */
const READING = { line: 0.004, character: 0.0001 };
const NETWORK_LINE: Readonly<Record<Tier, number>> = { full: 0.0035, 'per-line': 0.003, lexical: 0 };
/**
 * A machine that much slower than an ordinary one still gets the same tier, so that the same request gives the same answer. The full network
 * costs next to nothing more than the smaller one: where there is time for that, there is time for it.
 */
const SLACK: Readonly<Record<Tier, number>> = { full: 1.5, 'per-line': 1.5, lexical: 1 };

/**
 * The best tier that fits the time left. With `planned`, the features are read already and no tier above it is
 * chosen: a plan holds unless the machine turned out to be slower than the slack allows.
 */
export function chooseTier(size: TextSize, remainingMs: number, planned?: Tier): Tier {
  if (hasHardlyAnyText(size)) return 'lexical';
  const { lines, characters } = size;
  const reading = planned === undefined ? lines * READING.line + characters * READING.character : 0;
  const slack = (tier: Tier) => (planned === undefined ? SLACK[tier] : 1);
  const eligible = TIERS.slice(planned === undefined ? 0 : TIERS.indexOf(planned));
  const fits = (tier: Tier) => (reading + lines * NETWORK_LINE[tier]) * slack(tier) <= remainingMs;
  return eligible.find(fits) ?? 'lexical';
}

const MANY_LINES = 10_000;
const FEW_CHARACTERS = 6;

/** A network looks at lines, not at characters: on a heap of blank lines it would take long and learn nothing. */
function hasHardlyAnyText({ lines, characters }: TextSize): boolean {
  return lines > MANY_LINES && characters < lines * FEW_CHARACTERS;
}
