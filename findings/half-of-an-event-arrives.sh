#!/usr/bin/env bash
# A client of event streams delivers half of an event, or joins the half with the event that follows after it has connected again.
#
# Expected: an event that the end of the stream cuts off is dropped (HTML standard section 9.2.6). After the client has connected again with
# `Last-Event-ID`, the server sends it once more, and the app gets it once and whole.
# Seen: aiohttp-sse-client, aiohttp-sse-client2 and sseclient keep the lines of the half event, and put those of the next connection behind
# them: the app gets its first line twice. sseclient-py delivers the half event. requests-sse and launchdarkly-eventsource do it right,
# and httpx-sse and aiosseclient, which do not connect again, drop the half.
# Who is hurt: gateways and deployments end streams anywhere. A sentence appears twice, or JSON that was sent whole cannot be read. The
# half of a text is shown as all of it.
# Errand: drops what is cut, and the next connection begins with nothing of the one before (`EventParser`).
# Seen on 2026-11-30.
set -euo pipefail
source "$(dirname "$0")/support.bash"

cat >"$work/read.py" <<'PYTHON'
import asyncio
import datetime
import http.server
import logging
import os
import sys
import threading
import time

logging.disable(logging.CRITICAL)
name = sys.argv[1]
# sseclient prints the reason why it connects again.
output, sys.stdout = sys.stdout, sys.stderr
first = b"id: 1\ndata: one\n\nid: 2\ndata: begin\n"
second = b"id: 2\ndata: begin\ndata: end\n\nid: 3\ndata: three\n\n"
asked, events = [], []
soon = datetime.timedelta(milliseconds=50)

class Feed(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        asked.append(self.headers.get("Last-Event-ID"))
        text = first if len(asked) == 1 else second if len(asked) == 2 else None
        self.send_response(200 if text else 204)
        self.send_header("Content-Type", "text/event-stream")
        if not text:
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(text)

    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Feed)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/"

async def read_with_aiohttp(client):
    async with client.EventSource(url, reconnection_time=soon) as source:
        async for event in source:
            events.append(event.data)

def read():
    if name == "sseclient":
        import sseclient
        for event in sseclient.SSEClient(url, retry=50):
            events.append(event.data)
    elif name == "sseclient-py":
        import requests
        import sseclient
        for event in sseclient.SSEClient(requests.get(url, stream=True)).events():
            events.append(event.data)
    elif name == "httpx-sse":
        import httpx
        import httpx_sse
        with httpx.Client() as client, httpx_sse.connect_sse(client, "GET", url) as source:
            for event in source.iter_sse():
                events.append(event.data)
    elif name == "requests-sse":
        import requests_sse
        with requests_sse.EventSource(url, reconnection_time=soon) as source:
            for event in source:
                events.append(event.data)
    elif name == "aiohttp-sse-client":
        from aiohttp_sse_client import client
        asyncio.run(read_with_aiohttp(client))
    elif name == "aiohttp-sse-client2":
        from aiohttp_sse_client2 import client
        asyncio.run(read_with_aiohttp(client))
    elif name == "aiosseclient":
        import aiosseclient

        async def read_all():
            async for event in aiosseclient.aiosseclient(url):
                events.append(event.data)

        asyncio.run(read_all())
    else:
        import ld_eventsource
        from ld_eventsource.config import ConnectStrategy, ErrorStrategy
        client = ld_eventsource.SSEClient(
            connect=ConnectStrategy.http(url), initial_retry_delay=0.05, error_strategy=ErrorStrategy.always_continue())
        for event in client.events:
            events.append(event.data)

def read_and_stop():
    try:
        read()
    except Exception:
        pass

reader = threading.Thread(target=read_and_stop, daemon=True)
reader.start()
reader.join(6)
print(f"{name}: {events}, connections: {min(len(asked), 2)}", file=output, flush=True)
os._exit(0)
PYTHON

packages sseclient-py==1.9.0 httpx-sse==0.4.3 httpx==0.28.1 requests-sse==0.5.3 aiohttp-sse-client==0.2.1 aiohttp-sse-client2==0.3.0 \
  aiosseclient==0.1.8 launchdarkly-eventsource==1.7.4 requests==2.34.2 aiohttp==3.14.5
for name in aiohttp-sse-client aiohttp-sse-client2 sseclient-py httpx-sse aiosseclient requests-sse launchdarkly-eventsource; do
  python "$work/read.py" "$name"
done >"$work/seen" 2>"$work/log"

# sseclient and sseclient-py are modules of one name.
pip uninstall --quiet --yes sseclient-py
pip install --quiet --disable-pip-version-check sseclient==0.0.27
echo 'PyPI: sseclient==0.0.27'
python "$work/read.py" sseclient >>"$work/seen" 2>>"$work/log"

compare "$work/seen" <<'RECORDED'
aiohttp-sse-client: ['one', 'begin\nbegin\nend', 'three'], connections: 2
aiohttp-sse-client2: ['one', 'begin\nbegin\nend', 'three'], connections: 2
sseclient-py: ['one', 'begin'], connections: 1
httpx-sse: ['one'], connections: 1
aiosseclient: ['one'], connections: 1
requests-sse: ['one', 'begin\nend', 'three'], connections: 2
launchdarkly-eventsource: ['one', 'begin\nend', 'three'], connections: 2
sseclient: ['one', 'begin\nbegin\nend', 'three'], connections: 2
RECORDED
