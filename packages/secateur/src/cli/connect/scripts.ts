import { join } from 'node:path';
import { DEFAULT_LEAST } from '@secateur/engine/request.ts';
import type { LaunchContext } from '@secateur/serving/config/values.ts';
import type { HookClient } from '../../servers/hooks/client.ts';
import { CLIENT_FOLDERS, RECOVER_TOOL } from '../hook-socket/socket.ts';
import { shellLine, shellQuoted } from '../own-program.ts';

/** A script of Sécateur in a client's own folder. It stays installed as long as the client's settings name it. */
export interface ClientScript {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

export interface ScriptOwner {
  readonly client: HookClient;
  readonly origin: LaunchContext;
  /** Program and script of this executable; empty if unknown. */
  readonly self: readonly string[];
}

/** Returns the scripts for a client. Empty on Windows, which may have no POSIX shell. */
export function scriptsOf({ client, origin, self }: ScriptOwner): readonly ClientScript[] {
  if (origin.platform === 'win32') return [];
  const program = installedProgram(self);
  const prefix = prefixPathOf({ client, origin });
  return [
    { path: hookPath({ client, origin }), text: hookScript(program), mode: 0o700 },
    ...(prefix === undefined ? [] : [{ path: prefix, text: prefixScript(program), mode: 0o700 }]),
  ];
}

/**
 * Returns the shell line that a client runs for an event. It starts the script of Sécateur, or prints the
 * answer that changes nothing if the script is missing. On Windows it starts the program.
 */
export function hookCommand(
  { client, origin }: Omit<ScriptOwner, 'self'>,
  program: readonly string[],
): string {
  if (origin.platform === 'win32') return shellLine([...program, 'hook', client.name]);
  return `sh ${shellQuoted(hookPath({ client, origin }))} ${client.name} || echo {}`;
}

/** Matches the shell lines of this version and of earlier ones. */
export const OWN_COMMAND =
  /\bsecateur\b.{0,500}\bhook(?: [a-z-]{1,60}|\.sh["']? [a-z-]{1,60} \|\| echo \{\})$/;

function hookPath({ client, origin }: Omit<ScriptOwner, 'self'>): string {
  return join(client.installation.folder(origin), 'secateur', 'hook.sh');
}

/** Returns the path of the script for failing commands (A11). `undefined` if the client does not need it, and outside of Linux. */
export function prefixPathOf({ client, origin }: Omit<ScriptOwner, 'self'>): string | undefined {
  if (client.installation.prefixVariable === undefined || origin.platform !== 'linux') return undefined;
  return join(client.installation.folder(origin), 'secateur', 'shell-prefix.sh');
}

export function isScript(
  path: string,
  { client }: Pick<ScriptOwner, 'client'>,
  origin: LaunchContext,
): boolean {
  return scriptsOf({ client, origin, self: [] }).some((script) => script.path === path);
}

type InstalledProgram = ReturnType<typeof installedProgram>;

/** Returns the absolute paths of node and script as shell words; `''` if unknown. */
export function installedProgram([node = '', script = '']: readonly string[]) {
  return { node: shellQuoted(node), script: shellQuoted(script) };
}

/** Program in the package or clone that contains the plugin's folder. */
export const PROGRAM_BESIDE_PLUGIN: InstalledProgram = {
  node: 'node',
  script: '"${0%/*}/../dist/main/secateur.js"',
};

/** Variables that the script sends to a server: those that set folders of clients and of Sécateur, and one setting. */
const VARIABLES = ['HOME', 'XDG_CONFIG_HOME', ...CLIENT_FOLDERS, RECOVER_TOOL];

/**
 * Returns the script that a client starts for each event (A12). It is installed beside the client's settings,
 * so that it exists as long as they do. It is written in POSIX sh and also runs in dash, bash and zsh.
 */
export function hookScript({ node, script }: InstalledProgram): string {
  return `#!/bin/sh
# Answers one hook event of a coding agent: \`sh hook.sh CLIENT < EVENT\`. Written by secateur.
# Asks the server of this session, else starts secateur. If that is missing or fails, it answers "no change".
node=${node}
script=${script}
client=$1
[ -z "\${ZSH_VERSION-}" ] || emulate sh
# A variable of this name in the environment would hand the event to every program that is started.
unset event answer
{ event=$(cat); } 2>/dev/null

is_answer() {
  case $answer in '{'*'}') return 0 ;; *) return 1 ;; esac
}

# Finds the newest socket of a server that runs; only this account can have made it and can open it.
find_socket() {
  socket=
  sockets=\${XDG_DATA_HOME:-$HOME/.local/share}/secateur/sockets
  [ -d "$HOME/Library" ] && sockets="$HOME/Library/Application Support/secateur/sockets"
  for each in "$sockets"/hook-*.sock; do
    [ -S "$each" ] && [ -O "$each" ] && is_running "$each" || continue
    if [ -z "$socket" ] || [ "$each" -nt "$socket" ]; then socket=$each; fi
  done
  [ -n "$socket" ] && [ -O "$sockets" ] || return 1
  case $(ls -ldn "$sockets" "$socket" 2>/dev/null) in
    drwx------[!+]*"
srw-------"[!+]*) return 0 ;;
    *) return 1 ;;
  esac
}

# Leaves out servers that were killed or stopped, where the system tells.
is_running() {
  [ -d /proc/self ] || return 0
  pid=\${1##*/hook-}
  read -r state 2>/dev/null <"/proc/\${pid%.sock}/stat" || return 1
  case $state in *') T '*) return 1 ;; *) return 0 ;; esac
}

# The server reads the user's settings file; it gets one setting of this process, and every other is unknown to it.
has_settings() {
  case $(unset ${RECOVER_TOOL} && export -p) in
    *' SECATEUR'* | *' MCP_PRUNER_'* | *' JEEVES_'* | *' MCP_GATEWAY_'* | *' KIMI_PRUNING_'* | *' DEEPINFRA_'*) return 0 ;;
    *) return 1 ;;
  esac
}

# The event goes through a pipe: other accounts can read the arguments of a process.
ask_server() {
  [ -n "\${HOME-}" ] && command -v curl >/dev/null && ! has_settings && find_socket || return 1
  answer=$(printf '${VARIABLES.map((name) => `${name}=%s\\n`).join('')}\\n%s' ${VARIABLES.map((name) => `"\${${name}-}"`).join(' ')} "$event" |
    curl -q -sf -m 3 --noproxy '*' --unix-socket "$socket" -H Expect: --data-binary @- "http://secateur/events/$client")
  case $? in
    0) is_answer ;;
    # As any cut that takes too long.
    28) answer='{}' ;;
    *) return 1 ;;
  esac
}

ask_program() {
  answer=$(printf '%s' "$event" 2>/dev/null | "$@" hook "$client") && is_answer
}

ask_installed() {
  [ -f "$script" ] || return 1
  [ -x "$node" ] || node=node
  command -v "$node" >/dev/null && ask_program "$node" "$script"
}

ask_server || ask_installed || { command -v secateur >/dev/null && ask_program secateur; } || answer='{}'
printf '%s' "$answer"
`;
}

/** Chooses the user's shell. Its variables are not exported, because a command would see them. */
const SHELL_OF_USER = `[ -z "\${ZSH_VERSION-}" ] || emulate sh

# The client writes its commands for the shell of the user.
case $1 in
  *shell-snapshots/snapshot-zsh-*) secateur_shell=zsh ;;
  *) secateur_shell=\${CLAUDE_CODE_SHELL:-\${SHELL-}} ;;
esac
case $secateur_shell in *bash | *zsh) ;; *) secateur_shell=bash ;; esac
command -v "$secateur_shell" >/dev/null 2>&1 || secateur_shell=/bin/sh
`;

/**
 * Returns the program that Claude Code starts with each command line as its only argument (A11). The command
 * writes to Claude Code's own file. If it fails, `secateur shorten-output` then shortens the file.
 */
export function prefixScript({ node, script }: InstalledProgram): string {
  return `#!/bin/sh
# Runs a command line for Claude Code, whose settings name this file (CLAUDE_CODE_SHELL_PREFIX). Written by secateur.
# If the command fails, secateur shortens what it printed. If secateur is missing or fails, the output stays whole.
${SHELL_OF_USER}
# Hooks and MCP servers have pipes or sockets.
[ -f /proc/$$/fd/1 ] || exec "$secateur_shell" -c "$1"

# Words of this shell, such as "Killed", are not the command's.
exec 3>&2 2>/dev/null
(exec "$secateur_shell" -c "$1" 2>&3 3>&-)
secateur_code=$?
exec 3>&1 1>/dev/null
if [ $secateur_code -ne 0 ] && [ "$(wc -c </proc/$$/fd/3)" -ge ${DEFAULT_LEAST.characters} ]; then
  node=${node}
  script=${script}
  [ -x "$node" ] || node=node
  if [ ! -f "$script" ] || ! "$node" "$script" shorten-output claude-code -- "$1" </dev/null; then
    secateur shorten-output claude-code -- "$1" </dev/null
  fi
fi
exit $secateur_code
`;
}

/** Replaces the prefix script after `--undo`, for sessions that still use it. It only runs the command. */
export const FORWARDING_SCRIPT = `#!/bin/sh
# Runs a command line for a session of Claude Code that began before \`secateur connect claude-code --undo\`, and does
# nothing else. Run that command again after the session, or delete this file.
${SHELL_OF_USER}exec "$secateur_shell" -c "$1"
`;
