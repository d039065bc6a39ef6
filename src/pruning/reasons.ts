import type { LineRange } from '../text/lines.ts';
import type { ClassifiedText, Shape } from './classify.ts';
import { codeReasons } from './reasons/code.ts';
import { docsReasons } from './reasons/docs.ts';
import { logReasons } from './reasons/logs.ts';
import { jsonReasons, searchReasons, testRunReasons } from './reasons/tool-output.ts';

/** Says in a few French words what a block was. */
export type Reasons = (range: LineRange) => string;

export const PLAIN_REASON = 'hors focus';

export function reasonsFor(text: ClassifiedText): Reasons {
  return BY_SHAPE[text.shape](text);
}

const BY_SHAPE: Record<Shape, (text: ClassifiedText) => Reasons> = {
  code: codeReasons,
  docs: docsReasons,
  logs: logReasons,
  'test-run': testRunReasons,
  diff: () => () => 'hors focus: contexte du diff',
  search: searchReasons,
  listing: () => () => 'hors focus: liste de fichiers',
  json: jsonReasons,
};
