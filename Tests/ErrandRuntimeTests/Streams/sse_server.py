"""A server of events that others wrote (aiohttp-sse), for StreamSocketTests.

It counts to 60, with the number as each event's id, goes on after the `Last-Event-ID` that it is told, and drops the
connection after every seventh event. The first line that it prints is its port.
"""

import asyncio
import json

from aiohttp import web
from aiohttp_sse import sse_response

LAST = 60


async def count(request):
    number = int(request.headers.get("Last-Event-ID", "0"))
    async with sse_response(request, sep="\r\n") as response:
        while number < LAST:
            number += 1
            await response.send(json.dumps({"n": number}), id=str(number), event="number", retry=5)
            await response.write(b": heartbeat\r\n\r\n")
            if number % 7 == 0:
                request.transport.close()
                break
    return response


async def serve():
    application = web.Application()
    application.router.add_get("/watch", count)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


asyncio.run(serve())
