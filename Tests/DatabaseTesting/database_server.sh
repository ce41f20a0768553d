# Runs a PostgreSQL server of its own in a new directory, as another user if this one is root, and
# obeys the lines of its input: start, kill, freeze, thaw, stop. It answers each with a line, first
# with the directory of the server's socket. At the end of its input it removes everything. Its
# arguments are further ones of the server.
set -euo pipefail

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

start() {
  # The processes of a killed server may still hold its shared memory for a moment.
  until
    "${as_owner[@]}" "$programs/postgres" -D "$directory/data" -k "$directory" \
      -c listen_addresses= -c max_connections=60 "$@" >>"$directory/log" 2>&1 &
    server=$!
    until "$programs/pg_isready" -q -h "$directory" || ! kill -0 "$server" 2>/dev/null; do
      sleep 0.02
    done
    kill -0 "$server" 2>/dev/null
  do
    sleep 0.1
  done
}

# Sends a signal to the server and all its processes, the server first, so that it does not see
# the others end.
send() {
  mapfile -t processes < <(echo "$server" && pgrep -P "$server")
  kill "-$1" "${processes[@]}" 2>/dev/null || true
}

finish() {
  [[ -z $server ]] || { kill -CONT "$server" && kill -INT "$server" && wait "$server"; } || true
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
    stop)
      kill -INT "$server"
      wait "$server" || true
      ;;
  esac
  echo done
done
