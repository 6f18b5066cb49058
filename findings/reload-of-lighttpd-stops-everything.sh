#!/usr/bin/env bash
# A reload of lighttpd with an open stream takes connections, and answers none of them for eight seconds.
#
# Expected: a reload finishes what is under way, and serves new requests meanwhile.
# Seen: after SIGUSR1 (`systemctl reload lighttpd`), lighttpd waits for the requests that are under way, and does not accept new
# ones until they have ended, or until eight seconds are over. The kernel completes new connections all the same. A request that
# is sent on one waits, and is answered after the restart. Then the open WebSocket ends without a close frame. A request that the
# client gave up meanwhile is not passed on.
# Who is hurt: one open WebSocket, event stream or slow download of any client stops the service for all of them at each reload. A
# client with a timeout below eight seconds sees timeouts, although the server is there and nothing was carried out.
# Errand: a `once` command that times out so is `unconfirmed`, and cannot be less. Timeouts behind lighttpd should be longer than
# ten seconds.
# Seen on 2026-11-28 with lighttpd 1.4.69, Debian 12.
set -euo pipefail
source "$(dirname "$0")/support.bash"

debian lighttpd

cat >"$work/origin.py" <<'PYTHON'
import asyncio
import sys

async def serve(reader, writer):
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        if b"websocket" in head.lower():
            writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                         b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n")
            while True:
                writer.write(b"\x81\x02hi")
                await writer.drain()
                await asyncio.sleep(0.2)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()

async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]))
    await server.serve_forever()

asyncio.run(main())
PYTHON
cat >"$work/client.py" <<'PYTHON'
import os
import signal
import socket
import sys
import threading
import time

port, gateway = int(sys.argv[1]), int(sys.argv[2])

def connect():
    return socket.create_connection(("127.0.0.1", port), timeout=30)

def ask():
    connection = connect()
    connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    connection.recv(1)
    return time.monotonic()

asked = time.monotonic()
print("before:", "answered at once" if ask() - asked < 5 else "late")
stream = connect()
stream.sendall(b"GET /feed HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
               b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
while b"\x81\x02hi" not in stream.recv(4096):
    pass

rest = b""
def read():
    global rest
    while piece := stream.recv(4096):
        rest = (rest + piece)[-4:]
    stream.close()

reader = threading.Thread(target=read)
reader.start()
begun = time.monotonic()
os.kill(gateway, signal.SIGUSR1)
while b"graceful shutdown started" not in open(sys.argv[3], "rb").read():
    time.sleep(0.05)
waited = ask() - begun
print("during the reload: connected, answered after", "5 to 15 seconds" if 5 < waited < 15 else f"{waited:.1f} seconds")
reader.join()
print("the stream:", "no close frame" if rest.endswith(b"\x81\x02hi") else rest)
PYTHON

origin=$(free_port) port=$(free_port)
start "$origin" python3 "$work/origin.py" "$origin"
cat >"$work/lighttpd.conf" <<CONF
server.document-root = "$work"
server.bind = "127.0.0.1"
server.port = $port
server.errorlog = "$work/log"
server.modules = ("mod_proxy")
proxy.server = ("/" => (("host" => "127.0.0.1", "port" => $origin)))
proxy.header = ("upgrade" => "enable")
CONF
start "$port" lighttpd -D -f "$work/lighttpd.conf"
python3 "$work/client.py" "$port" "$server" "$work/log" >"$work/seen"

compare "$work/seen" <<'RECORDED'
before: answered at once
during the reload: connected, answered after 5 to 15 seconds
the stream: no close frame
RECORDED
