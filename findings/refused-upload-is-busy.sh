#!/usr/bin/env bash
# A large upload with an expired token is 503 or 502, where a small one is 401.
#
# Expected: a service may refuse a request before it has read the body, and its gateway passes the refusal on. The size of a body has
# no influence on the status.
# Seen: gunicorn, Granian and Hypercorn close the connection after the response if the handler has not read the body. Varnish, which
# is still sending then, responds with 503 and `Retry-After: 5`, and Apache with 502. nginx and Caddy say 502 in some of the
# attempts, HAProxy closes the connection in some. With uvicorn, which reads the rest, it is 401 behind Varnish and Apache.
# Who is hurt: a client with an upload of some megabytes. It never learns that its token has expired, so it does not refresh it. It
# repeats the whole upload as often as it may, and shows that the service is busy. A test with a small file does not find it.
# Errand: after a 502 or 503 of an upload, a client that has a session could make one small read, or refresh the token, before it
# sends the file again. A contract could ask for `Expect: 100-continue`, which keeps the body back until the service has decided.
# Seen on 2026-11-30, Varnish 7.1.1 and Apache 2.4.71 of Debian 12.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages gunicorn==27.0.1 granian==2.8.9 Hypercorn==0.18.0 uvicorn==0.54.0 h11==0.16.0
debian varnish apache2

cat >"$work/asgi.py" <<'PYTHON'
async def application(scope, receive, send):
    if scope["type"] == "http":
        headers = [(b"content-length", b"0"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
PYTHON
cat >"$work/wsgi.py" <<'PYTHON'
def application(environment, start_response):
    start_response("401 Unauthorized", [("Content-Length", "0"), ("WWW-Authenticate", "Bearer")])
    return [b""]
PYTHON

cd "$work"
head -c 1000 /dev/zero >small
head -c 30000000 /dev/zero >large
varnish() {
  cat >varnish.vcl <<CONF
vcl 4.1;
backend default {
  .host = "127.0.0.1";
  .port = "$2";
}
CONF
  start "$1" varnishd -F -n "$work/varnish$1" -a "127.0.0.1:$1" -f "$work/varnish.vcl" -s malloc,8m
}
apache() {
  cat >apache.conf <<CONF
ServerName localhost
ServerRoot $work
DefaultRuntimeDir $work
PidFile $work/apache.pid
ErrorLog $work/apache.log
User www-data
Group www-data
Listen 127.0.0.1:$1
$(for name in mpm_event authz_core proxy proxy_http; do echo "LoadModule ${name}_module /usr/lib/apache2/modules/mod_$name.so"; done)
ProxyPass / http://127.0.0.1:$2/
CONF
  start "$1" apache2 -f "$work/apache.conf" -DFOREGROUND
}
upload() { # PORT FILE
  curl --silent --max-time 20 --header 'Expect:' --data-binary "@$2" --dump-header head --output body --write-out ' %{http_code}' \
    "http://127.0.0.1:$1/files"
  sed -n 's/^\(retry-after: [0-9]*\).*/ with \1/Ip' head | tr -d '\n'
}

for name in gunicorn granian hypercorn uvicorn; do
  port=$(free_port)
  case $name in
    gunicorn) start "$port" gunicorn --bind "127.0.0.1:$port" wsgi:application ;;
    granian) start "$port" granian --interface asgi --port "$port" asgi:application ;;
    hypercorn) start "$port" hypercorn --bind "127.0.0.1:$port" asgi:application ;;
    uvicorn) start "$port" uvicorn --port "$port" --http h11 --log-level critical asgi:application ;;
  esac
  service=$server
  printf '%s: direct%s%s' "$name" "$(upload "$port" small)" "$(upload "$port" large)"
  for gateway in varnish apache; do
    front=$(free_port)
    "$gateway" "$front" "$port"
    printf '; behind %s small%s, large%s%s%s' "$gateway" "$(upload "$front" small)" \
      "$(upload "$front" large)" "$(upload "$front" large)" "$(upload "$front" large)"
    stop "$server"
  done
  echo
  stop "$service"
done >seen

compare seen <<'RECORDED'
gunicorn: direct 401 401; behind varnish small 401, large 503 with Retry-After: 5 503 with Retry-After: 5 503 with Retry-After: 5; behind apache small 401, large 502 502 502
granian: direct 401 401; behind varnish small 401, large 503 with Retry-After: 5 503 with Retry-After: 5 503 with Retry-After: 5; behind apache small 401, large 502 502 502
hypercorn: direct 401 401; behind varnish small 401, large 503 with Retry-After: 5 503 with Retry-After: 5 503 with Retry-After: 5; behind apache small 401, large 502 502 502
uvicorn: direct 401 401; behind varnish small 401, large 401 401 401; behind apache small 401, large 401 401 401
RECORDED
