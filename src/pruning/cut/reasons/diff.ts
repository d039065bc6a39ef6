import { isLongDiff } from '../protect/diff.ts';
import type { PrunedView } from '../reasons.ts';
import { frameReasons } from './frames.ts';
import { PLAIN, type Reason, type Reasons } from './reason.ts';

const CONTEXT: Reason = { french: 'hors focus: contexte du diff', english: 'diff context' };

/** What a long diff hides is named: commits and files whose names went with it, else the file whose hunks went. */
export function diffReasons(view: PrunedView): Reasons {
  if (!isLongDiff(view.text)) return () => CONTEXT;
  const byName = frameReasons(view);
  const { frames, owner } = view.frames;
  return (range) => {
    const named = byName(range);
    const file = frames[owner[range.start - 1] ?? -1];
    if (named !== PLAIN || file === undefined) return named;
    const hunks = view.text.bare.slice(range.start - 1, range.end).filter((line) => line.startsWith('@@ '));
    const count = hunks.length;
    return {
      french: `hors focus: ${count} ${count > 1 ? 'blocs' : 'bloc'} de ${file.name}`,
      english: `${count} ${count > 1 ? 'hunks' : 'hunk'} of ${file.name}`,
    };
  };
}
