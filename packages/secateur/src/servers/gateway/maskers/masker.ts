import type { Json } from '@secateur/base/text/json.ts';
import type { MaskingLimits } from '../../../masking/mask-text.ts';

/** Sizes above which the gateway shortens a result. */
export interface ResultLimits extends MaskingLimits {
  /** Size of the largest image or audio block that passes untouched, in bytes; 0 or less masks base64 like any string. */
  readonly maxMediaBytes: number;
  /** Characters a result may have in all before its longest arrays are shortened; 0 or less switches this off. */
  readonly maxResultChars: number;
}

/**
 * One way to shorten one kind of value. The first masker of `long-values.ts` that does not answer `undefined` decides:
 * `untouched` leaves the value and everything in it as it is.
 */
export type Masker = (value: Json, limits: ResultLimits) => Claim | 'untouched' | undefined;

/** A value that is too long, and what replaces it. */
export interface Claim {
  /** Text put into the recovery store before anything is cut. */
  readonly original: string;
  /** Characters of the original that will be hidden: from `start` up to, not including, `end`. */
  readonly hidden: { readonly start: number; readonly end: number };
  /** The value is its original, a readable text: it may be pruned instead of masked. Base64 may not. */
  readonly isText: boolean;
  /** The masked value; `note` (how to get the text back) goes beside the marker. */
  masked(note: string): Json;
}
