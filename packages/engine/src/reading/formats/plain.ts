/** Text that no other format recognises. Its units are paragraphs. */
import type { Format } from '../document.ts';
import { documentUnits } from './document.ts';

export const plainFormat: Format = {
  name: 'plain',
  recognise: () => true,
  units: documentUnits,
  examples: { is: ['anything at all\n'], isNot: [] },
};
