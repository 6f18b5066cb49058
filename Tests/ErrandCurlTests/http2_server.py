"""Servers of HTTP/2 that others wrote, for HTTP2Tests. Arguments: a certificate and its key.

The first is Hypercorn, with an application that says how it was asked. The second is the protocol library h2, which ends
requests in the ways that HTTP/2 has for that. The third one closes each connection in an orderly way after a few requests. The
first line that is printed has all ports.
"""

import asyncio
import collections
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
from hypercorn.asyncio import serve
from hypercorn.config import Config


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
        await asyncio.sleep(0.3)
    count = parse_qs(scope["query_string"].decode()).get("count")
    if count:
        body = bytes(index % 251 for index in range(int(count[0])))
    else:
        body = json.dumps({"version": scope["http_version"], "port": scope["client"][1], "size": size}).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


class Ending(asyncio.Protocol):
    """Ends requests as their path says, and counts them."""

    seen = collections.Counter()

    def connection_made(self, transport):
        self.transport = transport
        self.connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.connection.initiate_connection()
        self.flush()

    def flush(self):
        self.transport.write(self.connection.data_to_send())

    def data_received(self, data):
        for event in self.connection.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                self.end(event.stream_id, dict(event.headers)[b":path"].decode())
        self.flush()

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
    """Responds to a few requests on each connection, and then sends a GOAWAY, which names the last one."""

    processed = collections.Counter()
    body = b'{"data":{"id":1,"owner":"A","balance":1,"status":"active","openedAt":"2026-01-01T00:00:00Z"}}'

    def connection_made(self, transport):
        self.transport = transport
        self.connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.connection.initiate_connection()
        self.left = 20
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


async def main(certificate, key):
    logging.disable(logging.CRITICAL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2"])
    ending = await asyncio.get_running_loop().create_server(Ending, "127.0.0.1", 0, ssl=context)
    draining = await asyncio.get_running_loop().create_server(Draining, "127.0.0.1", 0, ssl=context)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    config = Config()
    config.bind = [f"fd://{listener.fileno()}"]
    config.certfile, config.keyfile = certificate, key
    # Prints one text, because an unbuffered output writes several arguments separately.
    ports = [each.getsockname()[1] for each in (listener, ending.sockets[0], draining.sockets[0])]
    print(" ".join(map(str, ports)), flush=True)
    await serve(application, config, shutdown_trigger=asyncio.Event().wait)


asyncio.run(main(*sys.argv[1:]))
