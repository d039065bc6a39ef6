import type { Program } from '@secateur/serving/commands/program.ts';

/**
 * The executables and their commands. A command is one file in `commands/` and one line here; an executable is one
 * entry here, one file in `src/main/` and one line under `bin` in package.json. How a server is started goes into
 * `launches/<server>.ts` (a `Launch`), which its own command and `up` share.
 */
export const programs = {
  secateur: {
    name: 'secateur',
    summary: 'pruning shears for what coding agents read',
    commands: {
      up: { summary: 'runs the servers', load: async () => (await import('./commands/up.ts')).up },
      start: {
        summary: 'runs the servers in the background',
        load: async () => (await import('./commands/start.ts')).start,
      },
      restart: {
        summary: 'ends what `up` started, and starts it again in the background',
        load: async () => (await import('./commands/start.ts')).restart,
      },
      status: {
        summary: 'which servers of `up` answer, and where',
        load: async () => (await import('./commands/status.ts')).status,
      },
      stop: {
        summary: 'ends what `up` started',
        load: async () => (await import('./commands/stop.ts')).stop,
      },
      pruner: {
        summary: 'serves prune_text and recover_text over HTTP',
        load: async () => (await import('./commands/pruner.ts')).pruner,
      },
      'mcp pruner': {
        summary: 'the same tools on standard input and output',
        load: async () => (await import('./commands/mcp-pruner.ts')).mcpPruner,
      },
      'mcp recover': {
        summary: 'recover_text alone on standard input and output, for agents with hooks',
        load: async () => (await import('./commands/mcp-recover.ts')).mcpRecover,
      },
      prune: {
        summary: 'removes from a text what a goal does not need',
        load: async () => (await import('./commands/prune.ts')).prune,
      },
      recover: {
        summary: 'gives removed lines back',
        load: async () => (await import('./commands/recover.ts')).recover,
      },
      forget: {
        summary: 'deletes stored outputs',
        load: async () => (await import('./commands/forget.ts')).forget,
      },
      focus: {
        summary: 'serves read, bash and grep, which answer to a question, over HTTP',
        load: async () => (await import('./commands/focus.ts')).secateurFocus,
      },
      'mcp focus': {
        summary: 'the same tools on standard input and output',
        load: async () => (await import('./commands/mcp-focus.ts')).mcpFocus,
      },
      gateway: {
        summary: 'stands before MCP servers and shortens their long answers, recoverably',
        load: async () => (await import('./commands/gateway.ts')).gateway,
      },
      run: {
        summary: 'runs a command and shortens what it printed; ends as the command does',
        load: async () => (await import('./commands/run.ts')).run,
      },
      raw: {
        summary: 'runs a command; nothing of its output is cut, also not by hooks',
        load: async () => (await import('./commands/run.ts')).raw,
      },
      off: {
        summary: 'switches cuts off, in this project or everywhere',
        load: async () => (await import('./commands/off.ts')).off,
      },
      on: {
        summary: 'switches cuts on again',
        load: async () => (await import('./commands/off.ts')).on,
      },
      hook: {
        summary: 'answers one hook event of a client: cuts what its tools printed',
        load: async () => (await import('./commands/hook.ts')).hook,
      },
      'shorten-output': {
        summary: 'shortens in place what a failed command printed',
        isInternal: true,
        load: async () => (await import('./commands/shorten-output.ts')).shortenOutput,
      },
      'gateway login': {
        summary: 'signs in to a server behind the gateway',
        load: async () => (await import('./commands/gateway-login.ts')).gatewayLogin,
      },
      'gateway logout': {
        summary: 'forgets a sign-in',
        load: async () => (await import('./commands/gateway-login.ts')).gatewayLogout,
      },
      'gateway list': {
        summary: 'the servers behind the gateway, and which are signed in to',
        load: async () => (await import('./commands/gateway-login.ts')).gatewayList,
      },
      'token add': {
        summary: 'makes a named token for the servers',
        load: async () => (await import('./commands/token.ts')).tokenAdd,
      },
      'token list': {
        summary: 'names and limits of the tokens',
        load: async () => (await import('./commands/token.ts')).tokenList,
      },
      'token revoke': {
        summary: 'takes a token back',
        load: async () => (await import('./commands/token.ts')).tokenRevoke,
      },
      connect: {
        summary: 'sets up hooks, tools and gateway for a client, or undoes it',
        load: async () => (await import('./commands/connect.ts')).connect,
      },
      mask: {
        summary: 'shortens long strings inside JSON, as the gateway does',
        load: async () => (await import('./commands/mask.ts')).mask,
      },
      doctor: {
        summary: 'what would not work on this machine, and what to do about it',
        load: async () => (await import('./commands/doctor.ts')).doctor,
      },
      replay: {
        summary: 'what cutting would have saved in your own sessions',
        load: async () => (await import('./commands/replay.ts')).replay,
      },
      stats: {
        summary: 'tokens saved so far, net of what was recovered',
        load: async () => (await import('./commands/stats.ts')).stats,
      },
      explain: {
        summary: 'why the lines of a cut went or stayed',
        load: async () => (await import('./commands/explain.ts')).explain,
      },
      page: {
        summary: 'where the savings and audit page is, or serves it',
        load: async () => (await import('./commands/page.ts')).page,
      },
    },
    examples: ['secateur up', 'secateur prune src/app.ts --goal "where are retries counted?"'],
  },
  'jeeves-mcp-pruner': {
    name: 'jeeves-mcp-pruner',
    summary: 'read, bash and grep for coding agents, with answers cut to a question',
    commands: {
      '': {
        summary: 'serves the tools over HTTP',
        load: async () => (await import('./commands/focus.ts')).focus,
      },
    },
    examples: ['jeeves-mcp-pruner --root . --port 0'],
  },
} satisfies Record<string, Program>;

export type ProgramName = keyof typeof programs;
