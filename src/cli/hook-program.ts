import { hook } from './commands/hook.ts';
import type { Program } from './program.ts';

/** `secateur hook CLIENT` without the other commands: a client starts it for every call of its agent. */
export const hookProgram: Program = {
  name: 'secateur',
  summary: '',
  commands: { hook: { summary: '', load: async () => hook } },
  examples: [],
};
