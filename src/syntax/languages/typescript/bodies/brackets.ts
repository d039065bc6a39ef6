export type BracketKind = 'paren' | 'control' | 'bracket' | 'brace' | 'object' | 'template';

const CLOSED_BY: Readonly<Record<BracketKind, number>> = {
  paren: 41,
  control: 41,
  bracket: 93,
  brace: 125,
  object: 125,
  template: 125,
};

/** The brackets that are open, innermost last. */
export class Brackets {
  readonly #open: BracketKind[] = [];
  /** Whether the bracket closed last held a condition. */
  wasControl = false;
  /** The innermost that is open. */
  top: BracketKind | undefined;

  get depth(): number {
    return this.#open.length;
  }

  open(kind: BracketKind): void {
    this.#open.push(kind);
    this.top = kind;
  }

  /** The kind that was closed; nothing when the character closes none that is open. */
  close(code: number): BracketKind | undefined {
    const kind = this.#open.pop();
    if (kind === undefined || CLOSED_BY[kind] !== code) return undefined;
    this.wasControl = kind === 'control';
    this.top = this.#open.at(-1);
    return kind;
  }
}
