/** Frames as pytest prints them by default: the source of a function, what failed in it, and its place on the last line. */
const SEPARATOR = /^(?:_ ){3,200}_?\s*$/;
const PLACE = /^\S{1,300}\.py:\d+: ?\w*$/;
const TITLE = /^(?:_{3,}|={3,}) /;

/** 0-based, inclusive; from the separator above the frame to its place. */
export interface PytestFrame {
  readonly start: number;
  readonly end: number;
}

/** Lists the frames between others: the first one (the test) and the last one (the failure) of a trace are not among them. */
export function* middlePytestFrames(lines: readonly string[]): Generator<PytestFrame> {
  let start: number | undefined;
  for (const [index, line] of lines.entries()) {
    if (SEPARATOR.test(line)) start = index;
    else if (TITLE.test(line)) start = undefined;
    else if (start !== undefined && PLACE.test(line)) {
      if (SEPARATOR.test(lines[index + 1] ?? '')) yield { start, end: index };
      start = undefined;
    }
  }
}
