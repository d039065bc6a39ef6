import type { Sample } from '../../../../packages/engine/src/reading/document.ts';

/** The lines of a short text that a format decides by. */
export function sampleOf(text: string): Sample {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.slice(0, 300));
}
