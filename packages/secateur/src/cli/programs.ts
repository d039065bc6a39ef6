import type { Command, CommandEntry, Executable } from '@secateur/serving/commands/command.ts';

// Loads the files of the commands. A file is loaded when one of its commands is called.
const up = () => import('./commands/up.ts');
const start = () => import('./commands/start.ts');
const status = () => import('./commands/status.ts');
const pruner = () => import('./commands/pruner.ts');
const mcp = () => import('./commands/mcp.ts');
const prune = () => import('./commands/prune.ts');
const recover = () => import('./commands/recover.ts');
const forget = () => import('./commands/forget.ts');
const focus = () => import('./commands/focus.ts');
const gateway = () => import('./commands/gateway.ts');
const run = () => import('./commands/run.ts');
const off = () => import('./commands/off.ts');
const hook = () => import('./commands/hook.ts');
const shortenOutput = () => import('./commands/shorten-output.ts');
const gatewayLogin = () => import('./commands/gateway-login.ts');
const token = () => import('./commands/token.ts');
const connect = () => import('./commands/connect.ts');
const mask = () => import('./commands/mask.ts');
const doctor = () => import('./commands/doctor.ts');
const replay = () => import('./commands/replay.ts');
const stats = () => import('./commands/stats.ts');
const explain = () => import('./commands/explain.ts');
const page = () => import('./commands/page.ts');

function command<Name extends string>(
  file: () => Promise<{ readonly [Key in Name]: Command }>,
  name: Name,
  summary: string,
): CommandEntry {
  return { summary, load: async () => (await file())[name] };
}

/**
 * The executables and their commands. For a new command, add a file in `commands/` and an entry here. For a
 * new executable, add an entry here, a file in `src/main/` and a line under `bin` in package.json. The start
 * of a server is a `Launch` in `commands/SERVER.ts`, which the command and `up` call.
 */
export const programs = {
  secateur: {
    name: 'secateur',
    summary: 'shortens the output that coding agents read; nothing is lost',
    commands: {
      up: command(up, 'up', 'runs the servers'),
      start: command(start, 'start', 'runs the servers in the background'),
      restart: command(start, 'restart', 'stops the servers and starts them again in the background'),
      status: command(status, 'status', 'shows whether cuts are on, and which servers run where'),
      stop: command(start, 'stop', 'stops the servers that `up` started'),
      pruner: command(pruner, 'pruner', 'serves prune_text and recover_text over HTTP'),
      'mcp pruner': command(mcp, 'mcpPruner', 'serves prune_text and recover_text over stdio'),
      'mcp recover': command(mcp, 'mcpRecover', 'serves only recover_text over stdio, for agents with hooks'),
      prune: command(prune, 'prune', 'removes lines of a text that a goal does not need'),
      recover: command(recover, 'recover', 'prints removed lines'),
      forget: command(forget, 'forget', 'deletes stored outputs'),
      focus: command(focus, 'secateurFocus', 'serves read, bash and grep with a focus question over HTTP'),
      'mcp focus': command(mcp, 'mcpFocus', 'serves read, bash and grep with a focus question over stdio'),
      gateway: command(
        gateway,
        'gateway',
        'proxy for MCP servers that shortens long results; removed text can be recovered',
      ),
      run: command(run, 'run', 'runs a command and shortens its output; exits with its exit code'),
      raw: command(run, 'raw', 'runs a command whose output is returned unchanged, also by hooks'),
      off: command(off, 'off', 'switches cuts off, in this project or everywhere'),
      on: command(off, 'on', 'switches cuts on again'),
      hook: command(hook, 'hook', 'handles one hook event of a client: cuts the output of its tools'),
      'shorten-output': {
        ...command(shortenOutput, 'shortenOutput', 'shortens the output of a failed command in place'),
        isInternal: true,
      },
      'gateway login': command(gatewayLogin, 'gatewayLogin', 'signs in to a server behind the gateway'),
      'gateway logout': command(gatewayLogin, 'gatewayLogout', 'deletes a sign-in'),
      'gateway list': command(
        gatewayLogin,
        'gatewayList',
        'lists the servers behind the gateway and their sign-ins',
      ),
      'token add': command(token, 'tokenAdd', 'creates a named token for the servers'),
      'token list': command(token, 'tokenList', 'lists the tokens with their limits'),
      'token revoke': command(token, 'tokenRevoke', 'revokes a token'),
      connect: command(connect, 'connect', 'sets up hooks, tools and gateway for a client, or undoes it'),
      mask: command(mask, 'mask', 'shortens long strings inside JSON, as the gateway does'),
      doctor: command(doctor, 'doctor', 'finds what does not work on this machine, and says how to fix it'),
      replay: command(replay, 'replay', 'computes what cuts would have saved in your past sessions'),
      stats: command(stats, 'stats', 'shows the tokens saved so far, minus those recovered'),
      explain: command(explain, 'explain', 'shows why the lines of a cut were removed or kept'),
      page: command(page, 'page', 'prints the address of the dashboard, or serves it'),
    },
    examples: ['secateur up', 'secateur prune src/app.ts --goal "where are retries counted?"'],
  },
  'jeeves-mcp-pruner': {
    name: 'jeeves-mcp-pruner',
    summary: 'read, bash and grep for coding agents, with results cut to a question',
    commands: { '': command(focus, 'focus', 'serves the tools over HTTP') },
    examples: ['jeeves-mcp-pruner --root . --port 0'],
  },
} satisfies Record<string, Executable>;

export type ProgramName = keyof typeof programs;
