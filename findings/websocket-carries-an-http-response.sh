#!/usr/bin/env bash
# A crashed handler of Flask-Sock sends an HTTP response on a connection that is a WebSocket already.
#
# Expected: after the handshake the server sends frames only. A handler that raises closes with 1011.
# Seen: Flask turns the exception into its error page, and the server writes `HTTP/1.1 500 INTERNAL SERVER ERROR` to the open
# WebSocket, on Werkzeug's server and on gunicorn. A client reads `H` and `T` as a frame: a close frame that is not final, has a
# reserved bit and a length of 84. So it fails the connection with 1002 (RFC 6455 section 5.2).
# Who is hurt: the client reports a protocol error of the server, which looks like an attack or a broken proxy, for what is an
# ordinary exception. Clients that do not check the reserved bits read close code 21584, which no registry has.
# Errand: closes with 1002, and its commands end as `malformed`, which is not retried; `once` is `unconfirmed`. A read could be
# treated as after a lost connection.
# Seen on 2026-11-28.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages flask-sock==0.7.0 simple-websocket==1.1.0 Flask==3.1.3 Werkzeug==3.1.9 gunicorn==27.0.1 websockets==17.4

cat >"$work/echo.py" <<'PYTHON'
import flask
import flask_sock

application = flask.Flask("echo")

@flask_sock.Sock(application).route("/")
def echo(socket):
    socket.receive()
    raise RuntimeError
PYTHON
cat >"$work/client.py" <<'PYTHON'
import asyncio
import socket
import sys
import websockets

port = int(sys.argv[1])
plain = socket.create_connection(("127.0.0.1", port), timeout=10)
plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
              b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
head = b""
while not head.endswith(b"\r\n\r\n"):
    head += plain.recv(1)
plain.sendall(b"\x81\x82\0\0\0\0hi")
print(head.split(b"\r\n")[0].decode(), "then", plain.recv(4096).split(b"\r\n")[0].decode())

async def main():
    async with websockets.connect(f"ws://127.0.0.1:{port}/") as connection:
        await connection.send("hi")
        try:
            await connection.recv()
        except websockets.ConnectionClosed as closed:
            print("a client that checks closes with", closed.sent.code, closed.sent.reason)

asyncio.run(main())
PYTHON

cd "$work"
for host in werkzeug gunicorn; do
  port=$(free_port)
  case $host in
    werkzeug) start "$port" flask --app echo run --port "$port" ;;
    gunicorn) start "$port" gunicorn --worker-class gthread --threads 4 --bind "127.0.0.1:$port" echo:application ;;
  esac
  python client.py "$port" | sed "s/^/$host: /"
  stop "$server"
done >seen

compare seen <<'RECORDED'
werkzeug: HTTP/1.1 101 Switching Protocols then HTTP/1.1 500 INTERNAL SERVER ERROR
werkzeug: a client that checks closes with 1002 reserved bits must be 0
gunicorn: HTTP/1.1 101 Switching Protocols then HTTP/1.1 500 INTERNAL SERVER ERROR
gunicorn: a client that checks closes with 1002 reserved bits must be 0
RECORDED
