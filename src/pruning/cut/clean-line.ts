// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences start with a control character
const TERMINAL_SEQUENCE = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;

/** A line as a terminal would leave it: no colours, and of a progress bar only what stands at the end. */
export function cleanLine(line: string): string {
  const plain = line.includes('\u001b') ? line.replace(TERMINAL_SEQUENCE, '') : line;
  return plain.includes('\r') ? lastDrawn(plain) : plain;
}

function lastDrawn(line: string): string {
  const end = line.endsWith('\r') ? line.length - 1 : line.length;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}
