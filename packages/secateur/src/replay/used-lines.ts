/** Lines of an output that the agent used later; 1-based. */
export interface UsedLines {
  /** Written later, and first shown here. */
  readonly used: readonly number[];
  /** Written later, though shown before. */
  readonly again: readonly number[];
}

/** So many characters in a row are hardly written twice by chance. */
const WINDOW = 24;
/** Limit per call: longer ones are data passed on, not what an agent says. */
const MAX_WRITING = 200_000;
/** Limit per run, so that memory stays bounded. */
const MOST_WRITING = 4_000_000;
const MAX_LINE = 2000;

/**
 * Finds the lines that an agent wrote again after it had read them, by 24 characters in a row: in a command,
 * an edit or its own words. A lower bound of what it needed: a value can be acted on without being copied.
 * Everything the agent writes is added first, then every output is labelled in order.
 */
export class WrittenLater {
  readonly #first = new Map<number, number>();
  readonly #last = new Map<number, number>();
  /** The step that first showed a stretch the agent writes at some time. */
  readonly #shown = new Map<number, number>();
  #room = MOST_WRITING;

  addWriting(step: number, text: string): void {
    const read = text.slice(0, Math.min(MAX_WRITING, this.#room));
    this.#room -= read.length;
    for (const key of windowsOf(read)) {
      this.#last.set(key, step);
      if (!this.#first.has(key)) this.#first.set(key, step);
    }
  }

  labelOutput(step: number, output: string): UsedLines {
    const lines = output.split('\n').map((line) => line.slice(0, MAX_LINE).trim());
    const counts = new Map<string, number>();
    for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
    const used: number[] = [];
    const again: number[] = [];
    for (const [index, line] of lines.entries()) {
      const use = this.#useOf(line, step);
      // Text that occurs three times says nothing about the line.
      if (use === undefined || (counts.get(line) ?? 0) > 2) continue;
      (use === 'used' ? used : again).push(index + 1);
    }
    return { used, again };
  }

  #useOf(line: string, step: number): 'used' | 'again' | undefined {
    let use: 'used' | 'again' | undefined;
    for (const key of windowsOf(line)) {
      const last = this.#last.get(key);
      if (last === undefined) continue;
      const shown = this.#shown.get(key) ?? step;
      this.#shown.set(key, shown);
      const isOwnWord = (this.#first.get(key) ?? 0) <= shown;
      if (last <= step || isOwnWord) continue;
      // Every stretch has to be looked at, to know later that it was shown.
      if (shown === step) use = 'used';
      else use ??= 'again';
    }
    return use;
  }
}

const FIRST_BASE = 0x01000193;
const SECOND_BASE = 0x9e3779b1;
const FIRST_LEAVING = power(FIRST_BASE, WINDOW);
const SECOND_LEAVING = power(SECOND_BASE, WINDOW);

/** A key for every stretch of `WINDOW` characters: two rolling hashes, 52 bits together. */
function* windowsOf(text: string): Generator<number> {
  let first = 0;
  let second = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at) + 1;
    const left = at < WINDOW ? 0 : text.charCodeAt(at - WINDOW) + 1;
    first = (Math.imul(first, FIRST_BASE) + code - Math.imul(left, FIRST_LEAVING)) | 0;
    second = (Math.imul(second, SECOND_BASE) + code - Math.imul(left, SECOND_LEAVING)) | 0;
    if (at >= WINDOW - 1) yield (first >>> 0) * 2 ** 20 + (second >>> 12);
  }
}

function power(base: number, exponent: number): number {
  let value = 1;
  for (let step = 0; step < exponent; step += 1) value = Math.imul(value, base);
  return value;
}
