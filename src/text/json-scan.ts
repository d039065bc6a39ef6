import { isUtf8 } from 'node:buffer';
import { JsonModule } from './json-scan/module.ts';
import { skipValue } from './json-spans.ts';

/** What is known of bytes that are proven to be one JSON object in UTF-8. */
export interface ObjectFacts {
  readonly hasResult: boolean;
  readonly hasError: boolean;
  readonly hasMethod: boolean;
  /** Is there a string of more bytes than asked about, quotes not counted? */
  readonly hasLongString: boolean;
  readonly isAscii: boolean;
  /** The bytes of the top-level member `id`, of the last one if there are several; both 0 if there is none. */
  readonly idStart: number;
  readonly idEnd: number;
}

const HAS_RESULT = 1;
const HAS_ERROR = 2;
const HAS_METHOD = 4;
const HAS_LONG = 8;
const NOT_ASCII = 16;
const ESCAPED_NAME = 32;

const NO_LIMIT = 0x7fff_0000;
/** Memory of a module never shrinks: larger texts get a module of their own, which goes with them. */
const KEPT_BYTES = 1024 * 1024;

/** Reads JSON without making values of it, at a tenth of the price of parsing and printing. */
export class JsonScanner {
  #kept: JsonModule | undefined;
  readonly #open: () => JsonModule | undefined;

  constructor(open: () => JsonModule | undefined = JsonModule.opener()) {
    this.#open = open;
  }

  /**
   * `undefined` means "not proven", not "wrong": the bytes may still be JSON that is nested very deep, has a
   * top-level name written with escapes, or meets a machine that cannot run the module.
   */
  scan(bytes: Uint8Array, maxStringBytes = NO_LIMIT): ObjectFacts | undefined {
    const module = this.#load(bytes);
    const found = module?.scan(bytes.length, Math.min(maxStringBytes, NO_LIMIT)) ?? -1;
    if (module === undefined || found === -1 || (found & ESCAPED_NAME) !== 0) return undefined;
    const isAscii = (found & NOT_ASCII) === 0;
    if (!isAscii && !isUtf8(bytes)) return undefined;
    return {
      hasResult: (found & HAS_RESULT) !== 0,
      hasError: (found & HAS_ERROR) !== 0,
      hasMethod: (found & HAS_METHOD) !== 0,
      hasLongString: (found & HAS_LONG) !== 0,
      isAscii,
      idStart: module.idStart,
      idEnd: module.idEnd,
    };
  }

  /** Tells where values of this valid JSON end. To be used before anything else is scanned. */
  valueEnds(bytes: Uint8Array, text: string): (at: number) => number {
    const module = this.#load(bytes);
    if (module === undefined) return (at) => skipValue(text, at);
    return (at) => {
      const end = module.skip(at);
      return end === -1 ? skipValue(text, at) : end;
    };
  }

  #load(bytes: Uint8Array): JsonModule | undefined {
    const isLarge = bytes.length > KEPT_BYTES;
    const module = isLarge ? this.#open() : (this.#kept ?? this.#open());
    if (!isLarge) this.#kept = module;
    module?.load(bytes);
    return module;
  }
}
