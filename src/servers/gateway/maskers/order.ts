import { binaryBlock } from './binary-block.ts';
import { longText } from './long-text.ts';
import type { Masker } from './masker.ts';

/** Asked in this order: a masker that knows more of a value comes before one that knows less. */
export const MASKERS: readonly Masker[] = [binaryBlock, longText];
