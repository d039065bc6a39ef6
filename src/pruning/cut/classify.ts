import type { PruneRequest } from '../request.ts';
import { isNumbered, recogniseShape, type Shape, sampleLines, withoutNumber } from '../text-kind/shape.ts';
import { cleanLine } from './clean-line.ts';
import { type CodeLandmark, readLandmarks } from './code-structure.ts';

export interface ClassifiedText {
  shape: Shape;
  /** The lines as patterns should see them: without colours, progress bars and line-number prefixes. */
  bare: string[];
  /** The same, line-number prefixes left in: what a scorer reads. */
  clean: string[];
  /** Imports and declarations, where the text is code. */
  landmarks: CodeLandmark[];
}

/** What is known of a text before its lines are read. */
export type KnownKind = Pick<PruneRequest, 'sourceType' | 'shape' | 'fileName'>;

export function classify(lines: readonly string[], known: KnownKind): ClassifiedText {
  const clean = lines.map(cleanLine);
  const sample = sampleLines(clean);
  const shape = known.shape ?? recogniseShape(sample) ?? known.sourceType;
  // In search results the numbers are what tells lines and headings apart.
  const bare = shape !== 'search' && isNumbered(sample) ? clean.map(withoutNumber) : clean;
  const isCode =
    known.sourceType === 'code' && (shape === 'code' || shape === 'test-run' || shape === 'diff');
  return { shape, bare, clean, landmarks: isCode ? readLandmarks(bare, known.fileName) : [] };
}
