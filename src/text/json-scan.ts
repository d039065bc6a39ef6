import { isUtf8 } from 'node:buffer';
import { JsonModule } from './json-scan/module.ts';

/** What is known of bytes that are proven to be one JSON object in UTF-8. */
export interface ObjectFacts {
  readonly hasResult: boolean;
  readonly hasError: boolean;
  readonly hasMethod: boolean;
  readonly isAscii: boolean;
  /** The bytes of the top-level member `id`, of the last one if there are several; both 0 if there is none. */
  readonly idStart: number;
  readonly idEnd: number;
  /** Is there a string of more bytes than asked about, quotes not counted? */
  readonly hasLongString: boolean;
  /** Then: where values of more bytes end, by where they start. There may be more than are noted. */
  readonly longValueEnds: ReadonlyMap<number, number>;
}

const HAS_RESULT = 1;
const HAS_ERROR = 2;
const HAS_METHOD = 4;
const HAS_LONG = 8;
const NOT_ASCII = 16;
const ESCAPED_NAME = 32;

const NO_LIMIT = 0x7fff_0000;
const NO_ENDS: ReadonlyMap<number, number> = new Map();

/** Reads JSON without making values of it, at a tenth of the price of parsing and printing. */
export class JsonScanner {
  #module: JsonModule | undefined;
  #isOpened = false;
  readonly #open: () => JsonModule | undefined;

  /** Nothing is compiled before the first scan. */
  constructor(open: () => JsonModule | undefined = JsonModule.open) {
    this.#open = open;
  }

  /**
   * `undefined` means "not proven", not "wrong": the bytes may still be JSON that is nested very deep, has a
   * top-level name written with escapes, or meets a machine that cannot run the module.
   */
  scan(bytes: Uint8Array, maxStringBytes = NO_LIMIT): ObjectFacts | undefined {
    if (!this.#isOpened) this.#module = this.#open();
    this.#isOpened = true;
    const module = this.#module;
    if (module === undefined) return undefined;
    const found = module.scan(bytes, Math.min(maxStringBytes, NO_LIMIT));
    if (found < 0 || (found & ESCAPED_NAME) !== 0) return undefined;
    const isAscii = (found & NOT_ASCII) === 0;
    if (!isAscii && !isUtf8(bytes)) return undefined;
    const hasLongString = (found & HAS_LONG) !== 0;
    return {
      hasResult: (found & HAS_RESULT) !== 0,
      hasError: (found & HAS_ERROR) !== 0,
      hasMethod: (found & HAS_METHOD) !== 0,
      isAscii,
      idStart: module.idStart,
      idEnd: module.idEnd,
      hasLongString,
      longValueEnds: hasLongString ? module.ends() : NO_ENDS,
    };
  }
}
