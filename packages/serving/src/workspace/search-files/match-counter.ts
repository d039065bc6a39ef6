/** Remembering the names of more files than this would take too much memory. */
const MAX_NAMES = 100_000;

/** Adds up what `rg --count --with-filename --null` prints: a name, NUL, the number of matching lines, a line break. */
export class MatchCounter {
  total = 0;
  /** Whether counting has to stop: too many files to tell which were counted already. */
  isFull = false;
  readonly #counted: Set<string> | undefined;
  #rest = '';

  /** Paths that overlap name the same file more than once; with one path that cannot happen. */
  constructor({ pathsMayOverlap }: { pathsMayOverlap: boolean }) {
    this.#counted = pathsMayOverlap ? new Set() : undefined;
  }

  /** `name` turns a printed name into one that is the same for every run. */
  push(chunk: Buffer, name: (printed: string) => string): void {
    this.#rest += chunk.toString('latin1');
    let start = 0;
    for (;;) {
      const nul = this.#rest.indexOf('\0', start);
      const end = nul === -1 ? -1 : this.#rest.indexOf('\n', nul);
      if (end === -1) break;
      const printed = Buffer.from(this.#rest.slice(start, nul), 'latin1').toString('utf8');
      this.#add(name(printed), Number(this.#rest.slice(nul + 1, end)));
      start = end + 1;
    }
    this.#rest = this.#rest.slice(start);
  }

  #add(name: string, count: number): void {
    if (this.#counted?.has(name)) return;
    this.#counted?.add(name);
    this.total += count;
    this.isFull ||= (this.#counted?.size ?? 0) > MAX_NAMES;
  }
}
