#!/usr/bin/env bash
# A compressor keeps the events of a stream until the stream has ended.
#
# Expected: a compressor leaves a stream with `no-transform` alone (RFC 9110 section 7.7), or hands on each event when it has got it.
# Seen: django-flosse marks its streams with `no-transform`. Behind Django's GZipMiddleware on gunicorn, and behind
# django-compression-middleware, the head of the response arrives at once, and all events arrive together when the stream ends. Varnish
# with `do_gzip` does the same. It also keeps them from a client that asks for no compression, and then the head as well. A stream that
# does not end is silent. Django's GZipMiddleware under ASGI hands on each event, and so do starlette-compress, Starlette's
# GZipMiddleware, which compresses no event stream, and Varnish without `do_gzip`.
# Who is hurt: URLSession and browsers ask for gzip by themselves. The answer of a language model appears as a whole, after minutes. A
# feed stays empty. A client that takes silence for a lost connection opens the stream again and again.
# Errand: since this finding, each request for a stream has `Accept-Encoding: identity`, which is enough for Django. Over URLSession and
# libcurl it asked for gzip before. The owner of a Varnish has to leave event streams out of `do_gzip`.
# Seen on 2026-11-30, Varnish 7.1.1 of Debian 12.
set -euo pipefail
source "$(dirname "$0")/support.bash"

debian varnish
packages Django==5.2.19 django-flosse==0.2.0 django-compression-middleware==0.5.0 gunicorn==27.0.1 uvicorn==0.54.0 \
  starlette==1.10.0 starlette-compress==2.0.0

cat >"$work/events.py" <<'PYTHON'
import asyncio
import sys
import time

name, port = sys.argv[1], int(sys.argv[2])

if name.startswith("starlette"):
    import uvicorn
    from starlette.applications import Starlette
    from starlette.responses import StreamingResponse
    from starlette.routing import Route

    async def events():
        for number in range(3):
            yield f"data: {number}\n\n"
            await asyncio.sleep(0.5)

    async def stream(request):
        return StreamingResponse(events(), media_type="text/event-stream", headers={"Cache-Control": "no-cache, no-transform"})

    application = Starlette(routes=[Route("/events", stream)])
    if name == "starlette-gzip":
        from starlette.middleware.gzip import GZipMiddleware
        application.add_middleware(GZipMiddleware)
    elif name == "starlette-compress":
        from starlette_compress import CompressMiddleware
        application.add_middleware(CompressMiddleware)
    uvicorn.run(application, host="127.0.0.1", port=port, log_level="critical")
else:
    import django
    from django.conf import settings
    settings.configure(
        SECRET_KEY="finding", ALLOWED_HOSTS=["*"], ROOT_URLCONF="__main__",
        MIDDLEWARE=["compression_middleware.middleware.CompressionMiddleware" if name == "compression"
                    else "django.middleware.gzip.GZipMiddleware"])
    django.setup()
    from django.core.asgi import get_asgi_application
    from django.core.wsgi import get_wsgi_application
    from django.urls import path
    from django_flosse import sse_stream

    if name == "asgi":
        @sse_stream
        async def stream(request):
            for number in range(3):
                yield number
                await asyncio.sleep(0.5)
    else:
        @sse_stream
        def stream(request):
            for number in range(3):
                yield number
                time.sleep(0.5)

    urlpatterns = [path("events", stream)]
    if name == "asgi":
        import uvicorn
        uvicorn.run(get_asgi_application(), host="127.0.0.1", port=port, log_level="critical", lifespan="off")
    else:
        from gunicorn.app.base import BaseApplication

        class Server(BaseApplication):
            def load_config(self):
                self.cfg.set("bind", f"127.0.0.1:{port}")
                self.cfg.set("loglevel", "critical")

            def load(self):
                return get_wsgi_application()

        Server().run()
PYTHON

cat >"$work/client.py" <<'PYTHON'
import http.client
import sys
import time
import zlib

name, port = sys.argv[1], int(sys.argv[2])

def seconds(since):
    """When something came: the events are sent after 0, 0.5 and 1 seconds, and the stream ends after 1.5."""
    passed = time.monotonic() - since
    return "at the end" if passed > 1.4 else f"after {round(passed * 2) / 2} s"

for coding in ("identity", "gzip"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    since = time.monotonic()
    connection.request("GET", "/events", headers={"Accept": "text/event-stream", "Accept-Encoding": coding})
    response = connection.getresponse()
    came, text, packed = [f"head {seconds(since)}"], b"", response.headers["Content-Encoding"] == "gzip"
    inflating = zlib.decompressobj(31)
    while piece := response.read1(65536):
        before = text.count(b"\n\n")
        while packed and piece:
            text += inflating.decompress(piece)
            piece = inflating.unused_data  # what follows is a gzip file of its own
            inflating = zlib.decompressobj(31) if inflating.eof else inflating
        text += piece
        came += [f"event {number} {seconds(since)}" for number in range(before, text.count(b"\n\n"))]
    print(f"{name}, asked for {coding}, got {response.headers['Content-Encoding']}: " + ", ".join(came))
PYTHON

show() { # NAME OF-SERVER
  port=$(free_port)
  start "$port" python "$work/events.py" "$2" "$port"
  python "$work/client.py" "$1" "$port"
}

varnish() { # NAME STATEMENT
  gateway=$(free_port)
  cat >"$work/$gateway.vcl" <<VCL
vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "$port"; }
sub vcl_backend_response { $2 }
VCL
  start "$gateway" varnishd -F -a "127.0.0.1:$gateway" -f "$work/$gateway.vcl" -n "$work/varnish$gateway" -s default,16m
  python "$work/client.py" "$1" "$gateway"
}

{
  show "django-flosse, GZipMiddleware" gzip
  show "django-flosse, django-compression-middleware" compression
  show "django-flosse, GZipMiddleware under ASGI" asgi
  show "Starlette, its GZipMiddleware" starlette-gzip
  show "Starlette, starlette-compress" starlette-compress
  port=$(free_port)
  start "$port" python "$work/events.py" starlette "$port"
  varnish "Varnish" ""
  varnish "Varnish, do_gzip" "set beresp.do_gzip = true;"
} >"$work/seen"

compare "$work/seen" <<'RECORDED'
django-flosse, GZipMiddleware, asked for identity, got None: head after 0.0 s, event 0 after 0.0 s, event 1 after 0.5 s, event 2 after 1.0 s
django-flosse, GZipMiddleware, asked for gzip, got gzip: head after 0.0 s, event 0 at the end, event 1 at the end, event 2 at the end
django-flosse, django-compression-middleware, asked for identity, got None: head after 0.0 s, event 0 after 0.0 s, event 1 after 0.5 s, event 2 after 1.0 s
django-flosse, django-compression-middleware, asked for gzip, got gzip: head after 0.0 s, event 0 at the end, event 1 at the end, event 2 at the end
django-flosse, GZipMiddleware under ASGI, asked for identity, got None: head after 0.0 s, event 0 after 0.0 s, event 1 after 0.5 s, event 2 after 1.0 s
django-flosse, GZipMiddleware under ASGI, asked for gzip, got gzip: head after 0.0 s, event 0 after 0.0 s, event 1 after 0.5 s, event 2 after 1.0 s
Starlette, its GZipMiddleware, asked for identity, got None: head after 0.0 s, event 0 after 0.0 s, event 1 after 0.5 s, event 2 after 1.0 s
Starlette, its GZipMiddleware, asked for gzip, got None: head after 0.0 s, event 0 after 0.0 s, event 1 after 0.5 s, event 2 after 1.0 s
Starlette, starlette-compress, asked for identity, got None: head after 0.0 s, event 0 after 0.0 s, event 1 after 0.5 s, event 2 after 1.0 s
Starlette, starlette-compress, asked for gzip, got gzip: head after 0.0 s, event 0 after 0.0 s, event 1 after 0.5 s, event 2 after 1.0 s
Varnish, asked for identity, got None: head after 0.0 s, event 0 after 0.0 s, event 1 after 0.5 s, event 2 after 1.0 s
Varnish, asked for gzip, got None: head after 0.0 s, event 0 after 0.0 s, event 1 after 0.5 s, event 2 after 1.0 s
Varnish, do_gzip, asked for identity, got None: head at the end, event 0 at the end, event 1 at the end, event 2 at the end
Varnish, do_gzip, asked for gzip, got gzip: head after 0.0 s, event 0 at the end, event 1 at the end, event 2 at the end
RECORDED
