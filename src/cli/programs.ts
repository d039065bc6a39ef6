import type { Program } from './program.ts';

/**
 * The executables and their commands. A command is one file in `commands/` and one line here; an executable is one
 * entry here, one file in `src/main/` and one line under `bin` in package.json.
 */
export const programs = {
  secateur: {
    name: 'secateur',
    summary: 'pruning shears for what coding agents read',
    commands: [],
    examples: [],
  },
} satisfies Record<string, Program>;

export type ProgramName = keyof typeof programs;
