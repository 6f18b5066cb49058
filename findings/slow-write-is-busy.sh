#!/usr/bin/env bash
# A write that was stored and took too long is 503, and Varnish asks for a repeat after five seconds.
#
# Expected: a gateway or a server that has waited too long for a handler says 504, which leaves open what has become of the request.
# 503 is a refusal before the work, and `Retry-After` an invitation to repeat it (RFC 9110 sections 15.6.4 and 15.6.5).
# Seen: Varnish responds to a POST with 503 and `Retry-After: 5` after `first_byte_timeout`, which is a minute by default. Sanic
# responds with 503 after `RESPONSE_TIMEOUT`, a minute as well, and ends the handler in the middle. Daphne with `--http-timeout`
# responds with 503 and lets the handler go on. Apache and H2O say 502. In each case the order is stored. nginx and HAProxy say 504.
# Who is hurt: a client that repeats a 503, most of all one with `Retry-After`. It stores an order with each attempt, since the work
# takes as long each time, and says in the end that the service was busy. What Daphne has not done yet is done after the response.
# Errand: takes no 502 and no 503 for a proof that a POST was not carried out, unless the contract says so, or names a gateway whose
# own page the 503 is. So a command with `effect: once` ends as `unconfirmed`.
# Seen on 2026-11-30, Varnish 7.1.1, Apache 2.4.71, H2O 2.2.5, nginx 1.22.1 and HAProxy 2.6.12 of Debian 12.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages sanic==25.12.1 daphne==4.2.3 Twisted==26.10.0
debian varnish apache2 h2o nginx haproxy

cat >"$work/orders.py" <<'PYTHON'
import http.server
import sys
import time

stored = 0

class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.respond(200, str(stored).encode())

    def do_POST(self):
        global stored
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        stored += 1
        time.sleep(2)
        try:
            self.respond(201, b"")
        except OSError:
            pass

    def respond(self, status, text):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass

http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Service).serve_forever()
PYTHON
cat >"$work/sanic_orders.py" <<'PYTHON'
import asyncio
import sys
import sanic

application = sanic.Sanic("shop")
application.config.RESPONSE_TIMEOUT = 1
orders = []

@application.post("/orders")
async def post(request):
    orders.append("stored")
    await asyncio.sleep(2)
    orders.append("mailed")
    return sanic.empty(201)

@application.get("/stored")
async def stored(request):
    return sanic.text(f"{orders.count('stored')} (mailed: {orders.count('mailed')})")

if __name__ == "__main__":
    application.run("127.0.0.1", int(sys.argv[1]), single_process=True, motd=False, access_log=False)
PYTHON
cat >"$work/asgi_orders.py" <<'PYTHON'
import asyncio

orders = []

async def application(scope, receive, send):
    status, text = 200, f"{orders.count('stored')} (mailed: {orders.count('mailed')})"
    if scope["method"] == "POST":
        orders.append("stored")
        await asyncio.sleep(2)
        orders.append("mailed")
        status, text = 201, ""
    length = str(len(text)).encode()
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", length)]})
    await send({"type": "http.response.body", "body": text.encode()})
PYTHON

cd "$work"
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
ProxyTimeout 1
ProxyPass / http://127.0.0.1:$2/
CONF
  start "$1" apache2 -f "$work/apache.conf" -DFOREGROUND
}
h2o_() {
  cat >h2o.conf <<CONF
user: nobody
listen:
  host: 127.0.0.1
  port: $1
proxy.timeout.io: 1000
hosts:
  default:
    paths:
      /:
        proxy.reverse.url: http://127.0.0.1:$2/
CONF
  start "$1" h2o -c h2o.conf
}
haproxy_() {
  cat >haproxy.conf <<CONF
defaults
  mode http
  timeout connect 2s
  timeout client 10s
  timeout server 1s
frontend front
  bind 127.0.0.1:$1
  default_backend back
backend back
  server origin 127.0.0.1:$2
CONF
  start "$1" haproxy -f haproxy.conf
}
nginx_() {
  cat >nginx.conf <<CONF
daemon off;
pid $work/nginx.pid;
error_log $work/nginx.log;
events {}
http {
  access_log off;
  client_body_temp_path $work/body;
  fastcgi_temp_path $work/fastcgi;
  proxy_temp_path $work/proxy;
  scgi_temp_path $work/scgi;
  uwsgi_temp_path $work/uwsgi;
  server {
    listen 127.0.0.1:$1;
    location / {
      proxy_pass http://127.0.0.1:$2;
      proxy_read_timeout 1s;
    }
  }
}
CONF
  start "$1" nginx -c "$work/nginx.conf"
}
varnish() {
  cat >varnish.vcl <<CONF
vcl 4.1;
backend default {
  .host = "127.0.0.1";
  .port = "$2";
  .first_byte_timeout = 1s;
}
CONF
  start "$1" varnishd -F -n "$work/varnish" -a "127.0.0.1:$1" -f "$work/varnish.vcl" -s malloc,8m
}
sanic_() { start "$1" python sanic_orders.py "$1"; }
daphne_() { start "$1" daphne -b 127.0.0.1 -p "$1" --http-timeout 1 asgi_orders:application; }

for name in varnish sanic_ daphne_ apache h2o_ nginx_ haproxy_; do
  origin=$(free_port) port=$(free_port)
  start "$origin" python orders.py "$origin"
  service=$server
  "$name" "$port" "$origin"
  case $name in sanic_ | daphne_) kept=$port ;; *) kept=$origin ;; esac
  printf '%s: two attempts' "${name%_}"
  for _ in 1 2; do
    curl --silent --request POST --data '{"amount": 5}' --dump-header head --output body --write-out ' %{http_code}' \
      "http://127.0.0.1:$port/orders"
    sed -n 's/^\(retry-after: [0-9]*\).*/ with \1/Ip' head | tr -d '\n'
  done
  sleep 1.5
  echo "; orders stored: $(curl --silent "http://127.0.0.1:$kept/stored")"
  stop "$server" "$service"
done >seen

compare seen <<'RECORDED'
varnish: two attempts 503 with Retry-After: 5 503 with Retry-After: 5; orders stored: 2
sanic: two attempts 503 503; orders stored: 2 (mailed: 0)
daphne: two attempts 503 503; orders stored: 2 (mailed: 2)
apache: two attempts 502 502; orders stored: 2
h2o: two attempts 502 502; orders stored: 2
nginx: two attempts 504 504; orders stored: 2
haproxy: two attempts 504 504; orders stored: 2
RECORDED
