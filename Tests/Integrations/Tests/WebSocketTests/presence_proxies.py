"""Proxies that stand before a server of WebSocket, and end or lose connections."""

import asyncio
import contextlib
import time

# How long a connection may be without a byte, in seconds.
IDLE = 2.0
# The bytes of each name that have gone through the cutting proxy, up and down.
traffic = {}
# Whether each connection through the swallowing proxy is dead.
deaths = []


async def start_impatient(port):
    """Closes connections that are not used."""

    async def accept(reader, writer):
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
        heard = time.monotonic()

        async def copy(source, target):
            nonlocal heard
            with contextlib.suppress(ConnectionError):
                while data := await source.read(65_536):
                    heard = time.monotonic()
                    target.write(data)
                    await target.drain()

        async def watch():
            while time.monotonic() - heard < IDLE:
                await asyncio.sleep(0.05)

        works = [asyncio.create_task(work) for work in (copy(reader, inner_writer), copy(inner_reader, writer), watch())]
        await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
        for work in works:
            work.cancel()
        writer.close()
        inner_writer.close()

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    return server.sockets[0].getsockname()[1]


async def start_cutting(port):
    """Cuts the first connection of a name, and counts the bytes of all of its connections."""
    cut = set()

    async def accept(reader, writer):
        try:
            line = await reader.readuntil(b"\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            return writer.close()
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
        _, way, count, name, *_ = line.decode().split(" ")[1].strip("/").split("/")
        # So that all paths have the same length.
        count = int(count) - 10_000_000
        counted = traffic.setdefault(name, [0, 0])
        limits = [None, None]
        if name not in cut:
            cut.add(name)
            limits["up" != way] = count

        def end():
            # An end with a reset and one without are different faults.
            for end in (writer, inner_writer):
                if count % 2:
                    end.transport.abort()
                else:
                    end.close()

        async def copy(direction, data, source, target):
            left = limits[direction]
            with contextlib.suppress(ConnectionError):
                while left != 0 and (data := data or await source.read(65_536)):
                    part, data = data[:left], None
                    counted[direction] += len(part)
                    target.write(part)
                    await target.drain()
                    if left is not None:
                        left -= len(part)
            end()

        await asyncio.gather(copy(0, line, reader, inner_writer), copy(1, None, inner_reader, writer))

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    return server.sockets[0].getsockname()[1]


def swallow():
    """Lets nothing through any more on the connections that are open. None of their ends is told."""
    for number in range(len(deaths)):
        deaths[number] = True
    return len(deaths)


async def start_swallowing(port):
    """Carries connections until they are swallowed."""

    async def accept(reader, writer):
        number = len(deaths)
        deaths.append(False)
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)

        async def copy(source, target):
            with contextlib.suppress(ConnectionError):
                while data := await source.read(65_536):
                    if not deaths[number]:
                        target.write(data)
                        await target.drain()

        works = [asyncio.create_task(work) for work in (copy(reader, inner_writer), copy(inner_reader, writer))]
        await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
        for work in works:
            work.cancel()
        writer.close()
        inner_writer.close()

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    return server.sockets[0].getsockname()[1]
