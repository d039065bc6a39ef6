import { type TextExports, TextModule } from '../../../../text/text-module.ts';

/** Offsets of the opening brace and of the closing one. */
export interface Body {
  start: number;
  end: number;
}

export interface FindOptions {
  /** A `<` where an operand belongs may open an element, whose text is no code. */
  mayHoldJsx: boolean;
}

interface Exports extends TextExports {
  findBodies(length: number, mayHoldJsx: boolean): number;
  bodiesAt(length: number): number;
}

/** Finds function bodies without a parser, by `wasm/bodies.as`. */
export class BodyFinder {
  readonly #module: TextModule<Exports>;

  constructor(module: TextModule<Exports>) {
    this.#module = module;
  }

  /** Nothing where this machine cannot run it. */
  static open(): BodyFinder | undefined {
    const module = TextModule.open<Exports>(new URL('./bodies.wasm', import.meta.url));
    return module && new BodyFinder(module);
  }

  /** The bodies that stand outside every other one; nothing when the text cannot be understood for certain. */
  find(text: string, { mayHoldJsx }: FindOptions): Body[] | undefined {
    const module = this.#module;
    if (!module.put(text)) return undefined;
    const count = module.exports.findBodies(text.length, mayHoldJsx);
    if (count < 0) return undefined;
    const from = module.exports.bodiesAt(text.length);
    return Array.from({ length: count }, (_, index) => ({
      start: module.numberAt(from + index * 8),
      end: module.numberAt(from + index * 8 + 4),
    }));
  }
}
