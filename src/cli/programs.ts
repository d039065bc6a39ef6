import type { Program } from './program.ts';

/**
 * The executables and their commands. A command is one file in `commands/` and one line here; an executable is one
 * entry here, one file in `src/main/` and one line under `bin` in package.json. How a server is started goes into
 * `launches/<server>.ts` (a `Launch`), which its own command and `up` share.
 */
export const programs = {
  secateur: {
    name: 'secateur',
    summary: 'pruning shears for what coding agents read',
    commands: [
      {
        name: 'up',
        summary: 'runs the servers',
        load: async () => (await import('./commands/up.ts')).up,
      },
      {
        name: 'status',
        summary: 'which servers of `up` answer, and where',
        load: async () => (await import('./commands/status.ts')).status,
      },
      {
        name: 'stop',
        summary: 'ends what `up` started',
        load: async () => (await import('./commands/stop.ts')).stop,
      },
      {
        name: 'pruner',
        summary: 'serves prune_text and recover_text over HTTP',
        load: async () => (await import('./commands/pruner.ts')).pruner,
      },
      {
        name: 'mcp pruner',
        summary: 'the same tools on standard input and output',
        load: async () => (await import('./commands/mcp-pruner.ts')).mcpPruner,
      },
      {
        name: 'prune',
        summary: 'removes from a text what a goal does not need',
        load: async () => (await import('./commands/prune.ts')).prune,
      },
      {
        name: 'recover',
        summary: 'gives removed lines back',
        load: async () => (await import('./commands/recover.ts')).recover,
      },
      {
        name: 'focus',
        summary: 'serves read, bash and grep, which answer to a question, over HTTP',
        load: async () => (await import('./commands/focus.ts')).focus,
      },
      {
        name: 'mcp focus',
        summary: 'the same tools on standard input and output',
        load: async () => (await import('./commands/mcp-focus.ts')).mcpFocus,
      },
      {
        name: 'doctor',
        summary: 'what would not work on this machine, and what to do about it',
        load: async () => (await import('./commands/doctor.ts')).doctor,
      },
      {
        name: 'stats',
        summary: 'tokens saved so far, net of what was asked back',
        load: async () => (await import('./commands/stats.ts')).stats,
      },
    ],
    examples: ['secateur up', 'secateur prune src/app.ts --goal "where are retries counted?"'],
  },
  'jeeves-mcp-pruner': {
    name: 'jeeves-mcp-pruner',
    summary: 'read, bash and grep for coding agents, with answers cut to a question',
    commands: [
      {
        name: '',
        summary: 'serves the tools over HTTP',
        load: async () => (await import('./commands/focus.ts')).focus,
      },
    ],
    examples: ['jeeves-mcp-pruner --root . --port 0'],
  },
} satisfies Record<string, Program>;

export type ProgramName = keyof typeof programs;
