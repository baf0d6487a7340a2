# Starts a PostgreSQL and a Redis for the tests, on free loopback ports, with their data in a
# temporary folder; installs them first where they are missing and apt can. To be sourced by bash.
# Where one cannot be had, its variable stays unset, and the tests say that they were skipped.
#
#   STILLFRAME_TEST_POSTGRES  a JDBC URL
#   STILLFRAME_TEST_REDIS     redis://host:port

stores=$(mktemp -d)
# Who runs the servers must be able to get there.
chmod 755 "$stores"
trap 'stop_stores' EXIT

stop_stores() {
  if [ -e "$stores/redis.pid" ]; then
    kill "$(cat "$stores/redis.pid")" 2>/dev/null || true
  fi
  if [ -e "$stores/postgres/data/postmaster.pid" ]; then
    as_postgres "$pg_bin/pg_ctl" -D "$stores/postgres/data" -m immediate stop >/dev/null 2>&1 || true
  fi
  rm -rf "$stores"
}

# PostgreSQL refuses to be run by root.
as_postgres() {
  if [ "$(id -u)" = 0 ]; then
    runuser -u postgres -- "$@"
  else
    "$@"
  fi
}

free_port() {
  local port
  for port in $(shuf -i 20000-32000 -n 50); do
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      echo "$port"
      return
    fi
  done
  return 1
}

install_package() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  echo "installing $1"
  # The package would start a server of its own on the usual port.
  mkdir -p /etc/postgresql-common
  [ -e /etc/postgresql-common/createcluster.conf ] ||
    echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
  export DEBIAN_FRONTEND=noninteractive
  timeout 120 apt-get install -y -q --no-install-recommends "$1" >"$stores/apt.log" 2>&1 ||
    { timeout 60 apt-get update -q >"$stores/apt.log" 2>&1 &&
      timeout 120 apt-get install -y -q --no-install-recommends "$1" >"$stores/apt.log" 2>&1; } ||
    { tail -n 5 "$stores/apt.log"; return 1; }
}

find_postgres() {
  pg_bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
  [ -n "$pg_bin" ] || pg_bin=$(dirname "$(command -v initdb)" 2>/dev/null)
  [ -x "$pg_bin/initdb" ]
}

start_postgres() {
  local port
  find_postgres || { install_package postgresql && find_postgres; } || return 1
  port=$(free_port) || return 1
  mkdir "$stores/postgres"
  [ "$(id -u)" != 0 ] || chown postgres "$stores/postgres"
  (
    cd "$stores/postgres"
    as_postgres "$pg_bin/initdb" -D data -U stillframe -A trust -E UTF8 --no-sync
    as_postgres "$pg_bin/pg_ctl" -D data -w -l log \
      -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off" start
  ) </dev/null >"$stores/postgres.log" 2>&1 || { tail -n 5 "$stores/postgres.log"; return 1; }
  export STILLFRAME_TEST_POSTGRES="jdbc:postgresql://127.0.0.1:$port/postgres?user=stillframe"
}

start_redis() {
  local port
  command -v redis-server >/dev/null || install_package redis-server || return 1
  port=$(free_port) || return 1
  redis-server --port "$port" --bind 127.0.0.1 --dir "$stores" --save '' --appendonly no \
    --daemonize yes --pidfile "$stores/redis.pid" >"$stores/redis.log" 2>&1 || return 1
  for _ in $(seq 100); do
    if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      export STILLFRAME_TEST_REDIS="redis://127.0.0.1:$port"
      return
    fi
    sleep 0.1
  done
  return 1
}

start_postgres || echo 'There is no PostgreSQL here: its tests will be skipped'
start_redis || echo 'There is no Redis here: its tests will be skipped'
