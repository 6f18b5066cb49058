"""A server of presence.contract.yaml that breaks the protocol, or means harm. The first line that is printed is its port.

The path is `/CASE/USE/v1`. A case is about one frame, about the handshake, or about the whole connection; all else is as it should be.
Each line of the standard input is a question: "openings CASE/USE" how often a client has opened a connection, and "frames CASE/USE
KIND" how many frames of a kind have arrived. The process ends with its input.
"""

import asyncio
import base64
import contextlib
import hashlib
import json
import socket
import struct
import sys

FAILURE = {"code": "session_expired", "message": "Please log in again."}
openings, frames = {}, {}


class Gone(Exception):
    """The client has closed the connection."""


def framed(data, opcode=1, fin=True):
    """A frame of WebSocket, without a mask."""
    head = bytes([opcode | (0x80 if fin else 0)])
    if len(data) < 126:
        return head + bytes([len(data)]) + data
    if len(data) < 65_536:
        return head + b"\x7e" + struct.pack(">H", len(data)) + data
    return head + b"\x7f" + struct.pack(">Q", len(data)) + data


def text_of(kind, correlation, data=None, **others):
    members = {"type": kind, "id": correlation, **others}
    if data is not None:
        members["data"] = data
    return json.dumps(members)


class Peer:
    """A client."""

    def __init__(self, client, reader, writer):
        openings[client] = openings.get(client, 0) + 1
        self.client, self.number, self.reader, self.writer = client, openings[client], reader, writer

    def send(self, data, opcode=1, fin=True):
        self.writer.write(framed(data.encode() if isinstance(data, str) else data, opcode, fin))

    def reply(self, frame, data, kind=None):
        self.send(text_of(kind or frame["type"], frame["id"], data))

    async def next(self):
        """The next frame of the contract."""
        while True:
            first, second = await self.reader.readexactly(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack(">H", await self.reader.readexactly(2))
            elif size == 127:
                (size,) = struct.unpack(">Q", await self.reader.readexactly(8))
            mask = await self.reader.readexactly(4)
            data = bytes(byte ^ mask[index % 4] for index, byte in enumerate(await self.reader.readexactly(size)))
            match first & 0xF:
                case 1:
                    frame = json.loads(data)
                    key = (self.client, frame["type"])
                    frames[key] = frames.get(key, 0) + 1
                    return frame
                case 8:
                    self.send(data[:2], 8)
                    raise Gone
                case 9:
                    self.send(data, 10)

    def answer(self, frame):
        match frame["type"]:
            case "login":
                self.reply(frame, {"token": "right", "user": 1})
            case "info.query":
                self.reply(frame, {"user": frame["data"]["of"], "name": "Ada", "status": "online"})
            case "poke":
                self.reply(frame, {"pokes": 1})
            case "room.follow":
                for number in (1, 2, 3):
                    self.element(frame, number)
                self.reply(frame, None, "room.closed")
            case "room.unfollow":
                pass
            case _:
                self.reply(frame, None)

    def element(self, frame, number):
        self.reply(frame, {"seq": number, "user": 7, "kind": "entered"}, "room.event")

    async def serve(self, kind=None, odd=None):
        """Answers everything, except that frames of a kind are left to a function."""
        while True:
            frame = await self.next()
            if frame["type"] == kind:
                result = odd(frame)
                if asyncio.iscoroutine(result):
                    await result
            else:
                self.answer(frame)
            await self.writer.drain()


# What is sent in place of the reply to a frame, or before it.


def instead(kind, text):
    return lambda peer: peer.serve(kind, lambda frame: peer.send(text(frame)))


def before(kind, text):
    def odd(peer, frame):
        peer.send(text(frame))
        peer.answer(frame)

    return lambda peer: peer.serve(kind, lambda frame: odd(peer, frame))


def with_id(correlation):
    return before("info.query", lambda frame: text_of("info.query", correlation, {"user": 66}))


def login(data):
    return instead("login", lambda frame: text_of("login", frame["id"], data))


def info(data):
    return instead("info.query", lambda frame: text_of("info.query", frame["id"], data))


def first(misdeed):
    """Something that only the first connection meets."""
    return lambda peer: misdeed(peer) if peer.number == 1 else peer.serve()


def right(frame):
    return text_of("info.query", frame["id"], {"user": frame["data"]["of"], "name": "Ada", "status": "online"})


async def nothing(peer):
    """Answers logins alone."""
    while True:
        frame = await peer.next()
        if frame["type"] == "login":
            peer.answer(frame)
            await peer.writer.drain()


async def strays(peer):
    for _ in range(64):
        peer.send("nonsense")
    await peer.serve("login", lambda frame: None)


async def early(peer):
    for number in range(200):
        peer.send(text_of("login", str(number + 1_000), {"token": "foreign", "user": 66}))
    await peer.serve("login", lambda frame: None)


async def drip(peer):
    async def odd(frame):
        for byte in framed(right(frame).encode()):
            peer.writer.write(bytes([byte]))
            await peer.writer.drain()
            await asyncio.sleep(0.001)

    await peer.serve("info.query", odd)


async def slow(peer):
    """An element that takes longer than a connection may be silent: 45 s of the contract, and four of them pass in a second."""

    async def odd(frame):
        event = {"seq": 1, "user": 7, "kind": "message", "text": "x" * 500_000}
        data = framed(text_of("room.event", frame["id"], event).encode())
        for start in range(0, len(data), 10_000):
            peer.writer.write(data[start : start + 10_000])
            await peer.writer.drain()
            await asyncio.sleep(0.3)
        peer.reply(frame, None, "room.closed")

    await peer.serve("room.follow", odd)


async def fragments(peer):
    def odd(frame):
        data = right(frame).encode()
        peer.send(b"", 1, False)
        for byte in data:
            peer.send(bytes([byte]), 0, False)
            peer.send(b"", 0, False)
            peer.send(b"?", 9)
        peer.send(b"", 0)

    await peer.serve("info.query", odd)


def closing(data, more=b""):
    """Closes in place of the reply to a login, and leaves the connection open."""

    async def run(peer):
        await peer.next()
        peer.send(data, 8)
        peer.writer.write(more)
        while await peer.reader.read(65_536):
            pass

    return first(run)


def reset(peer):
    peer.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.writer.transport.abort()


async def reset_once(peer):
    await peer.next()
    reset(peer)


def floods(frame_of, count=10_000):
    """Many messages before the reply."""

    def odd(peer, frame):
        peer.writer.write(framed(*frame_of(frame)) * count)
        peer.answer(frame)

    return lambda peer: peer.serve("info.query", lambda frame: odd(peer, frame))


async def expired(peer):
    await peer.serve("info.query", lambda frame: peer.reply(frame, FAILURE, "error"))


def attach(odd):
    """The connection ends after the login, and the presentation of the token on the next ones goes wrong."""

    async def run(peer):
        if peer.number == 1:
            peer.answer(await peer.next())
            await peer.next()
            return reset(peer)
        await peer.serve("attach", lambda frame: odd(peer, frame))

    return run


def follow(odd):
    return lambda peer: peer.serve("room.follow", lambda frame: odd(peer, frame))


def positions(numbers, end=True):
    def odd(peer, frame):
        for number in numbers:
            peer.element(frame, number)
        if end:
            peer.reply(frame, None, "room.closed")

    return follow(odd)


def after_end(peer, frame):
    peer.element(frame, 1)
    peer.reply(frame, None, "room.closed")
    for number in range(2, 200):
        peer.element(frame, number)


async def endless(peer):
    """Elements without end, until the client wants no more."""

    async def flow(frame):
        for number in range(1, 1 << 40):
            peer.element(frame, number)
            await peer.writer.drain()

    flows = []
    with contextlib.suppress(Gone):
        await peer.serve("room.follow", lambda frame: flows.append(asyncio.create_task(flow(frame))))
    for task in flows:
        task.cancel()


CASES = {
    "login-null": login(None),
    "login-list": login([]),
    "login-number": login({"token": 5, "user": 1}),
    "login-long": login({"token": "x" * 1_000_000, "user": 1}),
    "login-silent": lambda peer: peer.serve("login", lambda frame: None),
    "login-twice": before("login", lambda frame: text_of("login", frame["id"], {"token": "first", "user": 1})),
    "deep": before("info.query", lambda frame: '{"type":"x","id":"1","data":' + "[" * 200_000),
    "deep-whole": info(json.loads("[" * 600 + "]" * 600)),
    "id-huge": with_id("9" * 40),
    "id-exponent": with_id(1e0),
    "id-negative": with_id(-1),
    "id-true": with_id(True),
    "id-list": with_id([1]),
    "id-object": with_id({"id": "1"}),
    "id-number": instead("info.query", lambda frame: right(frame).replace(f'"{frame["id"]}"', frame["id"])),
    "keys-escaped": instead("info.query", lambda frame: right(frame).replace('"type"', '"\\u0074ype"')),
    "keys-twice": instead("info.query", lambda frame: '{"type":"x","id":"77",' + right(frame)[1:]),
    "byte-order-mark": before("info.query", lambda frame: "\ufeff" + right(frame)),
    "blanks": instead("info.query", lambda frame: right(frame).replace(",", "," + " " * 300_000)),
    "data-text": info("x"),
    "data-missing": info(None),
    "kind-null": before("info.query", lambda frame: text_of(None, frame["id"], {})),
    "kind-long": before("info.query", lambda frame: text_of("x" * 1_000_000, frame["id"], {})),
    "two-documents": before("info.query", lambda frame: right(frame) * 2),
    "large": info({"user": 1, "name": "x" * 8_000_000, "status": "online"}),
    "too-large": info({"user": 1, "name": "x" * 9_000_000, "status": "online"}),
    "half": instead("info.query", lambda frame: right(frame)[:20]),
    "strays": first(strays),
    "strays-always": strays,
    "early": first(early),
    "drip": drip,
    "slow": slow,
    "fragments": fragments,
    "close-and-more": closing(b"\x03\xe8", framed(b'{"type":"login"}') * 1_000),
    "close-silent": closing(b"\x03\xf4"),
    "close-reason": closing(b"\x03\xe9" + b"\xff" * 123),
    "close-empty": closing(b""),
    "reset": first(reset_once),
    "reset-always": reset_once,
    "silent": nothing,
    "events": floods(lambda frame: (b'{"type":"notice","data":{"text":"x"}}',)),
    "unknown-events": floods(lambda frame: (b'{"type":"x"}',)),
    "pongs": floods(lambda frame: (b"", 10)),
    "late": floods(lambda frame: (text_of("login", "1", {"token": "late", "user": 66}).encode(),)),
    "expired-always": expired,
    "attach-silent": attach(lambda peer, frame: None),
    "attach-refused": attach(lambda peer, frame: peer.reply(frame, FAILURE, "error")),
    "attach-of-another-kind": attach(lambda peer, frame: peer.reply(frame, None, "login")),
    "positions-repeated": positions([1, 2, 2, 1, 3, 3]),
    "positions-huge": positions([1, 2**63 - 1, 2**63]),
    "end-first": positions([]),
    "after-end": follow(after_end),
    "element-null": follow(lambda peer, frame: peer.reply(frame, None, "room.event")),
    "failure-null": follow(lambda peer, frame: peer.reply(frame, None, "error")),
    "endless": endless,
}

# Handshakes. `ACCEPT` is what the client expects.
AGREED = (
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT\r\n"
    "Sec-WebSocket-Protocol: presence.v1\r\n\r\n"
)
HANDSHAKES = {
    "handshake-200": "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n<html />",
    "handshake-302": "HTTP/1.1 302 Found\r\nLocation: https://login.example/\r\nContent-Length: 0\r\n\r\n",
    "handshake-401": "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n",
    "handshake-429": f"HTTP/1.1 429 Slow\r\nRetry-After: {'9' * 30}\r\nContent-Length: 0\r\n\r\n",
    "handshake-503": "HTTP/1.1 503 Busy\r\nRetry-After: Fri, 01 Jan 1999 00:00:00 GMT\r\nContent-Length: 0\r\n\r\n",
    "handshake-100": "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + AGREED,
    "handshake-without-subprotocol": AGREED.replace("Sec-WebSocket-Protocol: presence.v1\r\n", ""),
    "handshake-headers": "HTTP/1.1 101 Switching Protocols\r\n" + "X: y\r\n" * 1_000_000,
    "handshake-silent": "",
}
# Those after which the connection is as it should be.
OPEN = {"handshake-100"}


async def accept(reader, writer):
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, Gone):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        case, use = head.split(" ")[1].split("/")[1:3]
        peer = Peer(f"{case}/{use}", reader, writer)
        if case == "handshake-reset":
            return reset(peer)
        if case == "handshake-drip":
            while True:
                writer.write(b"X")
                await writer.drain()
                await asyncio.sleep(0.01)
        key = next(line[19:] for line in head.split("\r\n") if line.lower().startswith("sec-websocket-key: "))
        digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        # The second connection of a 503 is accepted.
        known = None if case == "handshake-503" and peer.number > 1 else HANDSHAKES.get(case)
        writer.write((AGREED if known is None else known).replace("ACCEPT", base64.b64encode(digest).decode()).encode())
        await writer.drain()
        if known is None or case in OPEN:
            await CASES.get(case, Peer.serve)(peer)
        while await reader.read(65_536):
            pass
    with contextlib.suppress(ConnectionError):
        writer.close()


async def answer_questions():
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        match line.decode().split():
            case ["openings", client]:
                print(openings.get(client, 0), flush=True)
            case ["frames", client, kind]:
                print(frames.get((client, kind), 0), flush=True)


async def main():
    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await answer_questions()


asyncio.run(main())
