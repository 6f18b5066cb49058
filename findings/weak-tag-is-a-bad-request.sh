#!/usr/bin/env bash
# Kinto behind nginx with gzip refuses every revalidation with 400.
#
# Expected: a client sends back the `ETag` that it got, in `If-None-Match`, and the comparison there is weak (RFC 9110 section
# 13.1.2): 304, or 200 with the new content.
# Seen: nginx makes the tag weak when it compresses (`W/"1795905473109"`), as it should. Kinto wants a whole number between
# quotation marks and nothing else, and responds to the weak tag with 400, "Invalid parameters".
# Who is hurt: the first read of a resource succeeds, and each later one that is revalidated fails, for as long as the client keeps
# its copy (Kinto lets it do so where `record_cache_expires_seconds` is set). Without gzip everything works, so no test against the
# bare service finds it.
# Errand: the validator is added by the cache, so the caller has no part in it. A 400 to a request with a validator of the cache could
# be followed by one request without it, with the copy removed.
# Seen on 2026-11-28, nginx 1.22.1 of Debian 12.
set -euo pipefail
source "$(dirname "$0")/support.bash"

debian nginx
packages kinto==26.5.0 pyramid==2.1 waitress==3.0.2

cd "$work"
port=$(free_port) gateway=$(free_port)
cat >kinto.ini <<CONF
[server:main]
use = egg:waitress#main
host = 127.0.0.1
port = $port
[app:main]
use = egg:kinto
kinto.userid_hmac_secret = finding
kinto.bucket_create_principals = system.Authenticated
kinto.record_cache_expires_seconds = 60
kinto.storage_backend = kinto.core.storage.memory
kinto.permission_backend = kinto.core.permission.memory
multiauth.policies = basicauth
CONF
cat >nginx.conf <<CONF
daemon off;
pid $work/pid;
error_log $work/log;
events {}
http {
  access_log off;
  client_body_temp_path $work/body;
  fastcgi_temp_path $work/fastcgi;
  proxy_temp_path $work/proxy;
  scgi_temp_path $work/scgi;
  uwsgi_temp_path $work/uwsgi;
  gzip on;
  gzip_types application/json;
  gzip_proxied any;
  server {
    listen 127.0.0.1:$gateway;
    location / { proxy_pass http://127.0.0.1:$port; }
  }
}
CONF
cat >client.py <<'PYTHON'
import base64
import http.client
import json
import re
import sys

service, gateway = int(sys.argv[1]), int(sys.argv[2])
place = "/v1/buckets/shop/collections/items"
password = {"Authorization": "Basic " + base64.b64encode(b"ann:secret").decode()}

def send(port, method, path, body=None, headers={}):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    kind = {"Content-Type": "application/json"} if body else {}
    connection.request(method, path, body=json.dumps(body) if body else None, headers={**password, **kind, **headers})
    response = connection.getresponse()
    response.read()
    return response

send(service, "PUT", "/v1/buckets/shop")
send(service, "PUT", place)
send(service, "PUT", place + "/records/tea", {"data": {"text": "tea " * 500}})
for name, port, coding in (("Kinto", service, "gzip"), ("nginx, identity", gateway, "identity"), ("nginx, gzip", gateway, "gzip")):
    headers = {"Accept-Encoding": coding}
    first = send(port, "GET", place + "/records/tea", headers=headers)
    tag = first.headers["ETag"]
    second = send(port, "GET", place + "/records/tea", headers={**headers, "If-None-Match": tag})
    print(f"{name}: {first.status} with {re.sub('[0-9]+', 'NUMBER', tag)}, again with that tag: {second.status}")
PYTHON

start "$port" kinto start --ini kinto.ini --port "$port"
start "$gateway" nginx -c "$work/nginx.conf"
python client.py "$port" "$gateway" >seen

compare seen <<'RECORDED'
Kinto: 200 with "NUMBER", again with that tag: 304
nginx, identity: 200 with "NUMBER", again with that tag: 304
nginx, gzip: 200 with W/"NUMBER", again with that tag: 400
RECORDED
