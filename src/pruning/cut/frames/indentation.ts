import type { Frame, Frames } from '../frames.ts';

/** A head, and how far it is indented. */
export type IndentedHead = Omit<Frame, 'parent'> & { indent: number };

/** A line that closes what is open, or opens the body below its signature, ends no frame at its own indent. */
const CLOSER = /^\s*(?:[\])}{]|end\b)/;

interface OpenFrame {
  frame: number;
  indent: number;
}

/** Heads, in order, enclose what is indented deeper below them, up to the next line that is not. */
export function nestByIndent(
  lines: readonly string[],
  heads: readonly IndentedHead[],
): Omit<Frames, 'structural'> {
  const frames: Frame[] = [];
  const owner = new Int32Array(lines.length);
  const open: OpenFrame[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    closeFrames(lines[index] ?? '', open);
    const parent = open.at(-1)?.frame ?? -1;
    owner[index] = parent;
    const next = heads[frames.length];
    if (next === undefined || next.head.start !== index + 1) continue;
    const { head, noun, name, indent } = next;
    owner.fill(parent, index, head.end);
    frames.push({ head, noun, name, parent });
    open.push({ frame: frames.length - 1, indent });
    index = head.end - 1;
  }
  return { frames, owner };
}

function closeFrames(line: string, open: OpenFrame[]): void {
  const indent = line.slice(0, 200).search(/\S/);
  if (indent < 0) return;
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (indent > top.indent || (indent === top.indent && CLOSER.test(line.slice(0, 200)))) return;
    open.pop();
  }
}
