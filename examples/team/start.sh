#!/usr/bin/env bash
# Redis, three Sécateur processes and HAProxy on this machine behind one address; Ctrl-C stops them all.
# Needs redis-server and haproxy. systemd/ holds the same for machines that stay up.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
read -ra secateur <<<"${SECATEUR:-secateur}"
export TEAM_DIR=${TEAM_DIR:-$HOME/.local/share/secateur-team}
export TEAM_PORT=${TEAM_PORT:-8080} REDIS_PORT=${REDIS_PORT:-6390}
export PORT_1=${PORT_1:-8011} PORT_2=${PORT_2:-8012} PORT_3=${PORT_3:-8013}
mkdir -p -m 700 "$TEAM_DIR/redis"
rm -f "$TEAM_DIR/stopping"

# Starts a program again whenever it ends, as systemd's Restart=always does.
keep_running() {
  local name=$1
  shift
  while [ ! -e "$TEAM_DIR/stopping" ]; do
    "$@" >>"$TEAM_DIR/$name.log" 2>&1 &
    echo $! >"$TEAM_DIR/$name.pid"
    wait $! || true
    sleep 0.2
  done
}

end() { kill "-$2" "$(cat "$TEAM_DIR/$1.pid")" 2>/dev/null || true; }

# HAProxy takes no new calls and ends with the last one (USR1); Redis goes last, for those that still run.
stop_all() {
  trap '' INT TERM
  touch "$TEAM_DIR/stopping"
  end haproxy USR1
  for name in one two three; do end "$name" TERM; done
  wait "${servers[@]}" || true
  end haproxy TERM
  end redis TERM
  wait
  exit 0
}
trap stop_all INT TERM

# Every write is on disk before it is answered for: a restart loses no id that a client holds.
keep_running redis redis-server --port "$REDIS_PORT" --bind 127.0.0.1 --dir "$TEAM_DIR/redis" \
  --appendonly yes --appendfsync everysec --save "" --maxmemory 512mb --maxmemory-policy volatile-ttl &

serve() {
  keep_running "$1" env SECATEUR_DATA_DIR="$TEAM_DIR" SECATEUR_STORE=redis SECATEUR_SHUTDOWN_DELAY_MS=1000 \
    SECATEUR_SHUTDOWN_TIMEOUT_MS=10000 SECATEUR_TRUSTED_PROXIES=127.0.0.1 SECATEUR_LOOPBACK_USERS=any \
    SECATEUR_REDIS_URL="redis://127.0.0.1:$REDIS_PORT" "${secateur[@]}" pruner --port "$2" &
  servers+=($!)
}
servers=()
serve one "$PORT_1"
serve two "$PORT_2"
serve three "$PORT_3"
keep_running haproxy haproxy -db -f "$here/haproxy.cfg" &

echo "http://127.0.0.1:$TEAM_PORT/mcp (tokens: SECATEUR_DATA_DIR=$TEAM_DIR ${secateur[*]} token add NAME)"
wait
