#!/usr/bin/env bash
# A changed file keeps its strong ETag, so a download that is resumed joins two files.
#
# Expected: a strong ETag changes with the bytes (RFC 9110 section 8.8.1), so `If-Range` with the tag of the old file gives the
# whole new file, and `If-None-Match` gives 200.
# Seen: Tornado's StaticFileHandler computes the tag once for each file and process. After the file has changed, the process sends
# the new bytes with the old tag, responds with 304 to `If-None-Match`, and ignores `If-Range`: it sends the rest of the new file
# with the tag of the old one. Only `Last-Modified` tells that the file is another.
# Who is hurt: a client that compares tags, as the standard tells it to, stores the first half of the old file with the second half
# of the new one. A cache never sees the new file.
# Errand: a download compares the tag of the rest with that of the beginning. It should also stop where both responses have a
# `Last-Modified` and the two differ. A checksum in the contract finds it in any case.
# Seen on 2026-11-28.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages tornado==6.6.1

mkdir "$work/files"
cat >"$work/server.py" <<'PYTHON'
import asyncio
import sys
import tornado.web

async def main():
    handler = ("/(.*)", tornado.web.StaticFileHandler, {"path": sys.argv[2]})
    tornado.web.Application([handler]).listen(int(sys.argv[1]), "127.0.0.1")
    await asyncio.Event().wait()

asyncio.run(main())
PYTHON
cat >"$work/client.py" <<'PYTHON'
import http.client
import os
import sys
import time

port, file = int(sys.argv[1]), sys.argv[2]

def get(**headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/film", headers={name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    return response, response.read().decode()

def write(text, hours_ago):
    with open(file + ".new", "w") as new:
        new.write(text)
    moment = time.time() - hours_ago * 3600
    os.utime(file + ".new", (moment, moment))
    os.replace(file + ".new", file)

write("old old old old ", 2)
old, body = get()
tag = old.headers["ETag"]
print("before:", old.status, body, "strong" if tag.startswith('"') else "weak")
write("new new new new ", 1)
new, body = get()
print("after:", new.status, body, "the same tag" if new.headers["ETag"] == tag else "another tag")
changed = new.headers["Last-Modified"] != old.headers["Last-Modified"]
print("Last-Modified:", "another" if changed else "the same")
print("If-None-Match with the tag of the old file:", get(If_None_Match=tag)[0].status)
rest, body = get(Range="bytes=8-", If_Range=tag)
print("If-Range with the tag of the old file:", rest.status, body, "the same tag" if rest.headers["ETag"] == tag else "another tag")
PYTHON

touch "$work/files/film"
port=$(free_port)
start "$port" python "$work/server.py" "$port" "$work/files"
python "$work/client.py" "$port" "$work/files/film" >"$work/seen"

compare "$work/seen" <<'RECORDED'
before: 200 old old old old  strong
after: 200 new new new new  the same tag
Last-Modified: another
If-None-Match with the tag of the old file: 304
If-Range with the tag of the old file: 206 new new  the same tag
RECORDED
