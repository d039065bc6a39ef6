import type { Pruner } from '../pruning/pruner.ts';
import type { PruneOutcome, PruneRequest } from '../pruning/request.ts';
import type { Focus } from '../ranking/focus.ts';
import type { Notes } from '../recovery/notes.ts';
import { type CutNote, packScores, writeNote } from './cut-note.ts';

/** The pruner, with a note kept of each cut it makes. The caller waits for the cut alone. */
export function notingPruner(pruner: Pruner, notes: Notes): Pruner {
  return {
    ...pruner,
    prune: async (request, signal) => {
      const options = { ...request.options, explain: true };
      const outcome = await pruner.prune({ ...request, options }, signal);
      if (outcome.annotations.length > 0) notes.keep(outcome.id, writeNote(noteOf(request, outcome)));
      return outcome;
    },
  };
}

const WITHHELD: Pick<Focus, 'question' | 'task'> = { question: '' };

function noteOf({ focus, sourceType }: PruneRequest, outcome: PruneOutcome): CutNote {
  const { question, task } = focus.isConfidential ? WITHHELD : focus;
  const { annotations, stats, explanation } = outcome;
  return {
    v: 1,
    ...{ question, task, command: focus.command, sourceType, scorer: stats.scorer },
    blocks: annotations.map(({ start, end, reason, marker }, at) => ({
      ...{ start, end, reason, marker },
      rule: explanation?.blocks[at]?.rule,
    })),
    ...(explanation && { rules: explanation.rules }),
    ...(explanation && explanation.scores.length > 0 && { scores: packScores(explanation.scores) }),
  };
}
