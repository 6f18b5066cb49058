# Sourced by each finding: a temporary folder, packages, free ports, programs that are stopped at the end, and the comparison of
# what was seen with what is recorded.

work=$(mktemp -d)
chmod 755 "$work"
started=()

stop() { # PID...: asks each program to end, and ends it after two seconds
  local pid
  kill "$@" 2>/dev/null || true
  for pid in "$@"; do
    for _ in $(seq 20); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
    kill -9 "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
}

clean_up() {
  [ ${#started[@]} -eq 0 ] || stop "${started[@]}"
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

packages() { # NAME==VERSION...: installs them from PyPI into a folder of their own, and prints their versions
  python3 -m venv "$work/venv"
  export PATH="$work/venv/bin:$PATH" PYTHONPATH="$work" PYTHONWARNINGS=ignore
  pip install --quiet --disable-pip-version-check "$@"
  python --version
  printf 'PyPI: %s\n' "$@"
}

debian() { # NAME...: installs the Debian packages that are missing, and prints the versions
  dpkg --status "$@" >/dev/null 2>&1 ||
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } >"$work/apt.log" 2>&1 ||
    { tail -5 "$work/apt.log" >&2; exit 1; }
  dpkg-query -W -f 'Debian: ${Package} ${Version}\n' "$@"
}

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

start() { # PORT COMMAND...: starts a server, and returns when its port is open; its process is $server
  local port=$1
  shift
  "$@" >"$work/server.log" 2>&1 &
  server=$!
  started+=("$server")
  for _ in $(seq 200); do
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && return
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  echo "no server at its port: $*" >&2
  tail -5 "$work/server.log" >&2
  exit 1
}

compare() { # FILE: prints what was seen, and fails if it is not what standard input records
  cat "$1"
  if diff - "$1" >"$work/difference"; then
    echo "as recorded"
  else
    printf 'another behavior than recorded (<):\n' >&2
    cat "$work/difference" >&2
    exit 1
  fi
}
