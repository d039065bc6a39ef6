#!/bin/sh
# Answers one hook event of a coding agent: `sh hook.sh CLIENT < EVENT`. Written by secateur.
# Asks the server of this session, else starts secateur. If that is missing or fails, it answers "no change".
node=node
script="${0%/*}/../dist/main/secateur.js"
client=$1
[ -z "${ZSH_VERSION-}" ] || emulate sh
# A variable of this name in the environment would hand the event to every program that is started.
unset event answer
{ event=$(cat); } 2>/dev/null

is_answer() {
  case $answer in '{'*'}') return 0 ;; *) return 1 ;; esac
}

# Finds the newest socket of a server that runs; only this account can have made it and can open it.
find_socket() {
  socket=
  sockets=${XDG_DATA_HOME:-$HOME/.local/share}/secateur/sockets
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
  pid=${1##*/hook-}
  read -r state 2>/dev/null <"/proc/${pid%.sock}/stat" || return 1
  case $state in *') T '*) return 1 ;; *) return 0 ;; esac
}

# The server reads the user's settings file; it gets one setting of this process, and every other is unknown to it.
has_settings() {
  case $(unset SECATEUR_HOOK_RECOVER_TOOL && export -p) in
    *' SECATEUR'* | *' MCP_PRUNER_'* | *' JEEVES_'* | *' MCP_GATEWAY_'* | *' KIMI_PRUNING_'* | *' DEEPINFRA_'*) return 0 ;;
    *) return 1 ;;
  esac
}

# The event goes through a pipe: other accounts can read the arguments of a process.
ask_server() {
  [ -n "${HOME-}" ] && command -v curl >/dev/null && ! has_settings && find_socket || return 1
  answer=$(printf 'HOME=%s\nXDG_CONFIG_HOME=%s\nCLAUDE_CONFIG_DIR=%s\nCLAUDE_CODE_TMPDIR=%s\nCODEX_HOME=%s\nCOPILOT_HOME=%s\nXDG_DATA_HOME=%s\nSECATEUR_HOOK_RECOVER_TOOL=%s\n\n%s' "${HOME-}" "${XDG_CONFIG_HOME-}" "${CLAUDE_CONFIG_DIR-}" "${CLAUDE_CODE_TMPDIR-}" "${CODEX_HOME-}" "${COPILOT_HOME-}" "${XDG_DATA_HOME-}" "${SECATEUR_HOOK_RECOVER_TOOL-}" "$event" |
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
