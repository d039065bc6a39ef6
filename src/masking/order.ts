import type { Masker } from './masker.ts';
import { binaryBlock } from './maskers/binary-block.ts';
import { longText } from './maskers/long-text.ts';

/** Asked in this order: a masker that knows more of a value comes before one that knows less. */
export const MASKERS: readonly Masker[] = [binaryBlock, longText];
