#!/usr/bin/env bash
# A streamed export that fails in the middle ends like a complete one, as soon as FastAPI has one middleware.
#
# Expected: if a handler fails after it has sent a part of its response, the server closes the connection without the last chunk, so
# that the client notices (RFC 9112 section 8).
# Seen: FastAPI and Starlette do so, until a middleware is added with `@application.middleware("http")` (`BaseHTTPMiddleware`), even
# one that does nothing. Then the last chunk is sent, and the exception is raised afterwards, into the log alone. Tornado and Sanic
# end a failed response with the last chunk in any case. aiohttp, gunicorn, waitress, Granian, and Django, Quart and Falcon on
# uvicorn break off.
# Who is hurt: a client that downloads an export of a database. It stores 5 of 1,000 lines as the whole file, with 200 and without an
# error, and an event stream looks as if the service had nothing more to say.
# Errand: a download or a stream without a length cannot tell this end from the right one. A contract for such a service should have
# a checksum or a length, or a last line or event that says that it is the last one. A retry budget does not help, because nothing
# has failed.
# Seen on 2026-11-30.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages fastapi==0.165.0 starlette==1.10.0 uvicorn==0.54.0 h11==0.16.0 httptools==0.9.0 tornado==6.6.1 sanic==25.12.1 aiohttp==3.14.5 \
  gunicorn==27.0.1 waitress==3.0.2 granian==2.8.9 Django==5.2.19 Quart==0.22.0 falcon==4.4.0

cat >"$work/shop.py" <<'PYTHON'
import logging
import sys

name, port = sys.argv[1], int(sys.argv[2])
host = "127.0.0.1"
logging.disable(logging.CRITICAL)

async def export():
    for number in range(5):
        yield b"order %d\n" % number
    raise RuntimeError("the database is gone")

if name == "Tornado":
    import tornado.ioloop
    import tornado.web

    class Export(tornado.web.RequestHandler):
        async def get(self):
            async for line in export():
                self.write(line)
                await self.flush()

    tornado.web.Application([("/export", Export)]).listen(port, host)
    tornado.ioloop.IOLoop.current().start()
elif name == "Sanic":
    import sanic
    application = sanic.Sanic("shop")

    @application.get("/export")
    async def send(request):
        response = await request.respond(content_type="text/plain")
        async for line in export():
            await response.send(line)

    if __name__ == "__main__":
        application.run(host, port, single_process=True, motd=False, access_log=False)
elif name == "aiohttp":
    import aiohttp.web

    async def send(request):
        response = aiohttp.web.StreamResponse()
        await response.prepare(request)
        async for line in export():
            await response.write(line)

    application = aiohttp.web.Application()
    application.router.add_get("/export", send)
    aiohttp.web.run_app(application, host=host, port=port, print=None)
elif name == "waitress":
    import waitress
    import wsgi
    waitress.serve(wsgi.application, host=host, port=port)
else:
    import uvicorn
    if name.startswith("FastAPI"):
        import fastapi
        application = fastapi.FastAPI()

        @application.get("/export")
        async def send():
            return fastapi.responses.StreamingResponse(export())

        if "middleware" in name:
            @application.middleware("http")
            async def nothing(request, call_next):
                return await call_next(request)
    elif name == "Django":
        import django
        from django.conf import settings
        settings.configure(SECRET_KEY="finding", ALLOWED_HOSTS=["*"], ROOT_URLCONF="__main__")
        django.setup()
        from django.core.asgi import get_asgi_application
        from django.http import StreamingHttpResponse
        from django.urls import path

        async def send(request):
            return StreamingHttpResponse(export())

        urlpatterns = [path("export", send)]
        application = get_asgi_application()
    elif name == "Quart":
        import quart
        application = quart.Quart("shop")

        @application.get("/export")
        async def send():
            return export()
    else:
        import falcon.asgi

        class Export:
            async def on_get(self, request, response):
                response.stream = export()

        application = falcon.asgi.App()
        application.add_route("/export", Export())
    http = "httptools" if name.endswith("httptools") else "h11"
    uvicorn.run(application, host=host, port=port, http=http, log_level="critical")
PYTHON
cat >"$work/wsgi.py" <<'PYTHON'
def export():
    for number in range(5):
        yield b"order %d\n" % number
    raise RuntimeError("the database is gone")

def application(environment, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return export()
PYTHON

cd "$work"
for name in FastAPI "FastAPI with a middleware" "FastAPI with a middleware, httptools" Tornado Sanic aiohttp gunicorn waitress granian Django Quart \
  Falcon; do
  port=$(free_port)
  case $name in
    gunicorn) start "$port" gunicorn --bind "127.0.0.1:$port" wsgi:application ;;
    granian) start "$port" granian --interface wsgi --port "$port" wsgi:application ;;
    *) start "$port" python shop.py "$name" "$port" ;;
  esac
  code=0
  status=$(curl --silent --max-time 10 --output /dev/null --write-out '%{http_code}' "http://127.0.0.1:$port/export") || code=$?
  case $code in 0) end=complete ;; 18 | 56) end="broken off" ;; *) end="curl $code" ;; esac
  echo "$name: $status, $end"
  stop "$server"
done >seen

compare seen <<'RECORDED'
FastAPI: 200, broken off
FastAPI with a middleware: 200, complete
FastAPI with a middleware, httptools: 200, complete
Tornado: 200, complete
Sanic: 200, complete
aiohttp: 200, broken off
gunicorn: 200, broken off
waitress: 200, broken off
granian: 200, broken off
Django: 200, broken off
Quart: 200, broken off
Falcon: 200, broken off
RECORDED
