import { firstErrorLine } from '../../text/failure-words.ts';
import type { OutputOrigin } from '../focus-request.ts';

/** Whatever pruned a command's output, the first error it printed is still there; a pruner that dropped it is corrected. */
export function firstErrorSurvives({
  origin,
  raw,
  pruned,
}: {
  origin: OutputOrigin;
  raw: string;
  pruned: string;
}): string {
  if (origin.tool !== 'bash') return pruned;
  const error = firstErrorLine(raw);
  if (error === undefined || pruned.includes(error)) return pruned;
  return `${error}\n${pruned}`;
}
