#!/usr/bin/env bash
# One GET through Traffic Server arrives four times at a service that fails.
#
# Expected: a gateway whose origin closes the connection without a response says 502, perhaps after one more try on a connection
# that it had kept.
# Seen: Traffic Server sends a GET or HEAD four times, each on a new connection, before it responds with 502. PUT, DELETE, PATCH and
# POST arrive once.
# Who is hurt: the service. A client that tries a read three times makes twelve requests of it, and each of them may be expensive:
# the retry budget of the client counts a quarter of what it causes.
# Errand: counts its own attempts and knows of no others. A contract that names its gateway could halve the attempts of reads.
# Seen on 2026-11-28 with Traffic Server 9.2.5, Debian 12.
set -euo pipefail
source "$(dirname "$0")/support.bash"

debian trafficserver

cat >"$work/origin.py" <<'PYTHON'
import collections
import http.server
import sys

arrived = collections.Counter()

class Origin(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def fail(self):
        if self.path == "/arrived":
            text = str(arrived.pop(self.headers["Method"], 0)).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)
        else:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            arrived[self.command] += 1
            self.close_connection = True

    do_GET = do_HEAD = do_PUT = do_DELETE = do_PATCH = do_POST = fail

    def log_message(self, *_):
        pass

http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Origin).serve_forever()
PYTHON
cat >"$work/client.py" <<'PYTHON'
import http.client
import sys

gateway, origin = int(sys.argv[1]), int(sys.argv[2])

def send(port, method, path, body=None, headers={}):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method, path, body=body, headers=headers)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text

for method in ("GET", "HEAD", "PUT", "DELETE", "PATCH", "POST"):
    status, _ = send(gateway, method, "/", b"x" if method in ("PUT", "PATCH", "POST") else None)
    print(method, status, "arrived", send(origin, "GET", "/arrived", headers={"Method": method})[1])
PYTHON

cd "$work"
origin=$(free_port) port=$(free_port)
start "$origin" python3 origin.py "$origin"
mkdir etc run log cache
cp -r /etc/trafficserver/. etc
cat >etc/records.config <<CONF
CONFIG proxy.config.http.server_ports STRING $port:ip-in=127.0.0.1
CONFIG proxy.config.admin.user_id STRING trafficserver
CONFIG proxy.config.log.logging_enabled INT 0
CONF
echo "map / http://127.0.0.1:$origin/" >etc/remap.config
echo "$work/cache 32M" >etc/storage.config
cat >runroot.yaml <<CONF
prefix: $work
exec_prefix: $work
bindir: /usr/bin
sbindir: /usr/sbin
sysconfdir: $work/etc
datadir: $work
includedir: $work
libdir: /usr/lib
libexecdir: /usr/lib/trafficserver/modules
localstatedir: $work/run
runtimedir: $work/run
logdir: $work/log
cachedir: $work/cache
CONF
chmod -R a+rwX .
start "$port" traffic_server --run-root="$work/runroot.yaml"
python3 client.py "$port" "$origin" >seen

compare seen <<'RECORDED'
GET 502 arrived 4
HEAD 502 arrived 4
PUT 502 arrived 1
DELETE 502 arrived 1
PATCH 502 arrived 1
POST 502 arrived 1
RECORDED
