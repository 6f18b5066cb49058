#!/usr/bin/env bash
# Django compresses each piece of a streamed response as a gzip file of its own, and clients read the first one.
#
# Expected: the body of a response with `Content-Encoding: gzip` is one gzip file, and a client gets all of its content or an error.
# Seen: Django's GZipMiddleware under ASGI, with an asynchronous generator, writes one gzip file for each piece, one behind the other. The
# format allows it (RFC 1952 section 2.2). Of 1,000 lines, httpx and httpx2 return the first one, with 200 and no error. libcurl
# returns the first one, and fails with error 23 where the second file begins. urllib3 and aiohttp return all of them. The compressed
# body is longer than the lines. With an ordinary generator on gunicorn, the same middleware writes one gzip file.
# Who is hurt: a client that takes the first row of an export for all of it, without an error. A client on libcurl can read no such
# response. It looks like a fault of the network, and each retry ends in the same way.
# Errand: its transport over libcurl asks for gzip, so a list of such a service fails. A stream asks for `identity`. A common header of
# the contract, `Accept-Encoding` with the constant `identity`, gets the list as it is.
# Seen on 2026-11-30.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages Django==5.2.19 uvicorn==0.54.0 gunicorn==27.0.1 httpx==0.28.1 httpx2==2.16.2 urllib3==2.8.0 aiohttp==3.14.5 pycurl==7.49.0

cat >"$work/rows.py" <<'PYTHON'
import sys

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="finding", ALLOWED_HOSTS=["*"], ROOT_URLCONF="__main__", MIDDLEWARE=["django.middleware.gzip.GZipMiddleware"])
django.setup()

from django.core.asgi import get_asgi_application
from django.core.wsgi import get_wsgi_application
from django.http import StreamingHttpResponse
from django.urls import path

name, port = sys.argv[1], int(sys.argv[2])

async def asynchronous():
    for number in range(1000):
        yield f'{{"row": {number}}}\n'

def ordinary():
    for number in range(1000):
        yield f'{{"row": {number}}}\n'

rows = asynchronous if name == "uvicorn" else ordinary
urlpatterns = [path("rows", lambda request: StreamingHttpResponse(rows(), content_type="application/jsonl"))]

if name == "uvicorn":
    import uvicorn
    uvicorn.run(get_asgi_application(), host="127.0.0.1", port=port, log_level="critical", lifespan="off")
else:
    from gunicorn.app.base import BaseApplication

    class Server(BaseApplication):
        def load_config(self):
            self.cfg.set("bind", f"127.0.0.1:{port}")
            self.cfg.set("loglevel", "critical")

        def load(self):
            return get_wsgi_application()

    Server().run()
PYTHON

cat >"$work/clients.py" <<'PYTHON'
import asyncio
import http.client
import sys
import zlib

import aiohttp
import httpx
import httpx2
import pycurl
import urllib3

name, port = sys.argv[1], int(sys.argv[2])
url = f"http://127.0.0.1:{port}/rows"

connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
connection.request("GET", "/rows", headers={"Accept-Encoding": "gzip"})
body = rest = connection.getresponse().read()
files, lines = 0, b""
while rest:
    inflating = zlib.decompressobj(31)
    lines += inflating.decompress(rest)
    files, rest = files + 1, inflating.unused_data
longer = "longer" if len(body) > len(lines) else "shorter"
print(f"Django on {name}: {files} gzip files in the body, which is {longer} than the {lines.count(b'row')} lines in it")

def told(client, content, ending):
    print(f"  {client}: {content.count(b'row')} lines, {ending}")

for client in (httpx, httpx2):
    response = client.get(url)
    told(client.__name__, response.content, response.status_code)
response = urllib3.request("GET", url, headers={"Accept-Encoding": "gzip"})
told("urllib3", response.data, response.status)

async def get():
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        told("aiohttp", await response.read(), response.status)

asyncio.run(get())

received = bytearray()
version = pycurl.version_info()[1]
request = pycurl.Curl()
request.setopt(pycurl.URL, url)
request.setopt(pycurl.ACCEPT_ENCODING, "gzip, deflate")
request.setopt(pycurl.WRITEFUNCTION, received.extend)
try:
    request.perform()
    told(f"libcurl {version}", received, request.getinfo(pycurl.RESPONSE_CODE))
except pycurl.error as error:
    told(f"libcurl {version}", received, f"error {error.args[0]}")
PYTHON

for name in uvicorn gunicorn; do
  port=$(free_port)
  start "$port" python "$work/rows.py" "$name" "$port"
  python "$work/clients.py" "$name" "$port"
  stop "$server"
done >"$work/seen"

compare "$work/seen" <<'RECORDED'
Django on uvicorn: 1000 gzip files in the body, which is longer than the 1000 lines in it
  httpx: 1 lines, 200
  httpx2: 1 lines, 200
  urllib3: 1000 lines, 200
  aiohttp: 1000 lines, 200
  libcurl 8.23.0: 1 lines, error 23
Django on gunicorn: 1 gzip files in the body, which is shorter than the 1000 lines in it
  httpx: 1000 lines, 200
  httpx2: 1000 lines, 200
  urllib3: 1000 lines, 200
  aiohttp: 1000 lines, 200
  libcurl 8.23.0: 1000 lines, 200
RECORDED
