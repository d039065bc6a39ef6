import type { Executable } from '@secateur/serving/commands/command.ts';
import { hook } from './commands/hook.ts';

/** Holds `secateur hook CLIENT` alone, so that the bundle that a client starts for every call contains no other command. */
export const hookProgram: Executable = {
  name: 'secateur',
  summary: '',
  commands: { hook: { summary: '', load: async () => hook } },
  examples: [],
};
