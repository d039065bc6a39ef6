import { DEFAULT_LEAST } from '@secateur/engine/least-size.ts';
import type { InstalledProgram } from './hook-script.ts';

/** Chooses the shell. Names of its own: an exported variable of the same name would reach the command changed. */
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
 * Writes the program that Claude Code starts with each command line as its one argument (A11). The command writes to
 * the client's own file. Only if it failed is that file shortened afterwards, by `secateur shorten-output`.
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

/** Stays in the place of the prefix script after `--undo` while a session names it, and only runs the command. */
export const FORWARDING_SCRIPT = `#!/bin/sh
# Runs a command line for a session of Claude Code that began before \`secateur connect claude-code --undo\`, and does
# nothing else. Run that command again after the session, or delete this file.
${SHELL_OF_USER}exec "$secateur_shell" -c "$1"
`;
