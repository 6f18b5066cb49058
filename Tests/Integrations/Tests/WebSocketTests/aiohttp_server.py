"""A server of aiohttp, for the programs beside this file."""

from aiohttp import web


async def start(respond, context):
    """Starts a server on a free port, and returns the port. `respond` gets the requests for all paths."""
    application = web.Application()
    application.router.add_get("/{rest:.*}", respond)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context)
    await site.start()
    return site._server.sockets[0].getsockname()[1]
