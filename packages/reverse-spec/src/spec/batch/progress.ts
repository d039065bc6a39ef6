import { messagesIn } from '../messages.ts';
import type { ProgressReport, ReadingParts } from '../reading-parts.ts';

/** Progress of a batch: one count over all its phases, which only grows. */
export interface BatchProgress {
  /** Reports that the run has begun, before a file was listed. */
  start(): void;
  /** For the phases that read files. */
  reading: ProgressReport;
  writing(state: { done: number; total: number; label: string; cost: number | null }): void;
}

export function batchProgress({
  progress,
  messageLanguage,
}: Pick<ReadingParts, 'progress' | 'messageLanguage'>): BatchProgress {
  const { batchStages: texts, stages } = messagesIn(messageLanguage);
  let before = 0;
  let last = 0;
  let sent = -1;
  // MCP wants every notification to be larger than the one before it.
  const send: ProgressReport = (update) => {
    if (update.done <= sent) return;
    sent = update.done;
    progress?.(update);
  };
  return {
    start: () => send({ done: 0, total: 1, message: stages.scan }),
    reading: ({ done, total, message }) => {
      // A phase that begins counts on from the one before it.
      if (done <= last) before += last;
      last = done;
      send({ done: before + done, total: before + total, message: texts.parsed(done, total, message) });
    },
    writing: ({ done, total, label, cost }) => {
      const read = before + last;
      const message = texts.written(done, total, label) + texts.money(cost);
      send({ done: read + done, total: read + total, message });
    },
  };
}
