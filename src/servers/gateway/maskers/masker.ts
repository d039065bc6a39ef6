import type { MaskingLimits } from '../../../masking/mask-text.ts';
import type { Json } from '../../../text/json-value.ts';

/** One way to shorten one kind of value. The first masker of `long-values.ts` that claims a value decides about it. */
export type Masker = (value: Json, limits: MaskingLimits) => Claim | undefined;

/** A value that is too long, and what can stand in its place. */
export interface Claim {
  /** What goes into the recovery store before anything is cut. */
  readonly original: string;
  /** Which characters of the original will not be seen: from `start` up to, not including, `end`. */
  readonly hidden: { readonly start: number; readonly end: number };
  /** The value is its original, a readable text: it may be pruned instead of masked. Base64 may not. */
  readonly isText: boolean;
  /** The masked value; `note` (how to get the text back) goes beside the marker. */
  masked(note: string): Json;
}
