#!/usr/bin/env bash
# The second attempt of an upload sends an empty file, and succeeds.
#
# Expected: a retry sends the same request again, or fails if it cannot read the body a second time. urllib3 does the first for an open
# file that requests gives it.
# Seen: a function that tenacity or backoff repeats reads an open file to its end with the first attempt. requests and niquests measure
# what is left of the file, which is nothing, and send no byte with the second one. urllib3's own Retry does the same with a generator, and
# aiohttp-retry with an asynchronous generator and with BytesIO. The server stores an empty file and responds with 201. httpx notices
# that the length has changed, httpx-retries that its generator was read, and aiohttp-retry that aiohttp has closed its file.
# Who is hurt: the server was unavailable for a moment, and the upload seems to have succeeded. The file is empty, and the one before it
# is gone.
# Errand: reads a file from its beginning for each attempt, and does not send a stream again that can be read only once. A contract can
# ask for a checksum in the response, which protects the clients of others, too.
# Seen on 2026-11-30.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages requests==2.34.2 urllib3==2.8.0 niquests==3.21.2 tenacity==9.2.1 backoff==2.2.1 aiohttp==3.14.5 aiohttp-retry==2.9.1 \
  httpx==0.28.1 httpx-retries==0.6.0

cat >"$work/upload.py" <<'PYTHON'
import asyncio
import http.server
import io
import logging
import sys
import threading

import aiohttp
import aiohttp_retry
import backoff
import httpx
import httpx_retries
import niquests
import requests
import requests.adapters
import tenacity
import urllib3.util

logging.disable(logging.CRITICAL)
name = sys.argv[1]
with open(name, "wb") as file:
    file.write(b"x" * 50_000)
arrived = {}

class Store(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_PUT(self):
        if "Content-Length" in self.headers:
            total = len(self.rfile.read(int(self.headers["Content-Length"])))
        else:
            total = 0
            while size := int(self.rfile.readline() or b"0", 16):
                total += len(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
        attempts = arrived.setdefault(self.path, [])
        attempts.append(total)
        self.send_response(503 if len(attempts) == 1 else 201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Store)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

def pieces():
    for _ in range(5):
        yield b"x" * 10_000

async def pieces_async():
    for piece in pieces():
        yield piece

def put(library):
    def attempt():
        response = library.put(url, data=file)
        response.raise_for_status()
        return response.status_code
    return attempt

def with_tenacity(library):
    return tenacity.retry(stop=tenacity.stop_after_attempt(2), reraise=True)(put(library))()

def with_backoff():
    return backoff.on_exception(backoff.constant, requests.HTTPError, max_tries=2, interval=0)(put(requests))()

def with_urllib3(data):
    session = requests.Session()
    policy = urllib3.util.Retry(1, status_forcelist=[503], allowed_methods=None)
    session.mount("http://", requests.adapters.HTTPAdapter(max_retries=policy))
    return session.put(url, data=data).status_code

def with_aiohttp(data):
    async def send():
        policy = aiohttp_retry.ExponentialRetry(attempts=2, start_timeout=0.01, statuses={503})
        async with aiohttp_retry.RetryClient(retry_options=policy) as client, client.put(url, data=data) as response:
            return response.status
    return asyncio.run(send())

def with_httpx(data):
    transport = httpx_retries.RetryTransport(retry=httpx_retries.Retry(total=1, backoff_factor=0))
    with httpx.Client(transport=transport) as client:
        return client.put(url, content=data).status_code

def show(title, send):
    global file, url
    path = f"/{len(arrived)}"
    url = base + path
    with open(name, "rb") as file:
        try:
            result = send()
        except Exception as error:
            result = type(error).__name__
    sent = arrived[path] if result == 201 else arrived[path][:1]
    print(f"{title}: {', then '.join(map(str, sent))} bytes; {result}")

show("requests and tenacity, a file", lambda: with_tenacity(requests))
show("niquests and tenacity, a file", lambda: with_tenacity(niquests))
show("requests and backoff, a file", with_backoff)
show("requests and urllib3's Retry, a file", lambda: with_urllib3(file))
show("requests and urllib3's Retry, a generator", lambda: with_urllib3(pieces()))
show("aiohttp-retry, a file", lambda: with_aiohttp(file))
show("aiohttp-retry, a generator", lambda: with_aiohttp(pieces_async()))
show("aiohttp-retry, BytesIO", lambda: with_aiohttp(io.BytesIO(b"x" * 50_000)))
show("httpx-retries, a file", lambda: with_httpx(file))
show("httpx-retries, a generator", lambda: with_httpx(pieces()))
PYTHON

python "$work/upload.py" "$work/photo" >"$work/seen" 2>"$work/log"

compare "$work/seen" <<'RECORDED'
requests and tenacity, a file: 50000, then 0 bytes; 201
niquests and tenacity, a file: 50000, then 0 bytes; 201
requests and backoff, a file: 50000, then 0 bytes; 201
requests and urllib3's Retry, a file: 50000, then 50000 bytes; 201
requests and urllib3's Retry, a generator: 50000, then 0 bytes; 201
aiohttp-retry, a file: 50000 bytes; ValueError
aiohttp-retry, a generator: 50000, then 0 bytes; 201
aiohttp-retry, BytesIO: 50000, then 0 bytes; 201
httpx-retries, a file: 50000 bytes; LocalProtocolError
httpx-retries, a generator: 50000 bytes; StreamConsumed
RECORDED
