export interface TextSize {
  lines: number;
  characters: number;
}

/** Cost of reading the features on an ordinary core, and of the network, in ms; see bench/scorer-speed.ts. */
const READING = { line: 0.004, character: 0.0001 };
const NETWORK_LINE = 0.0035;
/** A machine that much slower than an ordinary one still ranks with the network, so that the same request gives the same answer. */
const SLACK = 1.5;

/** Whether there is time to read the features and to run the network over them. */
export function networkFits(size: TextSize, remainingMs: number): boolean {
  if (hasHardlyAnyText(size)) return false;
  const { lines, characters } = size;
  const costMs = lines * (READING.line + NETWORK_LINE) + characters * READING.character;
  return costMs * SLACK <= remainingMs;
}

/**
 * Returns whether the network still fits once the features are read: it does unless the machine is slower
 * than the slack.
 */
export function networkStillFits({ lines }: TextSize, remainingMs: number): boolean {
  return lines * NETWORK_LINE <= remainingMs;
}

const MANY_LINES = 10_000;
const FEW_CHARACTERS = 6;

/** The network looks at lines, not at characters: on a heap of blank lines it would take long and learn nothing. */
function hasHardlyAnyText({ lines, characters }: TextSize): boolean {
  return lines > MANY_LINES && characters < lines * FEW_CHARACTERS;
}
