#!/usr/bin/env bash
# Runs a PostgreSQL server of its own in a new directory, as another user if this one is root, and
# obeys the lines of its input:
#
#   start, kill, freeze, thaw, stop   what they say, with the server and all its processes
#   standby                           adds a synchronous standby, whose socket is in standby/
#   promote                           makes the standby a server that takes writes
#
# It answers each with a line, first with the directory of the server's socket. At the end of its
# input it removes everything. Its arguments are further ones of the server.
set -euo pipefail
options=("$@")

directory=$(mktemp -d /tmp/matinee-database-XXXXXX)
programs=$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin | sort -V | tail -n 1)
as_owner=()
if [[ $(id -u) -eq 0 ]]; then
  # PostgreSQL refuses to run as root.
  as_owner=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  chown 65534:65534 "$directory"
  chmod 711 "$directory"
fi
server=
standby=

# Runs a server with its data and its socket in a directory until it takes connections; sets `started`.
run() {
  # The processes of a killed server may still hold its shared memory for a moment.
  until
    "${as_owner[@]}" "$programs/postgres" -D "$1/data" -k "$1" -c listen_addresses= \
      -c max_connections=60 "${options[@]}" >>"$1/log" 2>&1 &
    started=$!
    until "$programs/pg_isready" -q -h "$1" || ! kill -0 "$started" 2>/dev/null; do
      sleep 0.02
    done
    kill -0 "$started" 2>/dev/null
  do
    sleep 0.1
  done
}

start() {
  run "$directory"
  server=$started
}

add_standby() {
  "${as_owner[@]}" mkdir "$directory/standby"
  "${as_owner[@]}" "$programs/pg_basebackup" --no-sync --checkpoint=fast --write-recovery-conf \
    -h "$directory" -U matinee -D "$directory/standby/data"
  run "$directory/standby"
  standby=$started
  psql -X -q -h "$directory" -U matinee -d postgres \
    -c "ALTER SYSTEM SET synchronous_standby_names = '*'" -c "SELECT pg_reload_conf()" >/dev/null
}

promote() {
  psql -X -q -h "$directory/standby" -U matinee -d postgres -c "SELECT pg_promote()" \
    -c "ALTER SYSTEM RESET synchronous_standby_names" -c "SELECT pg_reload_conf()" >/dev/null
}

# Sends a signal to the server and all its processes, the server first, so that it does not see
# the others end.
send() {
  mapfile -t processes < <(echo "$server" && pgrep -P "$server")
  kill "-$1" "${processes[@]}" 2>/dev/null || true
}

finish() {
  for process in $server $standby; do
    { kill -CONT "$process" && kill -INT "$process" && wait "$process"; } 2>/dev/null || true
  done
  rm -rf "$directory"
}
trap finish EXIT

"${as_owner[@]}" "$programs/initdb" --no-sync --auth trust --username matinee --encoding UTF8 \
  --locale C.UTF-8 -D "$directory/data" >"$directory/initdb" 2>&1 || {
  cat "$directory/initdb" >&2
  exit 1
}
start
echo "$directory"
while read -r command; do
  case $command in
    start) start ;;
    kill)
      send KILL
      wait "$server" 2>/dev/null || true
      ;;
    freeze) send STOP ;;
    thaw) send CONT ;;
    standby) add_standby ;;
    promote) promote ;;
    stop)
      kill -INT "$server"
      wait "$server" || true
      ;;
  esac
  echo 'done'
done
