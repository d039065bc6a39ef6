import type { LineRange } from '../../../text/lines.ts';

/** What a block was, for both kinds of markers; English is empty where there is nothing to say. */
export interface Reason {
  french: string;
  english: string;
}

/** Says of each block of removed lines what it was. */
export type Reasons = (range: LineRange) => Reason;

export const PLAIN: Reason = { french: 'hors focus', english: '' };
