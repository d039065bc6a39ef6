import type { Terminal } from './terminal.ts';

export interface ProgressBar {
  update(state: { done: number; total: number; message: string }): void;
  /** Takes the bar away again. */
  end(): void;
}

const WIDTH = 24;

/** One line on standard error that keeps being rewritten; nothing at all where nobody watches. */
export function progressBar({ errors }: Terminal): ProgressBar {
  if (errors.isTTY !== true) return { update: () => {}, end: () => {} };
  let shown = '';
  return {
    update: ({ done, total, message }) => {
      const filled = total === 0 ? WIDTH : Math.round((done / total) * WIDTH);
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
      // Messages hold file names, and those may hold anything.
      const words = message.replace(/\p{Cc}/gu, '?');
      const line = `${bar} ${done}/${total} ${words}`.slice(0, (errors.columns ?? 80) - 1);
      if (line === shown) return;
      shown = line;
      errors.write(`\r\u001b[2K${line}`);
    },
    end: () => {
      if (shown !== '') errors.write('\r\u001b[2K');
    },
  };
}
