/** Finds stack traces of the supported languages anywhere in a text. */
import type { LineRange } from '@secateur/base/text/lines.ts';
import { indentOf, isBlank } from './marks.ts';

const FRAME = new RegExp(
  [
    String.raw`^\s+at \S`, // Java, JavaScript, .NET
    String.raw`^\s*File "[^"]{1,300}", line \d+`, // Python
    String.raw`^\s+from \S+:\d+:in `, // Ruby
    String.raw`^\s*#\d+\s+(?:0x[0-9a-f]+|\S+\(|\S+ in |/)`, // gdb, PHP
    String.raw`^\s+\d+:\s+(?:0x[0-9a-f]+|\S+::|[\w<])`, // Rust
    String.raw`^\s+/\S+:\d+(?: \+0x[0-9a-f]+)?$`, // Go
    String.raw`^goroutine \d+ \[`,
    String.raw`^\s*Caused by: `,
    String.raw`^\s+\.{3} \d+ (?:more|common frames omitted)`,
    String.raw`^\s*Suppressed: `,
  ].join('|'),
  'i',
);
const PYTHON_START = /^\s*(?:[|+][|+ ]*)?(?:Traceback \(most recent call last\)|[\w.]+ Traceback:)/;
const MAX_LINE_CHARS = 400;

/** Yields each stack trace, from the line that announces it to its last frame or message; 1-based, inclusive. */
export function* traceRanges(lines: readonly string[]): Generator<LineRange> {
  for (let index = 0; index < lines.length; ) {
    const isPython = PYTHON_START.test((lines[index] ?? '').slice(0, MAX_LINE_CHARS));
    const end = isPython ? pythonEnd(lines, index) : framesEnd(lines, index);
    if (end === undefined) {
      index += 1;
      continue;
    }
    yield { start: Math.max(0, isPython ? index : index - 1) + 1, end: end + 1 };
    index = end + 1;
  }
}

/** Returns the end of a Python trace: the exception, on the first line without indentation. */
function pythonEnd(lines: readonly string[], start: number): number {
  const outer = indentOf(lines[start] ?? '');
  let index = start + 1;
  while (index < lines.length && (isBlank(lines[index]) || indentOf(lines[index] ?? '') > outer)) index += 1;
  return Math.min(index, lines.length - 1);
}

/** Returns the end of consecutive frames. Indented lines between them (source, names of Go functions) are included. */
function framesEnd(lines: readonly string[], start: number): number | undefined {
  if (!isFrame(lines[start])) return undefined;
  let end = start;
  for (let index = start + 1; index < lines.length && index <= end + 2; index += 1)
    if (isFrame(lines[index])) end = index;
  return end;
}

function isFrame(line: string | undefined): boolean {
  return line !== undefined && FRAME.test(line.slice(0, MAX_LINE_CHARS));
}
