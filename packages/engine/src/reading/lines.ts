/** Lines as patterns should see them: without terminal sequences, progress redrawn on one line, and number prefixes. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences start with a control character
const TERMINAL_SEQUENCE = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;

/** A line as a terminal would leave it: no colours, and of a progress bar only what was drawn last. */
export function cleanLine(line: string): string {
  const plain = line.includes('\u001b') ? line.replace(TERMINAL_SEQUENCE, '') : line;
  return plain.includes('\r') ? lastDrawn(plain) : plain;
}

function lastDrawn(line: string): string {
  const end = line.endsWith('\r') ? line.length - 1 : line.length;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

const MAX_SAMPLE_LINES = 400;
const MAX_SAMPLE_LINE_CHARS = 300;

/** Lines from head and tail of a text, enough to recognise it at a flat cost: a test run says at its end what it is. */
export function sampleOf(lines: readonly string[]): string[] {
  const half = MAX_SAMPLE_LINES / 2;
  const chosen = lines.length <= MAX_SAMPLE_LINES ? lines : [...lines.slice(0, half), ...lines.slice(-half)];
  return chosen.filter((line) => line.trim() !== '').map((line) => line.slice(0, MAX_SAMPLE_LINE_CHARS));
}

/** A digit after the colon makes it a time, or line and column of a finding. */
const NUMBER_PREFIX = /^\s{0,8}\d{1,7}(?::(?!\d)|[|│→\t]| {2})/;
const MIN_NUMBERED_SHARE = 0.7;

/** Whether most lines begin with a number, as `cat -n`, `nl` and `grep -n` write it. */
export function isNumbered(sample: readonly string[]): boolean {
  const numbered = sample.filter((line) => NUMBER_PREFIX.test(line)).length;
  return sample.length >= 3 && numbered > MIN_NUMBERED_SHARE * sample.length;
}

export function withoutNumber(line: string): string {
  const prefix = NUMBER_PREFIX.exec(line.slice(0, 24));
  return prefix === null ? line : line.slice(prefix[0].length);
}
