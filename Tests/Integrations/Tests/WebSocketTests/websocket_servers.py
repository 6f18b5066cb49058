"""Servers of WebSocket that others wrote, for the tests of ErrandWebSocket. Arguments: a certificate and its key.

The first two are websockets, without and with TLS; the next two are aiohttp. The fifth one stands before the first, and closes each
connection on which nothing was sent for 0.3 s, as some proxies do. Each text that a client sends is an order. The last one sends
the bytes that the path names: "/cut/N" the first N bytes of a whole session, "/hex/BYTES" these bytes after a correct handshake,
"/end/BYTES" the same and the end of the connection, "/handshake/HEAD" a head in hexadecimal digits. It then closes. "/endless/HEAD"
sends a head and a body without end. The first line that is printed has all ports.
"""

import asyncio
import base64
import contextlib
import hashlib
import logging
import ssl
import sys

import aiohttp_server
from aiohttp import WSMsgType, web
from websockets.asyncio.server import serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Response

SUBPROTOCOL = "presence.v1"
MAXIMUM = 1 << 25
REFUSALS = {"/busy": (503, {"Retry-After": "7"}), "/barred": (401, {}), "/moved": (302, {"Location": "/"})}
BODY = b'{"error":{"code":900099}}'
flooded = {"count": 0}


async def obey(order, text, binary, fragments, close, cut, ping):
    """Carries out one order."""
    name, _, rest = order.partition(" ")
    match name:
        case "echo":
            await text(rest)
        case "burst":
            for number in range(int(rest)):
                await text(str(number))
        case "long":
            await text("x" * int(rest))
        case "fragments":
            await fragments([f"{number}," for number in range(int(rest))])
        case "binary":
            await binary(bytes(int(rest)))
        case "close":
            await close(int(rest))
        case "cut":
            cut()
        case "ping":
            await ping()
        case "flood":
            flooded["count"] = 0
            while True:
                await text("x" * 65_536)
                flooded["count"] += 1
        case "flooded":
            await text(str(flooded["count"]))


async def handle(connection):
    """Serves a connection of websockets."""

    async def ping():
        await (await connection.ping(b"sign"))
        await connection.send("answered")

    async def close(code):
        await connection.close(code)

    with contextlib.suppress(ConnectionClosed):
        async for order in connection:
            await obey(
                order, connection.send, connection.send, connection.send, close, connection.transport.abort, ping
            )


def refuse(connection, request):
    """Refuses the handshake, if the path says so."""
    if request.path not in REFUSALS:
        return None
    status, headers = REFUSALS[request.path]
    fields = Headers({"Content-Length": str(len(BODY)), "Connection": "close", **headers})
    return Response(status, "Refused", fields, BODY)


async def respond(request):
    """Serves a connection of aiohttp."""
    if request.path in REFUSALS:
        status, headers = REFUSALS[request.path]
        return web.Response(status=status, headers=headers, body=BODY)
    connection = web.WebSocketResponse(protocols=(SUBPROTOCOL,), autoping=False, max_msg_size=MAXIMUM)
    await connection.prepare(request)
    answered = asyncio.Event()

    async def ping():
        answered.clear()
        await connection.ping(b"sign")

    async def close(code):
        await connection.close(code=code)

    async def fragments(parts):
        await connection.send_str("".join(parts))

    with contextlib.suppress(ConnectionError):
        async for message in connection:
            if message.type is WSMsgType.PING:
                await connection.pong(message.data)
            elif message.type is WSMsgType.PONG and message.data == b"sign":
                await connection.send_str("answered")
            elif message.type is WSMsgType.TEXT:
                await obey(
                    message.data, connection.send_str, connection.send_bytes, fragments, close,
                    request.transport.abort, ping,
                )
    return connection


async def start_proxy(port):
    """Closes connections that are not used."""

    async def accept(reader, writer):
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)

        async def copy(source, target):
            with contextlib.suppress(ConnectionError, asyncio.TimeoutError):
                while data := await asyncio.wait_for(source.read(65_536), 0.3):
                    target.write(data)
                    await target.drain()
            for end in (writer, inner_writer):
                end.close()

        await asyncio.gather(copy(reader, inner_writer), copy(inner_reader, writer))

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    return server.sockets[0].getsockname()[1]


async def serve_bytes(reader, writer):
    """Sends what the path says, and reads until the client has closed."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    key = next(line[19:] for line in head.split("\r\n") if line.lower().startswith("sec-websocket-key: "))
    accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
    handshake = (
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Accept: {accept}\r\n\r\n"
    ).encode()
    _, kind, argument = head.split(" ")[1].split("/")
    match kind:
        case "cut":
            texts = b"".join(b"\x81\x03" + text for text in (b"one", b"two"))
            # A text of two fragments, with a ping between them.
            session = handshake + texts + b"\x01\x02th\x89\x00\x80\x03ree" + b"\x88\x02\x0f\xa1"
            writer.write(session[: min(int(argument), len(handshake))])
            await writer.drain()
            if int(argument) > len(handshake):
                # An end that comes with the handshake is one of the handshake.
                await asyncio.sleep(0.05)
                writer.write(session[len(handshake) : int(argument)])
        case "hex":
            writer.write(handshake + bytes.fromhex(argument))
        case "end":
            writer.write(handshake)
            await writer.drain()
            await asyncio.sleep(0.05)
            writer.write(bytes.fromhex(argument))
        case "endless":
            writer.write(bytes.fromhex(argument))
            with contextlib.suppress(ConnectionError):
                while True:
                    writer.write(bytes(65_536))
                    await writer.drain()
        case "handshake":
            writer.write(bytes.fromhex(argument).replace(b"ACCEPT", accept.encode()))
    with contextlib.suppress(ConnectionError):
        await writer.drain()
        if kind in ("cut", "end"):
            writer.write_eof()
        while await asyncio.wait_for(reader.read(65_536), 30):
            pass
    writer.close()


async def main():
    logging.disable(logging.CRITICAL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    ports, servers = [], []
    for tls in (None, context):
        server = await serve(
            handle, "127.0.0.1", 0, ssl=tls, subprotocols=[SUBPROTOCOL], process_request=refuse, max_size=MAXIMUM,
            ping_interval=None, select_subprotocol=lambda connection, offered: SUBPROTOCOL if offered else None,
        )
        servers.append(server)
        ports.append(server.sockets[0].getsockname()[1])
    for tls in (None, context):
        ports.append(await aiohttp_server.start(respond, tls))
    ports.append(await start_proxy(ports[0]))
    raw = await asyncio.start_server(serve_bytes, "127.0.0.1", 0)
    ports.append(raw.sockets[0].getsockname()[1])
    # In one piece, also without a buffer.
    print(" ".join(str(port) for port in ports), flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
