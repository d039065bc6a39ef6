import { USUAL_LEAST } from '@secateur/engine/least-size.ts';
import type { InstalledProgram } from './hook-script.ts';

/**
 * Writes the program that Claude Code starts with each command line as its one argument (A11). The command writes to
 * the client's own file. Only if it failed is that file shortened afterwards, by `secateur shorten-output`.
 */
export function prefixScript({ node, script }: InstalledProgram): string {
  return `#!/bin/sh
# Runs a command line for Claude Code, whose settings name this file (CLAUDE_CODE_SHELL_PREFIX). Written by secateur.
# If the command fails, secateur shortens what it printed. If secateur is missing or fails, the output stays whole.
node=${node}
script=${script}

# The client writes its commands for the shell of the user.
case $1 in
  *shell-snapshots/snapshot-zsh-*) shell=zsh ;;
  *) shell=\${CLAUDE_CODE_SHELL:-\${SHELL-}} ;;
esac
case $shell in *bash | *zsh) ;; *) shell=bash ;; esac
command -v "$shell" >/dev/null 2>&1 || shell=/bin/sh

# Hooks and MCP servers have pipes or sockets.
output=/proc/$$/fd/1
[ -f "$output" ] || exec "$shell" -c "$1"

# Words of this shell, such as "Killed", are not the command's.
exec 3>&2 2>/dev/null
(exec "$shell" -c "$1" 2>&3 3>&-)
status=$?
exec 3>&1 1>/dev/null
output=/proc/$$/fd/3
if [ $status -ne 0 ] && [ "$(wc -c <"$output")" -ge ${USUAL_LEAST.characters} ]; then
  [ -x "$node" ] || node=node
  if [ ! -f "$script" ] || ! "$node" "$script" shorten-output claude-code -- "$1" </dev/null; then
    secateur shorten-output claude-code -- "$1" </dev/null
  fi
fi
exit $status
`;
}
