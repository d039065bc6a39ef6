import { cutLongText } from '../../../masking/mask-text.ts';
import type { Masker } from '../long-values.ts';

/** Masks any string over the limit to head, marker and tail. */
export const longText: Masker = (value, limits) => {
  if (typeof value !== 'string') return undefined;
  const cut = cutLongText(value, limits);
  if (cut === undefined) return undefined;
  return {
    original: value,
    hidden: { start: cut.head.length, end: value.length - cut.tail.length },
    isText: true,
    masked: (note) => cut.head + cut.marker + note + cut.tail,
  };
};
