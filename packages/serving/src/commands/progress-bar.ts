import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';

export interface ProgressBar {
  update(state: { done: number; total: number; message: string }): void;
  /** Takes the bar away again. */
  end(): void;
}

const WIDTH = 24;

/** Rewrites one line on standard error; prints nothing if it is not a terminal. */
export function progressBar({ errors }: Terminal): ProgressBar {
  if (errors.isTTY !== true) return { update: () => {}, end: () => {} };
  let shown = '';
  return {
    update: ({ done, total, message }) => {
      const filled = total === 0 ? WIDTH : Math.round((done / total) * WIDTH);
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
      // A terminal without a set size says that it has no columns.
      const line = `${bar} ${done}/${total} ${printable(message)}`.slice(0, (errors.columns || 80) - 1);
      if (line === shown) return;
      shown = line;
      errors.write(`\r\u001b[2K${line}`);
    },
    end: () => {
      if (shown !== '') errors.write('\r\u001b[2K');
    },
  };
}
