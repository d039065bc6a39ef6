import type { Executable } from '@secateur/serving/commands/command.ts';
import { hook } from './commands/hook.ts';

/** The executable with only `secateur hook CLIENT`. Clients start this small bundle for every tool call. */
export const hookProgram: Executable = {
  name: 'secateur',
  summary: '',
  commands: { hook: { summary: '', load: async () => hook } },
  examples: [],
};
