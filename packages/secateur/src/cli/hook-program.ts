import type { Executable } from '@secateur/serving/commands/command.ts';
import { hook } from './commands/hook.ts';

/** The executable with `secateur hook CLIENT` alone: clients start this small bundle for every call. */
export const hookProgram: Executable = {
  name: 'secateur',
  summary: '',
  commands: { hook: { summary: '', load: async () => hook } },
  examples: [],
};
