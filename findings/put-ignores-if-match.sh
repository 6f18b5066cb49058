#!/usr/bin/env bash
# nginx overwrites and deletes a file although `If-Match` forbids it, and Apache refuses the tag that it has just sent.
#
# Expected: where `If-Match` names another tag than the current one, PUT and DELETE change nothing and respond with 412 (RFC 9110
# section 13.1.1). `If-None-Match: *` lets a PUT create and never replace. With the current tag, both succeed.
# Seen: nginx's WebDAV module evaluates none of them: each PUT replaces the file with 204, and DELETE deletes it. copyparty evaluates none
# either: each PUT with an existing name is 201, and stores one more file beside the first one, so the next GET has the old content. For
# a second after each change, Apache's mod_dav sends a weak tag, which no `If-Match` can match: a client that reads and writes at once
# gets 412, although nobody else has changed the file. WsgiDAV and lighttpd's mod_webdav do it right.
# Who is hurt: two devices that save the same file. One of them loses its changes, and both are told that they were saved. A repeated
# PUT that should only create replaces what came in between.
# Errand: sends `If-Match` as an input of the contract, and believes a 204. Behind nginx, nothing in the response shows the loss. It
# repeats a PUT by itself, which stores a second file in copyparty, so there the contract says `effect: once`.
# Seen on 2026-11-30, nginx 1.22.1, Apache 2.4.71 and lighttpd 1.4.69 of Debian 12.
set -euo pipefail
source "$(dirname "$0")/support.bash"

debian nginx apache2 lighttpd lighttpd-mod-webdav
packages WsgiDAV==4.4.0 cheroot==11.1.2 copyparty==1.20.26

cat >"$work/client.py" <<'PYTHON'
import http.client
import sys
import time

name, port = sys.argv[1], int(sys.argv[2])
seen = []

def send(method, path, body=None, **conditions):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path, body, {key.replace("_", "-"): value for key, value in conditions.items()})
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, response.headers.get("ETag"), text

def content(path):
    status, _, text = send("GET", path)
    return text if status == 200 else str(status)

send("PUT", "/old.bin", "one")
for title, method, conditions in (
    ("If-None-Match: *", "PUT", {"If_None_Match": "*"}), ("If-Match of another version", "PUT", {"If_Match": '"another"'}),
    ("DELETE with If-Match of another version", "DELETE", {"If_Match": '"another"'}),
):
    before = content("/old.bin")
    status = send(method, "/old.bin", before + " more" if method == "PUT" else None, **conditions)[0]
    after = content("/old.bin")
    seen.append(f"{title}: {status}, {'unchanged' if after == before else 'gone' if after == '404' else 'replaced'}")
send("PUT", "/new.bin", "one")
for title, pause in (("at once", 0), ("later", 2)):
    time.sleep(pause)
    tag = send("GET", "/new.bin")[1]
    if tag:
        kind = "weak" if tag.startswith("W/") else "strong"
        seen.append(f"If-Match of its {kind} tag {title}: {send('PUT', '/new.bin', 'two ' + title, If_Match=tag)[0]}")
for one in seen:
    print(f"{name}, {one}")
PYTHON

apache() {
  cat >apache.conf <<CONF
ServerName localhost
ServerRoot $PWD
DefaultRuntimeDir $PWD
PidFile $PWD/apache.pid
ErrorLog $PWD/apache.log
User www-data
Group www-data
Listen 127.0.0.1:$1
$(for name in mpm_event authz_core dav dav_fs; do echo "LoadModule ${name}_module /usr/lib/apache2/modules/mod_$name.so"; done)
DavLockDB $PWD/locks
DocumentRoot $PWD/files
<Directory $PWD/files>
Dav On
Require all granted
</Directory>
CONF
  start "$1" apache2 -f "$PWD/apache.conf" -DFOREGROUND
}
copyparty_() { start "$1" copyparty -q -i 127.0.0.1 -p "$1" -v "$PWD/files::rwmda"; }
lighttpd_() {
  cat >lighttpd.conf <<CONF
server.modules = ("mod_webdav")
server.bind = "127.0.0.1"
server.port = $1
server.document-root = "$PWD/files"
webdav.activate = "enable"
mimetype.assign = ("" => "application/octet-stream")
CONF
  start "$1" lighttpd -D -f lighttpd.conf
}
nginx_() {
  cat >nginx.conf <<CONF
daemon off;
pid $PWD/nginx.pid;
error_log $PWD/nginx.log;
events {}
http {
  access_log off;
  client_body_temp_path $PWD/body;
  server {
    listen 127.0.0.1:$1;
    root $PWD/files;
    dav_methods PUT DELETE;
  }
}
CONF
  start "$1" nginx -c "$PWD/nginx.conf"
}
wsgidav_() { start "$1" wsgidav --host 127.0.0.1 --port "$1" --root "$PWD/files" --auth anonymous; }

cd "$work"
for program in nginx_ copyparty_ apache lighttpd_ wsgidav_; do
  rm -rf files body
  mkdir files body
  chmod 777 . files body
  port=$(free_port)
  "$program" "$port"
  python client.py "${program%_}" "$port"
  stop "$server"
done >seen

compare seen <<'RECORDED'
nginx, If-None-Match: *: 204, replaced
nginx, If-Match of another version: 204, replaced
nginx, DELETE with If-Match of another version: 204, gone
nginx, If-Match of its strong tag at once: 204
nginx, If-Match of its strong tag later: 204
copyparty, If-None-Match: *: 201, unchanged
copyparty, If-Match of another version: 201, unchanged
copyparty, DELETE with If-Match of another version: 200, gone
apache, If-None-Match: *: 412, unchanged
apache, If-Match of another version: 412, unchanged
apache, DELETE with If-Match of another version: 412, unchanged
apache, If-Match of its weak tag at once: 412
apache, If-Match of its strong tag later: 204
lighttpd, If-None-Match: *: 412, unchanged
lighttpd, If-Match of another version: 412, unchanged
lighttpd, DELETE with If-Match of another version: 412, unchanged
lighttpd, If-Match of its strong tag at once: 204
lighttpd, If-Match of its strong tag later: 204
wsgidav, If-None-Match: *: 412, unchanged
wsgidav, If-Match of another version: 412, unchanged
wsgidav, DELETE with If-Match of another version: 412, unchanged
wsgidav, If-Match of its strong tag at once: 204
wsgidav, If-Match of its strong tag later: 204
RECORDED
