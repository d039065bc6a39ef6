import type { Executable } from '@secateur/serving/commands/command.ts';
import { hook } from './commands/hook.ts';

/**
 * The executable with `secateur hook CLIENT` only: clients start its bundle for every call, so it contains no
 * other command.
 */
export const hookProgram: Executable = {
  name: 'secateur',
  summary: '',
  commands: { hook: { summary: '', load: async () => hook } },
  examples: [],
};
