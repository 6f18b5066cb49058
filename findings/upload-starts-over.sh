#!/usr/bin/env bash
# A resumable upload keeps nothing of what was cut off, and is gone when its last response is lost.
#
# Expected: a server of the tus protocol 1.0.0 keeps the bytes of a PATCH that was cut off, and a HEAD tells how many there are. So a
# client that has lost a response asks, and sends the rest. A PATCH with another offset is 409. Metadata are optional.
# Seen: tussi, aiohttp-tus and tuswsgi keep nothing of a PATCH until its end: an upload in one piece never resumes. With tussi and
# aiohttp-tus, a finished upload is 404, as one that never was. tuspyserver stores an upload without a `filetype` in its metadata,
# but each HEAD for it is 400. tuswsgi has no look at the offset of a PATCH: a repeat is 204, and the file has its bytes twice.
# resumable-upload does it right, except that the repeat of the last part is 403 instead of 409.
# Who is hurt: a client that loses the connection at 99 percent of a film begins at 0, each time. One that loses the last response
# uploads the whole film again. With tuswsgi, a repeat makes a damaged file of it, and both responses are 204.
# Errand: a contract with a resumable upload should name the size of a part, so that a loss costs one part. A 404 to the question for
# the offset after the last part was sent leaves the outcome `unconfirmed`, and is no reason to begin again. A 204 whose
# `Upload-Offset` is not the sum of both is `malformed`.
# Seen on 2026-11-30.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages tuspyserver==4.4.3 tussi==3.1.0 resumable-upload==0.3.0 tuswsgi==0.5.5 aiohttp-tus==1.1.0 aiohttp==3.14.5 fastapi==0.165.0 \
  uvicorn==0.54.0

cat >"$work/server.py" <<'PYTHON'
import logging
import pathlib
import sys

name, port, folder = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
host = "127.0.0.1"
logging.disable(logging.CRITICAL)

if name == "tuspyserver":
    import fastapi
    import tuspyserver
    import uvicorn
    application = fastapi.FastAPI()
    application.include_router(tuspyserver.create_tus_router(prefix="files", files_dir=str(folder)))
    uvicorn.run(application, host=host, port=port, log_level="critical")
elif name == "tussi":
    import tussi
    import uvicorn
    (folder / "parts").mkdir()
    (folder / "whole").mkdir()
    storage = tussi.FilesystemStorage(directory=folder / "parts")
    uvicorn.run(tussi.TUSApp(storage=storage, completed_dir=folder / "whole"), host=host, port=port, log_level="critical")
elif name == "aiohttp-tus":
    import aiohttp.web
    import aiohttp_tus
    application = aiohttp_tus.setup_tus(
        aiohttp.web.Application(client_max_size=10_000_000), upload_url="/files", upload_path=folder)
    aiohttp.web.run_app(application, host=host, port=port, print=None)
elif name == "tuswsgi":
    import tuswsgi
    from wsgiref.simple_server import make_server

    def application(environment, start_response):
        start_response("204 No Content", [])
        return [b""]

    make_server(host, port, tuswsgi.TusMiddleware(application, upload_path="/files", tmp_dir=str(folder))).serve_forever()
else:
    from http.server import ThreadingHTTPServer
    import resumable_upload
    storage = resumable_upload.SQLiteStorage(db_path=str(folder / "uploads"), upload_dir=str(folder / "files"))

    class Handler(resumable_upload.TusHTTPRequestHandler):
        tus_server = resumable_upload.TusServer(storage=storage, base_path="/files")

    ThreadingHTTPServer((host, port), Handler).serve_forever()
PYTHON
cat >"$work/client.py" <<'PYTHON'
import http.client
import socket
import sys
import time
import urllib.parse

name, port = sys.argv[1], int(sys.argv[2])
version = {"Tus-Resumable": "1.0.0"}
kind = {"Content-Type": "application/offset+octet-stream"}
content = bytes(range(250)) * 4000

def send(method, path, body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path, body, {**version, **{key.replace("_", "-"): value for key, value in headers.items()}})
    response = connection.getresponse()
    response.read()
    connection.close()
    return response

def create(length, file):
    base = "/" if name == "tussi" else "/files"
    metadata = f"filename {file},name {file}" + ("" if file == "YQ==" else ",filetype aW1hZ2UvcG5n")
    response = send("POST", base, Upload_Length=str(length), Upload_Metadata=metadata)
    return urllib.parse.urlsplit(response.headers["Location"]).path

def part(path, offset, body):
    return send("PATCH", path, body, Upload_Offset=str(offset), **kind).status

def offset(path):
    response = send("HEAD", path)
    return f"{response.status} {response.headers['Upload-Offset'] or ''}".strip()

path = create(len(content), "YWE=")
head = f"PATCH {path} HTTP/1.1\r\nHost: localhost:{port}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n"
head += f"Content-Type: {kind['Content-Type']}\r\nContent-Length: {len(content)}\r\n\r\n"
connection = socket.create_connection(("127.0.0.1", port))
connection.sendall(head.encode() + content[:900_000])
time.sleep(0.5)
connection.close()
time.sleep(0.5)
print(f"{name}: cut off at 900000, then HEAD {offset(path)}")

path = create(10, "YWI=")
seen = [part(path, 0, b"01234"), part(path, 0, b"01234")]
print(f"{name}: first half {seen[0]}, its repeat {seen[1]}, then HEAD {offset(path)} of 10")

path = create(5, "YWM=")
seen = [part(path, 0, b"01234"), offset(path), part(path, 0, b"01234"), offset(path)]
print(f"{name}: all {seen[0]}, then HEAD {seen[1]}, its repeat {seen[2]}, then HEAD {seen[3]} of 5")

path = create(5, "YQ==")
seen = [part(path, 0, b"01"), offset(path)]
print(f"{name}: without a filetype: a part {seen[0]}, then HEAD {seen[1]}")
PYTHON

for name in tussi aiohttp-tus tuswsgi tuspyserver resumable-upload; do
  port=$(free_port)
  mkdir "$work/$name"
  start "$port" python "$work/server.py" "$name" "$port" "$work/$name"
  python "$work/client.py" "$name" "$port"
  stop "$server"
done >"$work/seen"

compare "$work/seen" <<'RECORDED'
tussi: cut off at 900000, then HEAD 204 0
tussi: first half 204, its repeat 409, then HEAD 204 5 of 10
tussi: all 204, then HEAD 404, its repeat 404, then HEAD 404 of 5
tussi: without a filetype: a part 204, then HEAD 204 2
aiohttp-tus: cut off at 900000, then HEAD 200 0
aiohttp-tus: first half 204, its repeat 409, then HEAD 200 5 of 10
aiohttp-tus: all 204, then HEAD 404, its repeat 500, then HEAD 404 of 5
aiohttp-tus: without a filetype: a part 204, then HEAD 200 2
tuswsgi: cut off at 900000, then HEAD 200 0
tuswsgi: first half 204, its repeat 204, then HEAD 200 10 of 10
tuswsgi: all 204, then HEAD 200 5, its repeat 400, then HEAD 200 10 of 5
tuswsgi: without a filetype: a part 204, then HEAD 200 2
tuspyserver: cut off at 900000, then HEAD 200 900000
tuspyserver: first half 204, its repeat 409, then HEAD 200 5 of 10
tuspyserver: all 204, then HEAD 200 5, its repeat 409, then HEAD 200 5 of 5
tuspyserver: without a filetype: a part 204, then HEAD 400
resumable-upload: cut off at 900000, then HEAD 200 900000
resumable-upload: first half 204, its repeat 409, then HEAD 200 5 of 10
resumable-upload: all 204, then HEAD 200 5, its repeat 403, then HEAD 200 5 of 5
resumable-upload: without a filetype: a part 204, then HEAD 200 2
RECORDED
