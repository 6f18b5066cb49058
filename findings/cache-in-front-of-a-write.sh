#!/usr/bin/env bash
# A caching gateway shows the old state after a successful write, ignores `no-cache`, or turns a 503 into 200.
#
# Expected: a cache that passes on a successful PUT, DELETE or PATCH drops its copy of that URL (RFC 9111 section 4.4), asks the
# origin where the request says `no-cache` (section 5.2.1.4), and passes on a 503.
# Seen, with the default settings and a copy that is still fresh: nginx and Varnish keep the copy after every method. Apache and
# Traffic Server drop it after PUT and DELETE, and keep it after PATCH. HAProxy and Squid drop it after each of them. nginx, Varnish
# and Traffic Server respond to `no-cache` from the copy. If the copy has expired and the origin responds with 503, Apache and Traffic
# Server go on responding with the old copy and 200, Apache without `Age`. The others pass the 503 on, Varnish after one such 200.
# Who is hurt: a client that reads after a write to see whether it was carried out sees that it was not, and the user sends it
# again. "Reload" shows the same. An app that waits for the 503 to end is told that all is well.
# Errand: `confirm` never claims that a write was not carried out: a read that finds nothing leaves it `unconfirmed`. But a read
# that finds the old state counts as found. The read that confirms should say `no-cache`, which helps behind HAProxy, Squid and
# Apache; behind the others its URL must not be cached, and a contract that names its gateway could say so.
# Seen on 2026-11-28 with nginx 1.22.1, Varnish 7.1.1, Apache 2.4.71, HAProxy 2.6.12, Squid 5.7 and Traffic Server 9.2.5, Debian 12.
set -euo pipefail
source "$(dirname "$0")/support.bash"

debian nginx varnish apache2 haproxy squid trafficserver

cat >"$work/origin.py" <<'PYTHON'
import http.server
import sys

versions, state = {}, {"status": 200, "arrived": 0}

class Origin(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path.startswith("/tell/"):
            state["status"] = int(self.path[6:]) or state["status"]
            return self.respond(200, str(state["arrived"]).encode())
        state["arrived"] += 1
        if state["status"] == 503:
            return self.respond(503, b"busy")
        version = versions.setdefault(self.path, 1)
        age = 1 if self.path == "/short" else 600
        self.respond(200, b"version %d" % version, {"ETag": f'"{version}"', "Cache-Control": f"max-age={age}"})

    def change(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        versions[self.path] = versions.get(self.path, 1) + 1
        self.respond(204, b"")

    do_PUT = do_DELETE = do_PATCH = change

    def respond(self, status, body, headers={}):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Origin).serve_forever()
PYTHON
cat >"$work/client.py" <<'PYTHON'
import http.client
import sys
import time

gateway, origin = int(sys.argv[1]), int(sys.argv[2])

def send(method, path, port=gateway, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path, body=None if method in ("GET", "DELETE") else b"x", headers=headers)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response, text

def arrived(status=0):
    return int(send("GET", f"/tell/{status}", origin)[1])

seen = []
for method in ("PUT", "DELETE", "PATCH"):
    path = "/" + method.lower()
    send("GET", path)
    assert send("GET", path)[1] == "version 1" and send(method, path)[0].status == 204
    seen.append(f"{method} " + {"version 1": "old", "version 2": "new"}[send("GET", path)[1]])
send("GET", "/fresh")
before = arrived()
send("GET", "/fresh", **{"Cache-Control": "no-cache"})
seen.append("no-cache " + ("passed on" if arrived() > before else "ignored"))
send("GET", "/short")
before = arrived(503)
begun = time.monotonic()
while time.monotonic() < begun + 10 and send("GET", "/short")[0].status == 200:
    time.sleep(0.1)
waited = time.monotonic() - begun
assert arrived() > before
seen.append("a 503 is " + ("passed on" if waited < 10 else "200 for ten seconds"))
print(", ".join(seen))
PYTHON

apache() { # PORT ORIGIN
  mkdir "$1/cache"
  cat >"$1/apache.conf" <<CONF
ServerName localhost
ServerRoot $PWD/$1
DefaultRuntimeDir $PWD/$1
PidFile $PWD/$1/pid
ErrorLog $PWD/$1/log
User www-data
Group www-data
Listen 127.0.0.1:$1
$(for name in mpm_event authz_core proxy proxy_http cache cache_disk; do
    echo "LoadModule ${name}_module /usr/lib/apache2/modules/mod_$name.so"
  done)
CacheRoot $PWD/$1/cache
CacheEnable disk /
ProxyPass / http://127.0.0.1:$2/
CONF
  chmod -R 777 "$1"
  start "$1" apache2 -f "$PWD/$1/apache.conf" -DFOREGROUND
}
haproxy_() {
  cat >"$1/haproxy.conf" <<CONF
defaults
  mode http
  timeout connect 2s
  timeout client 10s
  timeout server 10s
cache copies
  total-max-size 4
frontend front
  bind 127.0.0.1:$1
  http-request cache-use copies
  http-response cache-store copies
  default_backend back
backend back
  server origin 127.0.0.1:$2
CONF
  start "$1" haproxy -f "$1/haproxy.conf"
}
nginx_() {
  cat >"$1/nginx.conf" <<CONF
daemon off;
pid $PWD/$1/pid;
error_log $PWD/$1/log;
events {}
http {
  access_log off;
  client_body_temp_path $PWD/$1/body;
  fastcgi_temp_path $PWD/$1/fastcgi;
  proxy_temp_path $PWD/$1/proxy;
  scgi_temp_path $PWD/$1/scgi;
  uwsgi_temp_path $PWD/$1/uwsgi;
  proxy_cache_path $PWD/$1/cache keys_zone=copies:1m;
  server {
    listen 127.0.0.1:$1;
    location / {
      proxy_pass http://127.0.0.1:$2;
      proxy_cache copies;
    }
  }
}
CONF
  chmod -R 777 "$1"
  start "$1" nginx -c "$PWD/$1/nginx.conf"
}
squid_() {
  cat >"$1/squid.conf" <<CONF
http_port 127.0.0.1:$1 accel defaultsite=localhost no-vhost
cache_peer 127.0.0.1 parent $2 0 no-query originserver
http_access allow all
access_log none
cache_log $PWD/$1/log
pid_filename $PWD/$1/pid
coredump_dir $PWD/$1
cache_effective_user proxy
visible_hostname localhost
shutdown_lifetime 0 seconds
CONF
  chmod -R 777 "$1"
  start "$1" squid -n "finding$1" -N -f "$PWD/$1/squid.conf"
}
trafficserver() {
  mkdir "$1/etc" "$1/run" "$1/log" "$1/cache"
  cp -r /etc/trafficserver/. "$1/etc"
  cat >"$1/etc/records.config" <<CONF
CONFIG proxy.config.http.server_ports STRING $1:ip-in=127.0.0.1
CONFIG proxy.config.admin.user_id STRING trafficserver
CONFIG proxy.config.log.logging_enabled INT 0
CONF
  echo "map / http://127.0.0.1:$2/" >"$1/etc/remap.config"
  echo "$PWD/$1/cache 32M" >"$1/etc/storage.config"
  cat >"$1/runroot.yaml" <<CONF
prefix: $PWD/$1
exec_prefix: $PWD/$1
bindir: /usr/bin
sbindir: /usr/sbin
sysconfdir: $PWD/$1/etc
datadir: $PWD/$1
includedir: $PWD/$1
libdir: /usr/lib
libexecdir: /usr/lib/trafficserver/modules
localstatedir: $PWD/$1/run
runtimedir: $PWD/$1/run
logdir: $PWD/$1/log
cachedir: $PWD/$1/cache
CONF
  chmod -R 777 "$1"
  start "$1" traffic_server --run-root="$PWD/$1/runroot.yaml"
}
varnish() {
  printf 'vcl 4.1;\nbackend origin { .host = "127.0.0.1"; .port = "%s"; }\n' "$2" >"$1/origin.vcl"
  start "$1" varnishd -F -n "$PWD/$1/run" -a "127.0.0.1:$1" -f "$PWD/$1/origin.vcl" -s malloc,16m -T none
}

cd "$work"
gateways=(nginx_ varnish apache trafficserver haproxy_ squid_)
clients=()
for gateway in "${gateways[@]}"; do
  origin_port=$(free_port) port=$(free_port)
  start "$origin_port" python3 origin.py "$origin_port"
  mkdir "$port"
  "$gateway" "$port" "$origin_port"
  python3 client.py "$port" "$origin_port" >"seen.$gateway" &
  clients+=($!)
done
for client in "${clients[@]}"; do wait "$client"; done
for gateway in "${gateways[@]}"; do echo "${gateway%_}: $(<"seen.$gateway")"; done >seen

compare seen <<'RECORDED'
nginx: PUT old, DELETE old, PATCH old, no-cache ignored, a 503 is passed on
varnish: PUT old, DELETE old, PATCH old, no-cache ignored, a 503 is passed on
apache: PUT new, DELETE new, PATCH old, no-cache passed on, a 503 is 200 for ten seconds
trafficserver: PUT new, DELETE new, PATCH old, no-cache ignored, a 503 is 200 for ten seconds
haproxy: PUT new, DELETE new, PATCH new, no-cache passed on, a 503 is passed on
squid: PUT new, DELETE new, PATCH new, no-cache passed on, a 503 is passed on
RECORDED
