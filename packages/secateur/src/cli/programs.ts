import type { Executable } from '@secateur/serving/commands/command.ts';

/**
 * The executables and their commands. To add a command, add a file in `commands/` and an entry here. An
 * executable needs an entry here, a file in `src/main/` and a line under `bin` in package.json. How a server
 * is started goes into `commands/SERVER.ts` (a `Launch`), which the command and `up` share.
 */
export const programs = {
  secateur: {
    name: 'secateur',
    summary: 'shortens the output that coding agents read; nothing is lost',
    commands: {
      up: { summary: 'runs the servers', load: async () => (await import('./commands/up.ts')).up },
      start: {
        summary: 'runs the servers in the background',
        load: async () => (await import('./commands/start.ts')).start,
      },
      restart: {
        summary: 'stops the servers and starts them again in the background',
        load: async () => (await import('./commands/start.ts')).restart,
      },
      status: {
        summary: 'shows whether cuts are on, and which servers run where',
        load: async () => (await import('./commands/status.ts')).status,
      },
      stop: {
        summary: 'stops the servers that `up` started',
        load: async () => (await import('./commands/stop.ts')).stop,
      },
      pruner: {
        summary: 'serves prune_text and recover_text over HTTP',
        load: async () => (await import('./commands/pruner.ts')).pruner,
      },
      'mcp pruner': {
        summary: 'serves prune_text and recover_text over stdio',
        load: async () => (await import('./commands/mcp-pruner.ts')).mcpPruner,
      },
      'mcp recover': {
        summary: 'serves only recover_text over stdio, for agents with hooks',
        load: async () => (await import('./commands/mcp-recover.ts')).mcpRecover,
      },
      prune: {
        summary: 'removes lines of a text that a goal does not need',
        load: async () => (await import('./commands/prune.ts')).prune,
      },
      recover: {
        summary: 'prints removed lines',
        load: async () => (await import('./commands/recover.ts')).recover,
      },
      forget: {
        summary: 'deletes stored outputs',
        load: async () => (await import('./commands/forget.ts')).forget,
      },
      focus: {
        summary: 'serves read, bash and grep with a focus question over HTTP',
        load: async () => (await import('./commands/focus.ts')).secateurFocus,
      },
      'mcp focus': {
        summary: 'serves read, bash and grep with a focus question over stdio',
        load: async () => (await import('./commands/mcp-focus.ts')).mcpFocus,
      },
      gateway: {
        summary: 'proxy for MCP servers that shortens long results; removed text can be recovered',
        load: async () => (await import('./commands/gateway.ts')).gateway,
      },
      run: {
        summary: 'runs a command and shortens its output; exits with its exit code',
        load: async () => (await import('./commands/run.ts')).run,
      },
      raw: {
        summary: 'runs a command whose output is returned unchanged, also by hooks',
        load: async () => (await import('./commands/run.ts')).raw,
      },
      off: {
        summary: 'switches cuts off, in this project or everywhere',
        load: async () => (await import('./commands/off.ts')).off,
      },
      on: { summary: 'switches cuts on again', load: async () => (await import('./commands/off.ts')).on },
      hook: {
        summary: 'handles one hook event of a client: cuts the output of its tools',
        load: async () => (await import('./commands/hook.ts')).hook,
      },
      'shorten-output': {
        summary: 'shortens the output of a failed command in place',
        isInternal: true,
        load: async () => (await import('./commands/shorten-output.ts')).shortenOutput,
      },
      'gateway login': {
        summary: 'signs in to a server behind the gateway',
        load: async () => (await import('./commands/gateway-login.ts')).gatewayLogin,
      },
      'gateway logout': {
        summary: 'deletes a sign-in',
        load: async () => (await import('./commands/gateway-login.ts')).gatewayLogout,
      },
      'gateway list': {
        summary: 'lists the servers behind the gateway and their sign-ins',
        load: async () => (await import('./commands/gateway-login.ts')).gatewayList,
      },
      'token add': {
        summary: 'creates a named token for the servers',
        load: async () => (await import('./commands/token.ts')).tokenAdd,
      },
      'token list': {
        summary: 'lists the tokens with their limits',
        load: async () => (await import('./commands/token.ts')).tokenList,
      },
      'token revoke': {
        summary: 'revokes a token',
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
        summary: 'finds what does not work on this machine, and says how to fix it',
        load: async () => (await import('./commands/doctor.ts')).doctor,
      },
      replay: {
        summary: 'computes what cuts would have saved in your past sessions',
        load: async () => (await import('./commands/replay.ts')).replay,
      },
      stats: {
        summary: 'shows the tokens saved so far, minus those recovered',
        load: async () => (await import('./commands/stats.ts')).stats,
      },
      explain: {
        summary: 'shows why the lines of a cut were removed or kept',
        load: async () => (await import('./commands/explain.ts')).explain,
      },
      page: {
        summary: 'prints the address of the dashboard, or serves it',
        load: async () => (await import('./commands/page.ts')).page,
      },
    },
    examples: ['secateur up', 'secateur prune src/app.ts --goal "where are retries counted?"'],
  },
  'jeeves-mcp-pruner': {
    name: 'jeeves-mcp-pruner',
    summary: 'read, bash and grep for coding agents, with results cut to a question',
    commands: {
      '': {
        summary: 'serves the tools over HTTP',
        load: async () => (await import('./commands/focus.ts')).focus,
      },
    },
    examples: ['jeeves-mcp-pruner --root . --port 0'],
  },
} satisfies Record<string, Executable>;

export type ProgramName = keyof typeof programs;
