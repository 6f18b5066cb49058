#!/usr/bin/env bash
# What a client sees of a crashed WebSocket handler depends on the server: a normal end, an error, a loss, or 403.
#
# Expected: a handler that raises closes the connection with 1011 (RFC 6455 section 7.4.1), before the handshake it gives 500, and
# a server that is told to stop closes with 1001 or 1012.
# Seen: the same kind of handler gives 1000, "normal closure", on Quart and Sanic; nothing at all with Starlette on uvicorn, aiohttp
# and Tornado; 1011 on Hypercorn, on Falcon and in `websockets`; a close frame without a code on Granian; and 4500 on Litestar. A
# crash before the handshake is 500, or 403 on Litestar and Falcon, and with Starlette on Granian. Sanic and Tornado shake hands
# first. SIGTERM is 1012 on uvicorn, 1011 on Hypercorn, 1000 on Sanic, 1001 in `websockets`, and nothing on Granian, aiohttp and
# Tornado.
# Who is hurt: a client that takes 1000 for the end of the stream loses elements without a word. One that takes 1011 for a fault of
# its command blames the command for a deployment. One that takes 403 for a refusal stops, although the next attempt would succeed.
# Errand: 1000, 1001, 1005 and 1006 are a lost connection and the stream is opened again, 1011 is `serverFault`, 1012 `unavailable`,
# 4500 `rejected`. 403 ends the stream. A contract behind Litestar, Falcon or Granian should name `close: 4500` or the 403 as
# `retryable`.
# Seen on 2026-11-28.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages starlette==1.10.0 Quart==0.22.0 litestar==2.25.0 falcon==4.4.0 sanic==25.12.1 aiohttp==3.14.5 tornado==6.6.1 \
  websockets==17.4 uvicorn==0.54.0 Hypercorn==0.18.0 granian==2.8.9

cat >"$work/echo.py" <<'PYTHON'
import asyncio
import os
import signal
import sys

name = os.environ.get("FRAMEWORK") or sys.argv[1]
port = int(sys.argv[2]) if __name__ == "__main__" else 0

if name == "Starlette":
    from starlette.applications import Starlette
    from starlette.routing import WebSocketRoute

    async def echo(socket):
        if socket.url.path == "/early":
            raise RuntimeError
        await socket.accept()
        while True:
            text = await socket.receive_text()
            if text == "crash":
                raise RuntimeError
            await socket.send_text(text)

    application = Starlette(routes=[WebSocketRoute("/{path}", echo)])
elif name == "Quart":
    from quart import Quart, websocket
    application = Quart("echo")

    @application.websocket("/<path>")
    async def echo(path):
        if path == "early":
            raise RuntimeError
        await websocket.accept()
        while True:
            text = await websocket.receive()
            if text == "crash":
                raise RuntimeError
            await websocket.send(text)
elif name == "Litestar":
    from litestar import Litestar, WebSocket, websocket

    @websocket("/{path:str}")
    async def echo(socket: WebSocket, path: str) -> None:
        if path == "early":
            raise RuntimeError
        await socket.accept()
        while True:
            text = await socket.receive_text()
            if text == "crash":
                raise RuntimeError
            await socket.send_text(text)

    application = Litestar([echo])
elif name == "Falcon":
    import falcon.asgi

    class Echo:
        async def on_websocket(self, request, socket, path):
            if path == "early":
                raise RuntimeError
            await socket.accept()
            while True:
                text = await socket.receive_text()
                if text == "crash":
                    raise RuntimeError
                await socket.send_text(text)

    application = falcon.asgi.App()
    application.add_route("/{path}", Echo())
elif name == "Sanic":
    import sanic
    server = sanic.Sanic("echo")

    @server.websocket("/<path>")
    async def echo(request, socket, path):
        if path == "early":
            raise RuntimeError
        while True:
            text = await socket.recv()
            if text == "crash":
                raise RuntimeError
            await socket.send(text)

    server.run("127.0.0.1", port, single_process=True, access_log=False)
elif name == "aiohttp":
    from aiohttp import web

    async def echo(request):
        if request.path == "/early":
            raise RuntimeError
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for message in socket:
            if message.data == "crash":
                raise RuntimeError
            await socket.send_str(message.data)
        return socket

    server = web.Application()
    server.router.add_get("/{path}", echo)
    web.run_app(server, host="127.0.0.1", port=port, print=None, shutdown_timeout=1)
elif name == "Tornado":
    import tornado.web
    import tornado.websocket

    class Echo(tornado.websocket.WebSocketHandler):
        def open(self):
            if self.request.path == "/early":
                raise RuntimeError

        def on_message(self, text):
            if text == "crash":
                raise RuntimeError
            self.write_message(text)

    async def main():
        tornado.web.Application([("/.*", Echo)]).listen(port, "127.0.0.1")
        stopped = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
        await stopped.wait()

    asyncio.run(main())
elif name == "websockets":
    import http
    import websockets

    def check(connection, request):
        if request.path == "/early":
            raise RuntimeError

    async def echo(socket):
        async for text in socket:
            if text == "crash":
                raise RuntimeError
            await socket.send(text)

    async def main():
        async with websockets.serve(echo, "127.0.0.1", port, process_request=check) as server:
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, server.close)
            await server.wait_closed()

    asyncio.run(main())
PYTHON
cat >"$work/client.py" <<'PYTHON'
import os
import signal
import socket
import struct
import sys

port, server = int(sys.argv[1]), int(sys.argv[2])

class Connection:
    def __init__(self, path):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.bytes = b""
        while b"\r\n\r\n" not in self.bytes:
            self.bytes += self.socket.recv(4096) or b"HTTP/1.1 none\r\n\r\n"
        head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        self.status = head.split()[1].decode()

    def send(self, text):
        self.socket.sendall(bytes([0x81, 0x80 | len(text)]) + b"\0\0\0\0" + text.encode())

    def frame(self):
        """The kind and the bytes of the next frame; None at the end of the connection."""
        try:
            while len(self.bytes) < 2 or len(self.bytes) < 2 + self.bytes[1]:
                more = self.socket.recv(4096)
                if not more:
                    return None
                self.bytes += more
        except ConnectionResetError:
            return None
        kind, length = self.bytes[0] & 15, self.bytes[1]
        frame, self.bytes = self.bytes[2:2 + length], self.bytes[2 + length:]
        return kind, frame

    def end(self):
        if self.status != "101":
            return self.status
        while frame := self.frame():
            if frame[0] == 8:
                return str(struct.unpack(">H", frame[1][:2])[0]) if frame[1] else "close frame without a code"
        return "no close frame"

crash = Connection("/any")
crash.send("crash")
seen = [f"crash {crash.end()}", f"before the handshake {Connection('/early').end()}"]
stopped = Connection("/any")
stopped.send("hello")
assert stopped.frame() == (1, b"hello")
os.kill(server, signal.SIGTERM)
print(", ".join(seen), "SIGTERM " + stopped.end(), sep=", ")
PYTHON

cd "$work"
for pair in Starlette/uvicorn Starlette/hypercorn Starlette/granian Quart/uvicorn Litestar/uvicorn Falcon/uvicorn Sanic aiohttp \
  Tornado websockets; do
  name=${pair%/*} host=${pair#*/} port=$(free_port)
  case $host in
    uvicorn) FRAMEWORK=$name start "$port" uvicorn --ws websockets --port "$port" --timeout-graceful-shutdown 2 echo:application ;;
    hypercorn) FRAMEWORK=$name start "$port" hypercorn --bind "127.0.0.1:$port" echo:application ;;
    granian) FRAMEWORK=$name start "$port" granian --interface asgi --host 127.0.0.1 --port "$port" echo:application ;;
    *) start "$port" python echo.py "$name" "$port" ;;
  esac
  echo "$pair: $(python client.py "$port" "$server")"
  stop "$server"
done >seen

compare seen <<'RECORDED'
Starlette/uvicorn: crash no close frame, before the handshake 500, SIGTERM 1012
Starlette/hypercorn: crash 1011, before the handshake 500, SIGTERM 1011
Starlette/granian: crash close frame without a code, before the handshake 403, SIGTERM no close frame
Quart/uvicorn: crash 1000, before the handshake 500, SIGTERM 1012
Litestar/uvicorn: crash 4500, before the handshake 403, SIGTERM 1012
Falcon/uvicorn: crash 1011, before the handshake 403, SIGTERM 1012
Sanic: crash 1000, before the handshake 1000, SIGTERM 1000
aiohttp: crash no close frame, before the handshake 500, SIGTERM no close frame
Tornado: crash no close frame, before the handshake no close frame, SIGTERM no close frame
websockets: crash 1011, before the handshake 500, SIGTERM 1001
RECORDED
