import { type CutNote, packScores, writeNote } from './cut-note.ts';
import type { Pruner } from './pruner.ts';
import type { Focus } from './ranking/focus.ts';
import type { Notes } from './recovery/notes.ts';
import type { PruneOutcome, PruneRequest } from './request.ts';

/** Explaining 10 MiB of short lines, a score and a rule for each, would hold the event loop for half a second. */
const MAX_EXPLAINED_LINES = 100_000;

/** Returns the pruner, with a note kept of each cut it makes. The caller waits for the cut alone. */
export function notingPruner(pruner: Pruner, notes: Notes): Pruner {
  return {
    ...pruner,
    prune: async (request, signal) => {
      const options = { ...request.options, explain: !hasMoreLines(request.text, MAX_EXPLAINED_LINES) };
      const outcome = await pruner.prune({ ...request, options }, signal);
      if (outcome.annotations.length > 0) notes.keep(outcome.id, writeNote(noteOf(request, outcome)));
      return outcome;
    },
  };
}

function hasMoreLines(text: string, maxLines: number): boolean {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1 && lines <= maxLines; at = text.indexOf('\n', at + 1))
    lines += 1;
  return lines > maxLines;
}

const WITHHELD: Pick<Focus, 'question' | 'task'> = { question: '' };

function noteOf({ focus, sourceType }: PruneRequest, outcome: PruneOutcome): CutNote {
  const { question, task } = focus.isConfidential ? WITHHELD : focus;
  const { annotations, stats, explanation } = outcome;
  return {
    v: 1,
    ...{ question, task, command: focus.command, sourceType, scorer: stats.scorer },
    blocks: annotations.map(({ start, end, reason, marker }, index) => {
      const rule = explanation?.blocks[index]?.rule;
      return { start, end, reason, marker, ...(rule !== undefined && { rule }) };
    }),
    ...(explanation && { rules: explanation.rules }),
    ...(explanation && explanation.scores.length > 0 && { scores: packScores(explanation.scores) }),
  };
}
