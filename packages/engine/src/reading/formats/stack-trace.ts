import { indentOf, type Mark, type Marks, setMarkOnce } from '../marks.ts';

/**
 * Stack traces of JavaScript, Python, Java, .NET, Ruby, Go, Rust, PHP and gdb in the output of a run. Frames
 * of libraries and frames shown before may be removed. Frames of the project, and the frame nearest to the
 * failure, are kept.
 */

/** Lines of a frame, 0-based and inclusive. */
interface Frame {
  readonly start: number;
  readonly end: number;
  readonly isPython: boolean;
}

/** First line of a frame. */
const FRAME = new RegExp(
  [
    String.raw`^\s+at \S`, // Java, JavaScript, .NET
    String.raw`^\s*#\d+\s+(?:0x[0-9a-f]+ in |[\w:~<>]{1,100} ?\(|/|\{main\})`, // gdb, PHP
    String.raw`^\s+\d+:\s+(?:0x[0-9a-f]+ - )?[\w<_]`, // Rust
  ].join('|'),
);
const RUBY_FRAME = /^\s*(?:# )?(?:from )?[\w./~-]{1,200}\.rb:\d+:in /;
const PYTHON_FRAME = /^\s*File "[^"]{1,300}", line \d+/;
/** Matches frames as pytest prints them with `--tb=short` and for collection errors. */
const PYTEST_FRAME = /^[\w./~-]{1,300}\.pyx?:\d+: in \S/;
/** Matches the position of a frame in Go and Rust, which follows its name. */
const GO_PLACE = /^\t\S{1,300}\.(?:go|s):\d+/;
const GO_NAME = /^\S{1,300}\(.{0,300}\)$|^created by \S/;
const RUST_FRAME = /^\s+\d+:\s+\S/;
const RUST_PLACE = /^\s+at \S{1,300}:\d+/;

/** Matches frames of the standard library or an installed package. */
const LIBRARY = new RegExp(
  [
    String.raw`[/\\](?:node_modules|site-packages|dist-packages|gems|rustc|lib/ruby|vendor)[/\\]`,
    String.raw`<frozen |\bnode:|\(internal/|\(<anonymous>\)|<anonymous>$|/usr/(?:local/)?(?:lib|go|include)/|/lib/python\d|/pkg/mod/|hostedtoolcache/`,
    String.raw`/\.cargo/|/rust/library/|\.rbenv/|\.rvm/|phar://`,
    String.raw`^\s+at (?:java|javax|jdk|sun|com\.sun|kotlin|kotlinx|scala|groovy|org\.(?:junit|gradle|codehaus|mockito|hamcrest|testng|scalatest|eclipse|apache\.(?:maven|catalina|coyote|tomcat)|springframework|hibernate)|io\.netty|reactor|System|Microsoft|Xunit|NUnit)\.`,
    String.raw`java\.base/|^(?:runtime|testing|reflect|net/http)\.\S|^panic\(|^created by (?:runtime|testing|net/http)\.`,
    String.raw`^\s*\d+:\s+(?:0x[0-9a-f]+ - )?<?(?:std|core|alloc|test|__rust\w*|rust_\w+|_?main|clone3?|start_thread|__libc_start_main|_start)\b`,
  ].join('|'),
);
/** Matches functions that raise a failure. They do not count as nearest to it, because they never contain its cause. */
const PANIC =
  /rust_begin_unwind|panicking|begin_panic|(?:unwrap|expect)_failed|^panic\(|^runtime\.|^testing\.|debug\.Stack|rust_panic/;

/** Number of frames that are kept of a trace which contains only library frames. */
const MAX_KEPT_LIBRARY_FRAMES = 4;
/** Minimum number of consecutive frames in a gap. */
const MIN_FRAMES = 3;
const MAX_LINE = 400;

const LIBRARY_FRAME: Mark = { kind: 'library-frames', rule: 'library-frames', name: '', count: 1 };
const SHOWN_FRAME: Mark = { ...LIBRARY_FRAME, name: 'shown above' };

/** Marks library frames and frames shown before, of all traces in `lines`. */
export function markLibraryFrames(lines: readonly string[], marks: Marks): void {
  markPytestFrames(lines, marks);
  const shown = new Set<string>();
  for (const trace of tracesIn(lines)) {
    const frameMarks = marksOfTrace(lines, trace, shown);
    let start = 0;
    for (let position = 0; position <= trace.length; position += 1) {
      if (frameMarks[position] !== undefined) continue;
      for (let at = start; at < position && position - start >= MIN_FRAMES; at += 1)
        setMarkOnce(marks, frameMarks[at] as Mark, trace[at] as Frame);
      start = position + 1;
    }
  }
}

/** Marks frames that pytest prints with their source. Each is long, so even a single one may be removed. */
function markPytestFrames(lines: readonly string[], marks: Marks): void {
  const shown = new Set<string>();
  for (const frame of middlePytestFrames(lines)) {
    const text = lines.slice(frame.start, frame.end + 1).join('\n');
    const isShown = shown.has(text);
    shown.add(text);
    const isLibrary = LIBRARY.test((lines[frame.end] ?? '').slice(0, MAX_LINE));
    if (isLibrary || isShown) setMarkOnce(marks, isLibrary ? LIBRARY_FRAME : SHOWN_FRAME, frame);
  }
}

function marksOfTrace(lines: readonly string[], trace: readonly Frame[], shown: Set<string>): Marks {
  const isLibrary = trace.map((frame) => isLibraryFrame(lines, frame));
  const kept = keptFrames(lines, trace, isLibrary);
  return trace.map((frame, position) => {
    const text = lines.slice(frame.start, frame.end + 1).join('\n');
    const isShown = shown.has(text);
    shown.add(text);
    if (kept.has(position)) return undefined;
    if (isLibrary[position]) return LIBRARY_FRAME;
    return isShown ? SHOWN_FRAME : undefined;
  });
}

/** Returns the positions of frames to keep: the one nearest to the failure, or a few if all belong to libraries. */
function keptFrames(lines: readonly string[], trace: readonly Frame[], isLibrary: readonly boolean[]) {
  const positions = trace.map((_, position) => position);
  const nearestFirst = trace[0]?.isPython ? positions.reverse() : positions;
  const telling = nearestFirst.filter((position) => !PANIC.test(lines[trace[position]?.start ?? 0] ?? ''));
  const hasOwn = isLibrary.includes(false);
  return new Set(telling.slice(0, hasOwn ? 1 : MAX_KEPT_LIBRARY_FRAMES));
}

/** Yields the traces. A trace is frames without other lines between them. */
function* tracesIn(lines: readonly string[]): Generator<Frame[]> {
  let trace: Frame[] = [];
  let index = 0;
  while (index < lines.length) {
    const frame = frameAt(lines, index);
    if (frame !== undefined) trace.push(frame);
    else if (trace.length > 0) {
      if (trace.length > 1) yield trace;
      trace = [];
    }
    index = (frame?.end ?? index) + 1;
  }
  if (trace.length > 1) yield trace;
}

/** Whether a line has the form of a stack frame, in a trace or alone. */
export function isFrameLine(whole: string): boolean {
  const line = whole.slice(0, MAX_LINE);
  return beginsFrame(line) || isPythonFrame(line);
}

/** A pattern that begins with a path is slow on lines with other paths, so the extension is searched first. */
function beginsFrame(line: string): boolean {
  return FRAME.test(line) || (line.includes('.rb:') && RUBY_FRAME.test(line));
}

function isPythonFrame(line: string): boolean {
  return PYTHON_FRAME.test(line) || (line.includes('.py') && PYTEST_FRAME.test(line));
}

function frameAt(lines: readonly string[], index: number): Frame | undefined {
  const line = (lines[index] ?? '').slice(0, MAX_LINE);
  const below = (lines[index + 1] ?? '').slice(0, MAX_LINE);
  if (isPythonFrame(line)) return { start: index, end: sourceEnd(lines, index), isPython: true };
  if (GO_PLACE.test(below) && GO_NAME.test(line)) return { start: index, end: index + 1, isPython: false };
  if (!beginsFrame(line)) return undefined;
  const hasPlace = RUST_FRAME.test(line) && RUST_PLACE.test(below);
  return { start: index, end: hasPlace ? index + 1 : index, isPython: false };
}

/** Returns the last line of a Python frame, whose source follows with deeper indentation. */
function sourceEnd(lines: readonly string[], start: number): number {
  const outer = indentOf(lines[start] ?? '');
  let end = start;
  while (end + 1 < lines.length && indentOf(lines[end + 1] ?? '') > outer && lines[end + 1]?.trim() !== '') {
    if (PYTHON_FRAME.test((lines[end + 1] ?? '').slice(0, MAX_LINE))) break;
    end += 1;
  }
  return end;
}

function isLibraryFrame(lines: readonly string[], { start, end, isPython }: Frame): boolean {
  for (let index = start; index <= (isPython ? start : end); index += 1)
    if (LIBRARY.test((lines[index] ?? '').slice(0, MAX_LINE))) return true;
  return false;
}

/**
 * Matches the separator between frames of pytest. Each frame consists of the source of a function, the
 * failure, and a last line with the position in the source.
 */
const SEPARATOR = /^(?:_ ){3,200}_?\s*$/;
const PLACE = /^\S{1,300}\.py:\d+: ?\w*$/;
const TITLE = /^(?:_{3,}|={3,}) /;

/**
 * Yields the frames of a trace. Each begins with the separator and ends with the line of its source position.
 * Skips the first frame (the test) and the last (the failure).
 */
function* middlePytestFrames(lines: readonly string[]): Generator<Pick<Frame, 'start' | 'end'>> {
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
