import type { LineRange } from '../../text/lines.ts';
import type { Shape } from '../text-kind/shape.ts';
import type { ClassifiedText } from './classify.ts';
import type { Folds } from './folds.ts';
import type { Frames } from './frames.ts';
import { diffReasons } from './reasons/diff.ts';
import { programReasons } from './reasons/folds.ts';
import { frameReasons } from './reasons/frames.ts';
import type { Reasons } from './reasons/reason.ts';
import { counted, dataReasons, searchReasons } from './reasons/tool-output.ts';

/** What a reader of the pruned text may come across, besides its lines. */
export interface PrunedView {
  text: ClassifiedText;
  folds: Folds;
  frames: Frames;
  goal: string;
  gaps: readonly LineRange[];
}

export function reasonsFor(view: PrunedView): Reasons {
  return BY_SHAPE[view.text.shape](view);
}

const BY_SHAPE: Record<Shape, (view: PrunedView) => Reasons> = {
  code: frameReasons,
  docs: frameReasons,
  logs: programReasons,
  'test-run': programReasons,
  diff: diffReasons,
  search: ({ text }) => searchReasons(text),
  listing: counted('entrées'),
  table: counted('lignes du tableau'),
  data: ({ text }) => dataReasons(text),
  markup: frameReasons,
};
