"""The service of presence.contract.yaml on servers that others wrote, and proxies before it.

Arguments: a certificate, its key, and the port of the first server, 0 for any. The servers are websockets and aiohttp, each without
and with TLS. Three proxies stand before the first one: one closes each connection on which nothing was sent for 2 s, one cuts, and one
loses connections without closing them. The first line that is printed has all ports. Then each line of the standard input is a question, and each line that is printed
an answer in JSON. The process ends with its input.

A path may have parameters of a test, before `/v1`. Each is about the first connection with its name:
  /fault/KIND/N/NAME   something goes wrong instead of the N-th frame of the server, or with it
  /cut/up/N/NAME       the cutting proxy hands on N bytes of the client, and then ends both connections
  /cut/down/N/NAME     the same for the bytes of the server
"""

import asyncio
import contextlib
import json
import logging
import ssl
import sys
import time

import aiohttp_server
import presence_proxies
from aiohttp import WSMsgType, web
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

SUBPROTOCOL = "presence.v1"
PEOPLE = {"ada": (1, "lovelace"), "grace": (2, "hopper")}
LONG = 9 << 20


class Service:
    """What the servers of the process know, and what they have done."""

    def __init__(self):
        self.tokens = {}
        self.made = 0
        self.rooms = {}
        self.followers = {}
        self.watchers = {}
        self.people = set()
        self.keys = {}
        # How often something took effect, by the command and what tells it from others.
        self.effects = {}
        # How often each frame of a client has arrived.
        self.frames = {}
        self.faulted = set()
        self.arrivals = []
        self.complaints = []

    def note(self, command, subject):
        name = f"{command} {subject}"
        self.effects[name] = self.effects.get(name, 0) + 1

    def append(self, room, user, text):
        """Adds an event to a room, and sends it to those who follow it."""
        events = self.rooms.setdefault(room, [])
        event = {"seq": len(events) + 1, "user": user, "kind": "message", "text": text}
        events.append(event)
        for person, correlation in list(self.followers.get(room, ())):
            person.queue("room.event", correlation, event)

    def answer(self, question):
        """Answers a question of the test."""
        words = question.split()
        match words[0]:
            case "effects":
                return self.effects
            case "frames":
                return self.frames
            case "complaints":
                return self.complaints
            case "arrivals":
                return self.arrivals
            case "connections":
                return len(self.people)
            case "bytes":
                return presence_proxies.traffic.get(words[1], [0, 0])
            case "events":
                return len(self.rooms.get(int(words[1]), ()))
            case "say":
                for number in range(int(words[2])):
                    self.append(int(words[1]), 0, str(number))
            case "finish":
                room = int(words[1])
                for person, correlation in list(self.followers.pop(room, ())):
                    person.queue("room.closed", correlation, None)
            case "notice":
                for person in list(self.people):
                    person.queue("notice", None, {"text": words[1]})
            case "expire":
                self.tokens.clear()
            case "close":
                for person in list(self.people):
                    person.end(person.close(int(words[1])))
            case "cut":
                for person in list(self.people):
                    person.abort()
            case "swallow":
                return presence_proxies.swallow()
        return None


service = Service()


class Person:
    """A connection, on whichever server."""

    def __init__(self, path, text, close, transport):
        self.text, self.close = text, close
        self.write, self.abort, self.ignore = transport.write, transport.abort, transport.pause_reading
        self.user = None
        self.out = asyncio.Queue()
        self.isSilent = False
        self.held = None
        self.sent = 0
        self.fault = None
        parts = path.strip("/").split("/")
        if "fault" in parts:
            kind, number, name = parts[parts.index("fault") + 1 :][:3]
            if name not in service.faulted:
                service.faulted.add(name)
                self.fault = (kind, int(number))
        service.people.add(self)
        service.arrivals.append(time.time())
        self.writer = asyncio.create_task(self.write_out())

    def end(self, work):
        """Lets something happen after all that is queued."""
        self.out.put_nowait(work)

    def leave(self):
        service.people.discard(self)
        for list_of in (service.followers, service.watchers):
            for members in list_of.values():
                members[:] = [member for member in members if member[0] is not self]
        self.writer.cancel()

    # What goes out

    def queue(self, kind, correlation, data):
        frame = {"type": kind}
        if correlation is not None:
            frame["id"] = correlation
        if data is not None:
            frame["data"] = data
        self.out.put_nowait(frame)

    async def write_out(self):
        with contextlib.suppress(ConnectionError, ConnectionClosed):
            while True:
                item = await self.out.get()
                if not isinstance(item, dict):
                    await item
                    continue
                self.sent += 1
                if self.fault and self.sent == self.fault[1]:
                    await self.misbehave(self.fault[0], item)
                elif not self.isSilent:
                    await self.send(item)
                if self.held and self.sent > self.fault[1]:
                    await self.send(self.held)
                    self.held = None

    async def send(self, frame):
        await self.text(json.dumps(frame, separators=(",", ":")))

    async def misbehave(self, kind, frame):
        """Does something else than to send a frame, or more than that."""
        message = json.dumps(frame, separators=(",", ":")).encode()
        match kind:
            case "cut":
                return self.abort()
            case "cut-after":
                await self.send(frame)
                return self.abort()
            case "twice":
                await self.send(frame)
            case "late":
                # With the next frame, or after a while.
                self.held = frame
                await asyncio.sleep(0.1)
                if self.held and self.out.empty():
                    self.held = None
                    return await self.send(frame)
                return
            case "unknown":
                await self.send({**frame, "id": "999999"})
            case "foreign":
                await self.send({**frame, "id": "no number"})
            case "other-kind":
                return await self.send({**frame, "type": "surprise"})
            case "new-kind":
                await self.send({"type": "surprise", "data": 1})
            case "nonsense":
                await self.text("nonsense {")
            case "binary":
                self.write(b"\x82\x03\x00\x01\x02")
            case "wrong-data":
                return await self.send({**frame, "data": [True]})
            case "invalid-text":
                self.write(b"\x81\x02\xff\xfe")
            case "too-long":
                with contextlib.suppress(ConnectionError, ConnectionClosed):
                    await self.text("x" * LONG)
            case "half":
                self.write(b"\x01" + bytes([min(len(message), 100)]) + message[:100])
                await asyncio.sleep(0.05)
                return self.abort()
            case "half-and-new":
                self.write(b"\x01\x01a")
            case "reserved":
                self.write(b"\xc1\x01a")
            case "silent":
                # Also pings get no answer.
                self.isSilent = True
                return self.ignore()
            case _ if kind.startswith("close-"):
                return await self.close(int(kind[6:]))
        await self.send(frame)

    # What comes in

    def receive(self, text):
        frame = json.loads(text)
        kind, correlation, data = frame["type"], frame.get("id"), frame.get("data") or {}
        service.frames[kind] = service.frames.get(kind, 0) + 1
        if set(frame) - {"type", "id", "data"} or not isinstance(correlation, str):
            service.complaints.append(text)
        match kind:
            case "login":
                return self.log_in(correlation, data)
            case "attach":
                self.user = service.tokens.get(data["token"])
                if self.user is None:
                    return self.fail(correlation, "session_expired")
                return self.queue("attach", correlation, None)
            case "logout":
                service.tokens = {token: user for token, user in service.tokens.items() if user != self.user}
                self.user = None
                return None
            case "room.unfollow" | "typing.unwatch":
                for list_of in (service.followers, service.watchers):
                    for members in list_of.values():
                        members[:] = [member for member in members if member != (self, correlation)]
                return None
        if self.user is None:
            service.complaints.append(f"{kind} without a session")
            return self.fail(correlation, "session_expired")
        return self.serve(kind, correlation, data)

    def log_in(self, correlation, data):
        if PEOPLE.get(data["user"], (0, None))[1] != data["password"]:
            return self.fail(correlation, "wrong_password")
        self.user = PEOPLE[data["user"]][0]
        service.made += 1
        token = f"presence-{service.made:06}"
        service.tokens[token] = self.user
        service.note("login", data["user"])
        return self.queue("login", correlation, {"token": token, "user": self.user})

    def serve(self, kind, correlation, data):
        match kind:
            case "info.query":
                status = {"user": data["of"], "name": f"Person {data['of']}", "status": "online"}
                return self.queue(kind, correlation, status)
            case "room.list":
                return self.queue("room.all", correlation, sorted(service.rooms))
            case "status.set":
                service.note("status", data.get("text"))
                return self.queue(kind, correlation, None)
            case "message.send":
                return self.store(correlation, data)
            case "poke":
                service.note("poke", data["user"])
                return self.queue(kind, correlation, {"pokes": service.effects[f"poke {data['user']}"]})
            case "room.follow":
                # Those that are there already, and then the new ones.
                events = service.rooms.setdefault(data["room"], [])
                for event in events[data.get("since", len(events)) :]:
                    self.queue("room.event", correlation, event)
                service.followers.setdefault(data["room"], []).append((self, correlation))
            case "typing.watch":
                service.watchers.setdefault(data["room"], []).append((self, correlation))
                self.queue("typing", correlation, {"user": 2, "isTyping": True})
            case _:
                service.complaints.append(f"no frame {kind}")
        return None

    def store(self, correlation, data):
        """Stores a message once for each key."""
        message = service.keys.get(data["key"])
        if message is None:
            service.note("message", data["text"])
            service.append(data["room"], self.user, data["text"])
            message = {
                "number": len(service.rooms[data["room"]]), "room": data["room"], "user": self.user, "text": data["text"],
            }
            service.keys[data["key"]] = message
        elif message["text"] != data["text"]:
            service.complaints.append(f"the key of another message: {data}")
        self.queue("message.send", correlation, message)

    def fail(self, correlation, code):
        self.queue("error", correlation, {"code": code, "message": code})


async def handle(connection):
    """Serves a connection of websockets."""
    person = Person(connection.request.path, connection.send, connection.close, connection.transport)
    try:
        with contextlib.suppress(ConnectionClosed):
            async for text in connection:
                person.receive(text)
    finally:
        person.leave()


async def respond(request):
    """Serves a connection of aiohttp."""
    connection = web.WebSocketResponse(protocols=(SUBPROTOCOL,))
    await connection.prepare(request)

    async def close(code):
        await connection.close(code=code)

    person = Person(request.path, connection.send_str, close, request.transport)
    try:
        with contextlib.suppress(ConnectionError):
            async for message in connection:
                if message.type is WSMsgType.TEXT:
                    person.receive(message.data)
    finally:
        person.leave()
    return connection


async def main():
    logging.disable(logging.CRITICAL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    ports, servers = [], []
    for tls in (None, context):
        server = await serve(
            handle, "127.0.0.1", 0 if tls else int(sys.argv[3]), ssl=tls, subprotocols=[SUBPROTOCOL], ping_interval=None,
            close_timeout=1, backlog=2048, compression=None, reuse_port=tls is None,
        )
        servers.append(server)
        ports.append(server.sockets[0].getsockname()[1])
    for tls in (None, context):
        ports.append(await aiohttp_server.start(respond, tls))
    ports.append(await presence_proxies.start_impatient(ports[0]))
    ports.append(await presence_proxies.start_cutting(ports[0]))
    ports.append(await presence_proxies.start_swallowing(ports[0]))
    print(json.dumps(ports), flush=True)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        print(json.dumps(service.answer(line.decode())), flush=True)


asyncio.run(main())
