import type { Fold } from '../folds.ts';
import type { PrunedView } from '../reasons.ts';
import { logReasons } from './logs.ts';
import type { Reason, Reasons } from './reason.ts';

const NAMES: Readonly<Record<Fold, (count: number) => Reason>> = {
  passed: (count) => ({
    french: `hors focus: ${count > 1 ? `${count} tests réussis` : '1 test réussi'}`,
    english: count > 1 ? `${count} tests passed` : '1 test passed',
  }),
  progress: (count) => ({ french: `progression: ${count} lignes`, english: `${count} progress lines` }),
  library: (count) => ({
    french: `pile: ${count} lignes de bibliothèques`,
    english: `${count} lines of library frames`,
  }),
  repeated: (count) => ({
    french: `pile: ${count} lignes déjà vues`,
    english: `${count} lines of frames above`,
  }),
};

/** What folded is counted; the rest of what a program prints reads like a log. */
export function programReasons({ text, folds }: Pick<PrunedView, 'text' | 'folds'>): Reasons {
  const asLog = logReasons(text);
  return (range) => {
    const block = folds.slice(range.start - 1, range.end);
    for (const [fold, nameOf] of Object.entries(NAMES)) {
      const count = block.filter((each) => each === fold).length;
      if (count > block.length / 2) return nameOf(count);
    }
    return asLog(range);
  };
}
