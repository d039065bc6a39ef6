import type { Command, CommandEntry, Executable } from '@secateur/serving/commands/command.ts';

/** The files of the commands. Each is loaded when one of its commands is called. */
const FILES = {
  up: () => import('./commands/up.ts'),
  start: () => import('./commands/start.ts'),
  status: () => import('./commands/status.ts'),
  pruner: () => import('./commands/pruner.ts'),
  mcp: () => import('./commands/mcp.ts'),
  prune: () => import('./commands/prune.ts'),
  recover: () => import('./commands/recover.ts'),
  forget: () => import('./commands/forget.ts'),
  focus: () => import('./commands/focus.ts'),
  gateway: () => import('./commands/gateway.ts'),
  run: () => import('./commands/run.ts'),
  off: () => import('./commands/off.ts'),
  hook: () => import('./commands/hook.ts'),
  shortenOutput: () => import('./commands/shorten-output.ts'),
  gatewayLogin: () => import('./commands/gateway-login.ts'),
  token: () => import('./commands/token.ts'),
  connect: () => import('./commands/connect.ts'),
  mask: () => import('./commands/mask.ts'),
  doctor: () => import('./commands/doctor.ts'),
  replay: () => import('./commands/replay.ts'),
  stats: () => import('./commands/stats.ts'),
  explain: () => import('./commands/explain.ts'),
  page: () => import('./commands/page.ts'),
};

function command<Name extends string>(
  file: () => Promise<{ readonly [Key in Name]: Command }>,
  name: Name,
  summary: string,
): CommandEntry {
  return { summary, load: async () => (await file())[name] };
}

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
      up: command(FILES.up, 'up', 'runs the servers'),
      start: command(FILES.start, 'start', 'runs the servers in the background'),
      restart: command(FILES.start, 'restart', 'stops the servers and starts them again in the background'),
      status: command(FILES.status, 'status', 'shows whether cuts are on, and which servers run where'),
      stop: command(FILES.start, 'stop', 'stops the servers that `up` started'),
      pruner: command(FILES.pruner, 'pruner', 'serves prune_text and recover_text over HTTP'),
      'mcp pruner': command(FILES.mcp, 'mcpPruner', 'serves prune_text and recover_text over stdio'),
      'mcp recover': command(
        FILES.mcp,
        'mcpRecover',
        'serves only recover_text over stdio, for agents with hooks',
      ),
      prune: command(FILES.prune, 'prune', 'removes lines of a text that a goal does not need'),
      recover: command(FILES.recover, 'recover', 'prints removed lines'),
      forget: command(FILES.forget, 'forget', 'deletes stored outputs'),
      focus: command(
        FILES.focus,
        'secateurFocus',
        'serves read, bash and grep with a focus question over HTTP',
      ),
      'mcp focus': command(
        FILES.mcp,
        'mcpFocus',
        'serves read, bash and grep with a focus question over stdio',
      ),
      gateway: command(
        FILES.gateway,
        'gateway',
        'proxy for MCP servers that shortens long results; removed text can be recovered',
      ),
      run: command(FILES.run, 'run', 'runs a command and shortens its output; exits with its exit code'),
      raw: command(FILES.run, 'raw', 'runs a command whose output is returned unchanged, also by hooks'),
      off: command(FILES.off, 'off', 'switches cuts off, in this project or everywhere'),
      on: command(FILES.off, 'on', 'switches cuts on again'),
      hook: command(FILES.hook, 'hook', 'handles one hook event of a client: cuts the output of its tools'),
      'shorten-output': {
        ...command(FILES.shortenOutput, 'shortenOutput', 'shortens the output of a failed command in place'),
        isInternal: true,
      },
      'gateway login': command(FILES.gatewayLogin, 'gatewayLogin', 'signs in to a server behind the gateway'),
      'gateway logout': command(FILES.gatewayLogin, 'gatewayLogout', 'deletes a sign-in'),
      'gateway list': command(
        FILES.gatewayLogin,
        'gatewayList',
        'lists the servers behind the gateway and their sign-ins',
      ),
      'token add': command(FILES.token, 'tokenAdd', 'creates a named token for the servers'),
      'token list': command(FILES.token, 'tokenList', 'lists the tokens with their limits'),
      'token revoke': command(FILES.token, 'tokenRevoke', 'revokes a token'),
      connect: command(
        FILES.connect,
        'connect',
        'sets up hooks, tools and gateway for a client, or undoes it',
      ),
      mask: command(FILES.mask, 'mask', 'shortens long strings inside JSON, as the gateway does'),
      doctor: command(
        FILES.doctor,
        'doctor',
        'finds what does not work on this machine, and says how to fix it',
      ),
      replay: command(FILES.replay, 'replay', 'computes what cuts would have saved in your past sessions'),
      stats: command(FILES.stats, 'stats', 'shows the tokens saved so far, minus those recovered'),
      explain: command(FILES.explain, 'explain', 'shows why the lines of a cut were removed or kept'),
      page: command(FILES.page, 'page', 'prints the address of the dashboard, or serves it'),
    },
    examples: ['secateur up', 'secateur prune src/app.ts --goal "where are retries counted?"'],
  },
  'jeeves-mcp-pruner': {
    name: 'jeeves-mcp-pruner',
    summary: 'read, bash and grep for coding agents, with results cut to a question',
    commands: { '': command(FILES.focus, 'focus', 'serves the tools over HTTP') },
    examples: ['jeeves-mcp-pruner --root . --port 0'],
  },
} satisfies Record<string, Executable>;

export type ProgramName = keyof typeof programs;
