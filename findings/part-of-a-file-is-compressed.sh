#!/usr/bin/env bash
# A part of a file is compressed after it was cut out, and `Content-Range` still counts the bytes of the uncompressed file.
#
# Expected: a compressor leaves a 206 alone, since a range counts the bytes of the coding that is sent, and the compressed file has
# another strong tag than the uncompressed one (RFC 9110 sections 14.1.2 and 8.8.3.3).
# Seen: brotli-asgi, zstd-asgi, asgi-compression, Flask-Compress, Django's GZipMiddleware and Caddy 2.6.2 compress the 206 of the file
# server. `Content-Range` names 59,001 bytes, and far fewer arrive. Flask-Compress has a tag of its own for each coding, so the tag of
# the compressed file gets the whole file. The others of them that keep a tag give both codings the same strong one. Starlette's
# GZipMiddleware and starlette-compress leave the 206 alone, and also give both codings one tag.
# Who is hurt: a client that loses the compressed file half-way, and asks for the rest with `If-Range`. It gets 206 and its own tag, and
# the joined file cannot be unpacked. A client that compares the length of a part with `Content-Range` refuses each part.
# Errand: a download asks for `Accept-Encoding: identity`, which turns all these compressors off, and fails where a 206 is compressed
# all the same. For a file that an endpoint returns as bytes, nothing asks for a range.
# Seen on 2026-11-30, Caddy 2.6.2 of Debian 12.
set -euo pipefail
source "$(dirname "$0")/support.bash"

debian caddy
packages brotli-asgi==1.7.0 zstd-asgi==1.0 asgi-compression==0.1.1 starlette-compress==2.0.0 starlette==1.10.0 uvicorn==0.54.0 \
  Flask-Compress==1.25 Flask==3.1.3 Werkzeug==3.1.9 Django==5.2.19 django-ranged-response==0.2.0 brotli==1.2.1 zstandard==0.25.0

python - "$work/file.json" <<'PYTHON'
import pathlib
import sys

pathlib.Path(sys.argv[1]).write_text("[" + ",\n".join(f'"row {number:08}"' for number in range(5000)) + "]")
PYTHON

cat >"$work/files.py" <<'PYTHON'
import sys
from wsgiref.simple_server import make_server

name, port, file = sys.argv[1], int(sys.argv[2]), sys.argv[3]

def asgi(application):
    import uvicorn
    uvicorn.run(application, host="127.0.0.1", port=port, log_level="critical")

if name == "Flask-Compress":
    import flask
    import flask_compress
    application = flask.Flask("files")
    flask_compress.Compress(application)
    application.add_url_rule("/file", view_func=lambda: flask.send_file(file, mimetype="application/json"), endpoint="file")
    make_server("127.0.0.1", port, application).serve_forever()
elif name == "GZipMiddleware of Django":
    import django
    from django.conf import settings
    settings.configure(
        SECRET_KEY="finding", ALLOWED_HOSTS=["*"], ROOT_URLCONF="__main__", MIDDLEWARE=["django.middleware.gzip.GZipMiddleware"])
    django.setup()
    from django.core.wsgi import get_wsgi_application
    from django.urls import path
    from ranged_response import RangedFileResponse

    def read(request):
        return RangedFileResponse(request, open(file, "rb"), content_type="application/json")

    urlpatterns = [path("file", read)]
    make_server("127.0.0.1", port, get_wsgi_application()).serve_forever()
else:
    from starlette.applications import Starlette
    from starlette.responses import FileResponse
    from starlette.routing import Route

    async def read(request):
        return FileResponse(file, media_type="application/json")

    application = Starlette(routes=[Route("/file", read)])
    if name == "brotli-asgi":
        from brotli_asgi import BrotliMiddleware
        application.add_middleware(BrotliMiddleware)
    elif name == "zstd-asgi":
        from zstd_asgi import ZstdMiddleware
        application.add_middleware(ZstdMiddleware)
    elif name == "asgi-compression":
        from asgi_compression import CompressionMiddleware, GzipAlgorithm
        application = CompressionMiddleware(application, algorithms=[GzipAlgorithm()])
    elif name == "starlette-compress":
        from starlette_compress import CompressMiddleware
        application.add_middleware(CompressMiddleware)
    elif name == "GZipMiddleware of Starlette":
        from starlette.middleware.gzip import GZipMiddleware
        application.add_middleware(GZipMiddleware)
    asgi(application)
PYTHON

cat >"$work/client.py" <<'PYTHON'
import http.client
import sys
import zlib

import brotli
import zstandard

name, port, coding, file = sys.argv[1], int(sys.argv[2]), sys.argv[3], open(sys.argv[4], "rb").read()

def get(coding, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    fields = {key.replace("_", "-"): value for key, value in headers.items()}
    connection.request("GET", "/file", headers={"Accept-Encoding": coding, **fields})
    response = connection.getresponse()
    return response, response.read()

def unpacked(content, coding):
    try:
        if coding == "br":
            return brotli.decompress(content)
        if coding == "zstd":
            return zstandard.ZstdDecompressor().decompressobj().decompress(content)
        return zlib.decompress(content, 31) if coding == "gzip" else content
    except (brotli.error, zstandard.ZstdError, zlib.error):
        return None

plain, _ = get("identity")
part, content = get(coding, Range="bytes=1000-60000")
packed = part.headers["Content-Encoding"]
lengths = "59001 bytes arrive" if len(content) == 59001 else "fewer bytes arrive"
print(f"{name}: {part.status} {part.headers['Content-Range']}, coding {packed}, {lengths}, "
      f"unpacked {'are' if unpacked(content, packed) == file[1000:60001] else 'are not'} the named ones")

whole, content = get(coding)
tag = whole.headers["ETag"]
if tag:
    half = content[:len(content) // 2]
    part, rest = get(coding, Range=f"bytes={len(half)}-", If_Range=tag)
    ending = ""
    if part.status == 206:
        ending = ", " + ("joined to the first half, it is" if unpacked(half + rest, whole.headers["Content-Encoding"]) == file else "joined, it is not") + " the file"
    print(f"  whole file: coding {whole.headers['Content-Encoding']}, {'the' if tag == plain.headers['ETag'] else 'not the'} strong tag "
          f"of the uncompressed file; the rest with that tag: {part.status}{ending}")
PYTHON

show() { # NAME CODING
  port=$(free_port)
  start "$port" python "$work/files.py" "$1" "$port" "$work/file.json"
  python "$work/client.py" "$1" "$port" "$2" "$work/file.json"
}

{
  show brotli-asgi br
  show zstd-asgi zstd
  show asgi-compression gzip
  show Flask-Compress br
  show "GZipMiddleware of Django" gzip
  show "GZipMiddleware of Starlette" gzip
  show starlette-compress gzip

  origin=$(free_port) gateway=$(free_port)
  start "$origin" python "$work/files.py" "no compressor" "$origin" "$work/file.json"
  printf '{\n admin off\n auto_https off\n}\nhttp://127.0.0.1:%s {\n encode gzip\n reverse_proxy 127.0.0.1:%s\n}\n' \
    "$gateway" "$origin" >"$work/Caddyfile"
  HOME=$work start "$gateway" caddy run --config "$work/Caddyfile" --adapter caddyfile
  python "$work/client.py" Caddy "$gateway" gzip "$work/file.json"
} >"$work/seen"

compare "$work/seen" <<'RECORDED'
brotli-asgi: 206 bytes 1000-60000/80000, coding br, fewer bytes arrive, unpacked are the named ones
  whole file: coding br, the strong tag of the uncompressed file; the rest with that tag: 206, joined, it is not the file
zstd-asgi: 206 bytes 1000-60000/80000, coding zstd, fewer bytes arrive, unpacked are the named ones
  whole file: coding zstd, the strong tag of the uncompressed file; the rest with that tag: 206, joined, it is not the file
asgi-compression: 206 bytes 1000-60000/80000, coding gzip, fewer bytes arrive, unpacked are the named ones
  whole file: coding gzip, the strong tag of the uncompressed file; the rest with that tag: 206, joined, it is not the file
Flask-Compress: 206 bytes 1000-60000/80000, coding br, fewer bytes arrive, unpacked are the named ones
  whole file: coding br, not the strong tag of the uncompressed file; the rest with that tag: 200
GZipMiddleware of Django: 206 bytes 1000-60000/80000, coding gzip, fewer bytes arrive, unpacked are the named ones
GZipMiddleware of Starlette: 206 bytes 1000-60000/80000, coding None, 59001 bytes arrive, unpacked are the named ones
  whole file: coding gzip, the strong tag of the uncompressed file; the rest with that tag: 206, joined, it is not the file
starlette-compress: 206 bytes 1000-60000/80000, coding None, 59001 bytes arrive, unpacked are the named ones
  whole file: coding gzip, the strong tag of the uncompressed file; the rest with that tag: 206, joined, it is not the file
Caddy: 206 bytes 1000-60000/80000, coding gzip, fewer bytes arrive, unpacked are the named ones
  whole file: coding gzip, the strong tag of the uncompressed file; the rest with that tag: 206, joined, it is not the file
RECORDED
