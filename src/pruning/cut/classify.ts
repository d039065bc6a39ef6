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
  const bare = isNumbered(sampleLines(clean)) ? clean.map(withoutNumber) : clean;
  const shape = known.shape ?? recogniseShape(sampleLines(bare)) ?? known.sourceType;
  const isCode = known.sourceType === 'code' && shape !== 'logs';
  return { shape, bare, clean, landmarks: isCode ? readLandmarks(bare, known.fileName) : [] };
}
