import { type Block, traceBlocks } from '../protect/stack-trace.ts';

/** Frames nobody wrote for this project: of a language's own library, or of an installed package. */
const LIBRARY =
  /[/\\](?:node_modules|site-packages|dist-packages|gems|rustc)[/\\]|<frozen |\bnode:|\(internal\/|\bat (?:java|javax|jdk|sun|kotlin|scala|org\.junit|org\.gradle|org\.apache\.maven|System|Microsoft)\.|\bjava\.base\/|\/usr\/(?:local\/)?(?:lib|go)\/|\/lib\/python\d|\/pkg\/mod\/|\/\.cargo\/|\/rust\/library\/|^\s*\d+:\s+(?:0x[0-9a-f]+ - )?(?:std|core|alloc|__rust\w*|rust_\w+|_?main|clone3?|start_thread)\b(?!::tests)/;

/** Lines below one that begins a frame, its source and its place, belong to it. */
const BEGINS = /^\s*(?:at (?!\/|\.\/)|File "|from |#\d+\s|\d+:\s)/;
/** Go puts a frame's place below its name. */
const PLACE_BELOW = /^\t\S+:\d+/;
const STANDS_APART = /^\S|^\s*(?:Caused by|Suppressed|Traceback)\b/;

const LONGEST_LINE = 400;

/**
 * Frames of libraries, and frames that the text has shown before, of every stack trace that has others too: those lead to what its reader can
 * change. 0-based, inclusive.
 */
export function* foreignFrames(lines: readonly string[]): Generator<Block & { why: 'library' | 'repeated' }> {
  const known = new Set<string>();
  for (const block of traceBlocks(lines)) {
    const frames = framesIn(lines, block);
    const isOwn = frames.some((frame) => !isLibrary(lines, frame));
    for (const frame of frames) {
      const text = lines.slice(frame.start, frame.end + 1).join('\n');
      // Its last line says that the trace is there again.
      if (known.has(text) && frame.end < block.end) yield { ...frame, why: 'repeated' };
      else if (isOwn && isLibrary(lines, frame)) yield { ...frame, why: 'library' };
      known.add(text);
    }
  }
}

/** The frames below the line that announces a trace; messages between them are no part of any. */
function framesIn(lines: readonly string[], { start, end }: Block): Block[] {
  const frames: Block[] = [];
  let isOpen = false;
  for (let index = start + 1; index <= end; index += 1) {
    const begins = beginsFrame(lines, index);
    if (begins) frames.push({ start: index, end: index });
    isOpen = begins || (isOpen && !STANDS_APART.test(lines[index] ?? ''));
    const last = frames.at(-1);
    if (isOpen && last !== undefined) last.end = index;
  }
  return frames;
}

function beginsFrame(lines: readonly string[], index: number): boolean {
  return BEGINS.test((lines[index] ?? '').slice(0, LONGEST_LINE)) || PLACE_BELOW.test(lines[index + 1] ?? '');
}

function isLibrary(lines: readonly string[], { start, end }: Block): boolean {
  const shown = lines.slice(start, Math.min(end, start + 1) + 1);
  return shown.some((line) => LIBRARY.test(line.slice(0, LONGEST_LINE)));
}
