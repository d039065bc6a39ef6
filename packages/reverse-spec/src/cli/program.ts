import type { Executable } from '@secateur/serving/commands/command.ts';

/** The executable `reverse-spec`. Each command has a file in `commands/` and an entry here. */
export const reverseSpec: Executable = {
  name: 'reverse-spec',
  summary: 'writes specifications from source code, and finds where both differ',
  commands: {
    'mcp-server': {
      summary: 'serves prepare, generate, batch and diff on standard input and output',
      load: async () => (await import('./commands/mcp-server.ts')).specMcpServer,
    },
    prepare: {
      summary: 'prints skeletons and the context for a model; calls no model',
      load: async () => (await import('./commands/prepare.ts')).specPrepare,
    },
    generate: {
      summary: 'writes the spec of one file or folder',
      load: async () => (await import('./commands/generate.ts')).specGenerate,
    },
    batch: {
      summary: 'writes the specs of a whole project, or estimates the cost',
      load: async () => (await import('./commands/batch.ts')).specBatch,
    },
    check: {
      summary: 'compares all specs with their sources, for CI and Git hooks',
      load: async () => (await import('./commands/check.ts')).specCheck,
    },
    diff: {
      summary: 'lists what changed in the source since its spec was written',
      load: async () => (await import('./commands/diff.ts')).specDiff,
    },
  },
  examples: [
    'reverse-spec generate src/auth --ast-only',
    'reverse-spec batch --dry-run',
    'reverse-spec diff specs/src+auth.spec.md src/auth',
  ],
};
