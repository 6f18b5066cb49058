"""Servers of HTTP/2 that others wrote, for HTTP2Tests. Arguments: a certificate and its key.

The first is Hypercorn, with an application that says how it was asked. The second is the protocol library h2, which ends
requests in the ways that HTTP/2 has for that. The third one closes each connection in an orderly way after a few requests. The
fourth one is Hypercorn with HTTP/1.1 only. The last one stands in front of the first, and takes no part of the first connection
that it accepts. The first line that is printed has all ports.
"""

import asyncio
import collections
import contextlib
import json
import logging
import socket
import ssl
import sys
from urllib.parse import parse_qs

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
from hypercorn.asyncio import serve
from hypercorn.config import Config


open_requests = {"now": 0, "most": 0}
held = []


async def application(scope, receive, send):
    """Answers with bytes, or with the version of HTTP, the port of the connection and the size of the body."""
    if scope["type"] != "http":
        return
    size, more = 0, True
    while more:
        message = await receive()
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    if scope["path"] == "/wait":
        open_requests["now"] += 1
        open_requests["most"] = max(open_requests.values())
        await asyncio.sleep(0.3)
        open_requests["now"] -= 1
    if scope["path"] == "/ticks":
        return await tick(send)
    count = parse_qs(scope["query_string"].decode()).get("count")
    if count:
        body = bytes(index % 251 for index in range(int(count[0])))
    else:
        fields = {"version": scope["http_version"], "port": scope["client"][1], "size": size}
        body = json.dumps(fields | {"most": open_requests["most"], "held": len(held)}).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


async def tick(send):
    """Sends without end, slowly."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    while True:
        await send({"type": "http.response.body", "body": b"tick\n", "more_body": True})
        await asyncio.sleep(0.02)


class Ending(asyncio.Protocol):
    """Ends requests as their path says, and counts them, the bytes of their bodies, and the ends of both.

    Over HTTP/1.1, it responds to the first part of a request, and reads on for a moment.
    """

    seen = collections.Counter()

    def connection_made(self, transport):
        self.transport = transport
        self.connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.paths = {}
        self.uploading = set()
        self.is_single = transport.get_extra_info("ssl_object").selected_alpn_protocol() != "h2"
        if not self.is_single:
            self.connection.initiate_connection()
            self.flush()

    def flush(self):
        self.transport.write(self.connection.data_to_send())

    def respond_over_http1(self):
        if self.paths:
            return
        self.paths = {1: "the only one"}
        body = b"too large"
        head = f"HTTP/1.1 413 Content Too Large\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        self.transport.write(head.encode() + body)
        asyncio.get_running_loop().call_later(1, self.transport.close)

    def data_received(self, data):
        if self.is_single:
            return self.respond_over_http1()
        for event in self.connection.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                self.paths[event.stream_id] = dict(event.headers)[b":path"].decode()
                self.uploading.add(event.stream_id)
                self.end(event.stream_id, self.paths[event.stream_id])
            elif isinstance(event, h2.events.DataReceived):
                self.receive(event, self.paths[event.stream_id])
            elif isinstance(event, h2.events.StreamEnded):
                self.seen["whole " + self.paths[event.stream_id]] += 1
                self.uploading.discard(event.stream_id)
                if self.paths[event.stream_id].startswith("/take"):
                    self.connection.send_headers(event.stream_id, [(":status", "200")], end_stream=True)
            elif isinstance(event, h2.events.StreamReset):
                self.give_up(event.stream_id)
        self.flush()

    def connection_lost(self, _):
        if not self.is_single:
            for stream in list(self.uploading):
                self.give_up(stream)

    def give_up(self, stream):
        """Notes that the rest of a body will not come: the client has reset its stream, or closed its connection."""
        self.seen["ended " + self.paths[stream]] += 1
        self.uploading.discard(stream)

    def receive(self, event, path):
        """Takes a part of a body. `/deaf` gives no window for more, and `/half` responds after the first part."""
        first = self.seen["bytes " + path] == 0
        self.seen["bytes " + path] += len(event.data)
        # The last frame may be empty.
        if event.flow_controlled_length == 0:
            return
        # The window of the connection is for all streams.
        self.connection.increment_flow_control_window(event.flow_controlled_length)
        if path.startswith("/half") and first:
            self.connection.send_headers(event.stream_id, [(":status", "413")])
            self.connection.send_data(event.stream_id, b"too large", end_stream=True)
            self.connection.reset_stream(event.stream_id, h2.errors.ErrorCodes.NO_ERROR)
        elif path.startswith("/take") and not event.stream_ended:
            # A client that has reset the stream wants no window. The connection may have forgotten the stream.
            with contextlib.suppress(h2.exceptions.StreamClosedError, KeyError):
                self.connection.increment_flow_control_window(event.flow_controlled_length, event.stream_id)

    def end(self, stream, path):
        if path == "/seen":
            self.connection.send_headers(stream, [(":status", "200")])
            self.connection.send_data(stream, json.dumps(self.seen).encode(), end_stream=True)
            return
        self.seen[path] += 1
        if path.startswith("/fine"):
            self.connection.send_headers(stream, [(":status", "200")], end_stream=True)
        elif path.startswith("/refused"):
            self.connection.reset_stream(stream, h2.errors.ErrorCodes.REFUSED_STREAM)
        elif path.startswith("/broken"):
            self.connection.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
        elif path.startswith("/cut"):
            self.connection.send_headers(stream, [(":status", "200"), ("content-length", "100")])
            self.connection.send_data(stream, b"some of it")
            self.connection.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
        elif path.startswith("/goaway"):
            self.connection.close_connection(last_stream_id=0 if "before" in path else stream)
            self.flush()
            self.transport.close()


class Draining(asyncio.Protocol):
    """Responds to some requests on each connection, and then sends a GOAWAY, which names the last one."""

    processed = collections.Counter()
    body = b'{"data":{"id":1,"owner":"A","balance":1,"status":"active","openedAt":"2026-01-01T00:00:00Z"}}'

    def connection_made(self, transport):
        self.transport = transport
        self.connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.connection.initiate_connection()
        self.left = 60
        self.paths = {}
        self.flush()

    def flush(self):
        self.transport.write(self.connection.data_to_send())

    def data_received(self, data):
        # After its GOAWAY, the server reads on and processes nothing.
        if self.left == 0:
            return
        for event in self.connection.receive_data(data):
            if isinstance(event, h2.events.StreamEnded) and self.left > 0:
                self.respond(event.stream_id)
            elif isinstance(event, h2.events.RequestReceived):
                self.paths[event.stream_id] = dict(event.headers)[b":path"].decode()
        self.flush()

    def respond(self, stream):
        self.left -= 1
        path = self.paths.pop(stream)
        body = json.dumps(self.processed).encode() if path == "/seen" else self.body
        self.processed[path] += 1
        self.connection.send_headers(stream, [(":status", "200"), ("content-type", "application/json")])
        self.connection.send_data(stream, body, end_stream=True)
        if self.left == 0:
            self.connection.close_connection(last_stream_id=stream)
            asyncio.get_running_loop().call_later(1, self.transport.close)


def holding(port):
    """Passes connections on to a port, except for the first one, of which it reads nothing."""
    async def pass_on(reader, writer):
        try:
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        writer.close()

    async def accept(reader, writer):
        if not held:
            held.append(writer)
            return
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pass_on(reader, inner_writer), pass_on(inner_reader, writer))

    return accept


def hypercorn(certificate, key, protocols):
    """A server on a free port: the port, and what runs it."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    config = Config()
    config.bind = [f"fd://{listener.fileno()}"]
    config.certfile, config.keyfile = certificate, key
    config.alpn_protocols = protocols
    return listener, serve(application, config, shutdown_trigger=asyncio.Event().wait)


async def main(certificate, key):
    logging.disable(logging.CRITICAL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2", "http/1.1"])
    ending = await asyncio.get_running_loop().create_server(Ending, "127.0.0.1", 0, ssl=context)
    draining = await asyncio.get_running_loop().create_server(Draining, "127.0.0.1", 0, ssl=context)
    listener, serving = hypercorn(certificate, key, ["h2", "http/1.1"])
    single, serving_single = hypercorn(certificate, key, ["http/1.1"])
    gate = await asyncio.start_server(holding(listener.getsockname()[1]), "127.0.0.1", 0)
    # Prints one text, because an unbuffered output writes several arguments separately.
    sockets = (listener, ending.sockets[0], draining.sockets[0], single, gate.sockets[0])
    print(" ".join(str(each.getsockname()[1]) for each in sockets), flush=True)
    await asyncio.gather(serving, serving_single)


asyncio.run(main(*sys.argv[1:]))
