"""What libraries that limit requests send, and when they serve again.

    python rate_limits.py                    runs a service with each library on loopback and prints the measured tables
    python rate_limits.py serve NAME PORT    runs one of them
    python rate_limits.py hold               runs all of them, prints their ports, and stops at the end of the standard input

Each service has `GET /limited`, which is allowed three times in a window for each client, and `GET /limited/busy`, which responds with
503 and `Retry-After: 2`. A client is the header X-Client. `GET /counts` says how many requests to /limited arrived, how many were
refused, and how often the handler ran.
"""
import asyncio
import collections
import concurrent.futures
import contextlib
import datetime
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

HOST = "127.0.0.1"
ALLOWED, WINDOW = 3, 6
BUSY = {"Retry-After": "2"}

# MARK: What the services have in common

COUNTS = {"arrived": 0, "refused": 0, "ran": 0}
LOCK = threading.Lock()


def count(name):
    with LOCK:
        COUNTS[name] += 1


def run():
    """The handler of /limited."""
    count("ran")
    return {"ok": True}


def note(path, status):
    if path == "/limited":
        count("arrived")
        if status >= 400:
            count("refused")


def client(headers):
    return headers.get("X-Client") or "everyone"


def on_waitress(app, port):
    import waitress

    def counted(environ, start_response):
        if environ["PATH_INFO"] == "/counts":
            start_response("200 OK", [("Content-Type", "application/json")])
            return [json.dumps(COUNTS).encode()]

        def noted(status, *rest):
            note(environ["PATH_INFO"], int(status[:3]))
            return start_response(status, *rest)
        return app(environ, noted)
    waitress.serve(counted, host=HOST, port=port, threads=16)


def counted_asgi(app):
    async def counted(scope, receive, send):
        async def noted(message):
            if message["type"] == "http.response.start":
                note(scope["path"], message["status"])
            await send(message)
        if scope["type"] == "http" and scope["path"] == "/counts":
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
            return await send({"type": "http.response.body", "body": json.dumps(COUNTS).encode()})
        await app(scope, receive, noted)
    return counted


def on_uvicorn(app, port):
    import uvicorn
    uvicorn.run(counted_asgi(app), host=HOST, port=port, log_level="critical")


# MARK: The services

def fastapi(port, limited, busy=None, prepare=lambda app: None, **options):
    """A service whose two endpoints are decorated, or have dependencies."""
    from fastapi import FastAPI, Request, Response
    app = FastAPI()
    prepare(app)

    async def handler(request: Request, response: Response):
        return run()

    async def handle_busy(request: Request):
        return Response(status_code=503, headers=BUSY)
    app.get("/limited", **options)(limited(handler))
    app.get("/limited/busy", **options)((busy or limited)(handle_busy))
    return app


def slowapi(port, headers=False):
    from slowapi import Limiter, _rate_limit_exceeded_handler
    from slowapi.errors import RateLimitExceeded
    from starlette.requests import Request

    def key(request: Request):
        return client(request.headers)
    limiter = Limiter(key_func=key, headers_enabled=headers)

    def prepare(app):
        app.state.limiter = limiter
        app.add_exception_handler(RateLimitExceeded, _rate_limit_exceeded_handler)
    limit = limiter.limit(f"{ALLOWED}/{WINDOW} seconds")
    app = fastapi(port, limit, prepare=prepare)

    async def twice(request: Request):
        from starlette.responses import JSONResponse
        return JSONResponse(run())
    app.get("/twice")(limiter.limit("20/day")(limiter.limit(f"{ALLOWED}/2 seconds")(twice)))
    on_uvicorn(app, port)


def fastapi_limiter(port):
    from fastapi import Depends
    from fastapi_limiter.depends import RateLimiter
    from pyrate_limiter import Duration, Limiter, Rate

    async def key(request):
        return client(request.headers)
    limit = Depends(RateLimiter(limiter=Limiter(Rate(ALLOWED, Duration.SECOND * WINDOW)), identifier=key))
    on_uvicorn(fastapi(port, lambda handler: handler, dependencies=[limit]), port)


def fastapi_throttle(port):
    from fastapi import Depends
    from fastapi_throttle import RateLimiter
    limit = Depends(RateLimiter(times=ALLOWED, seconds=WINDOW, key_func=lambda request: client(request.headers)))
    on_uvicorn(fastapi(port, lambda handler: handler, dependencies=[limit]), port)


def throttled(port):
    from throttled.asyncio.contrib.fastapi import (
        Limiter, RateLimitExceededError, RateLimitMiddleware, rate_limit_exceeded_handler)
    from throttled.rate_limiter import per_duration
    quota = per_duration(datetime.timedelta(seconds=WINDOW), limit=ALLOWED, burst=ALLOWED)
    limiter = Limiter(quota, key_func=lambda request: client(request.headers))

    def prepare(app):
        app.add_middleware(RateLimitMiddleware)
        app.add_exception_handler(RateLimitExceededError, rate_limit_exceeded_handler)
    on_uvicorn(fastapi(port, limiter.limit(), prepare=prepare), port)


def asgi_ratelimit(port):
    from ratelimit import RateLimitMiddleware, Rule
    from ratelimit.backends.simple import MemoryBackend

    async def key(scope):
        return dict(scope["headers"]).get(b"x-client", b"everyone").decode(), "default"
    app = fastapi(port, lambda handler: handler)
    app.add_middleware(RateLimitMiddleware, authenticate=key, backend=MemoryBackend(), config={"^/limited": [Rule(second=ALLOWED)]})
    on_uvicorn(app, port)


def litestar(port):
    from litestar import Litestar, Response, get
    from litestar.middleware.rate_limit import RateLimitConfig
    limit = RateLimitConfig(rate_limit=("second", ALLOWED), identifier_for_request=lambda request: client(request.headers))

    @get("/limited")
    async def limited() -> dict[str, bool]:
        return run()

    @get("/limited/busy")
    async def busy() -> Response[None]:
        return Response(None, status_code=503, headers=BUSY)
    on_uvicorn(Litestar([limited, busy], middleware=[limit.middleware]), port)


def flask(limit, port, prepare=lambda app: None):
    from flask import Flask
    app = Flask("service")
    limit = limit(app)
    app.add_url_rule("/limited", "limited", limit(lambda: run()))
    app.add_url_rule("/limited/busy", "busy", limit(lambda: ("", 503, BUSY)))
    prepare(app)
    on_waitress(app, port)


def flask_limiter(port, headers=False):
    from flask import request
    from flask_limiter import Limiter
    made = []

    def limit(app):
        made.append(Limiter(lambda: client(request.headers), app=app, headers_enabled=headers, storage_uri="memory://"))
        return made[0].limit(f"{ALLOWED} per {WINDOW} seconds")

    def prepare(app):
        app.add_url_rule("/twice", "twice", made[0].limit(f"{ALLOWED} per 2 seconds;20 per day")(lambda: run()))
    flask(limit, port, prepare)


def flask_limit(port):
    from flask_limit import RateLimiter

    def limit(app):
        # The library knows clients by their addresses only.
        app.wsgi_app = addressed(app.wsgi_app)
        return RateLimiter(app).rate_limit(limit=ALLOWED, period=WINDOW)
    flask(limit, port)


def addressed(app):
    def outer(environ, start_response):
        return app({**environ, "REMOTE_ADDR": environ.get("HTTP_X_CLIENT") or "everyone"}, start_response)
    return outer


def quart(port):
    from hypercorn.asyncio import serve
    from hypercorn.config import Config
    from quart import Quart, request
    from quart_rate_limiter import RateLimiter, rate_limit
    app = Quart("service")

    async def key():
        return client(request.headers)
    RateLimiter(app, key_function=key)
    limit = rate_limit(ALLOWED, datetime.timedelta(seconds=WINDOW))

    @app.get("/limited")
    @limit
    async def limited():
        return run()

    @app.get("/limited/busy")
    @limit
    async def busy():
        return "", 503, BUSY
    asyncio.run(serve(counted_asgi(app), Config.from_mapping(bind=[f"{HOST}:{port}"], loglevel="CRITICAL"), mode="asgi"))


def aiohttp(port):
    from aiohttp import web
    from aiohttplimiter import Limiter
    limit = Limiter(keyfunc=lambda request: client(request.headers)).limit(f"{ALLOWED}/{WINDOW} seconds")

    @limit
    async def limited(request):
        return web.json_response(run())

    @limit
    async def busy(request):
        return web.Response(status=503, headers=BUSY)

    async def counts(request):
        return web.json_response(COUNTS)

    @web.middleware
    async def counted(request, handler):
        response = await handler(request)
        note(request.path, response.status)
        return response
    app = web.Application(middlewares=[counted])
    app.add_routes([web.get("/limited", limited), web.get("/limited/busy", busy), web.get("/counts", counts)])
    web.run_app(app, host=HOST, port=port, print=None)


def falcon(decorate, port, **options):
    from falcon import App

    class Limited:
        @decorate
        def on_get(self, req, resp):
            resp.media = run()

    class Busy:
        @decorate
        def on_get(self, req, resp):
            resp.status, resp.retry_after = 503, "2"
    app = App(**options)
    app.add_route("/limited", Limited())
    app.add_route("/limited/busy", Busy())
    on_waitress(app, port)


def falcon_limiter(port):
    from falcon_limiter import Limiter
    limiter = Limiter(key_func=lambda req, resp, resource, params: req.get_header("X-Client") or "everyone")
    falcon(limiter.limit(f"{ALLOWED} per {WINDOW} second"), port, middleware=limiter.middleware)


def falcon_rate_limiter(port):
    from dateutil.relativedelta import relativedelta
    from falcon_rate_limiter import FalconRateLimiter
    limiter = FalconRateLimiter(key_func=lambda req: req.get_header("X-Client") or "everyone")
    # The library ignores the number of the units: `seconds=6` would be a window of one second as well.
    falcon(limiter.rate_limit(requests=ALLOWED, per=relativedelta(seconds=1)), port)


def configured_django(**more):
    """Sets Django up without a database. Returns a function that serves routes."""
    import django
    from django.conf import settings
    settings.configure(
        DEBUG=False, SECRET_KEY="limits", ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, USE_TZ=True,
        INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework"],
        REST_FRAMEWORK={"DEFAULT_AUTHENTICATION_CLASSES": [], "UNAUTHENTICATED_USER": None}, **more)
    django.setup()

    def served(views):
        global urlpatterns
        from django.core.wsgi import get_wsgi_application
        from django.urls import path
        urlpatterns = [path(route, view) for route, view in views.items()]
        return get_wsgi_application()
    return served


def django(decorate, port, **settings):
    """A service whose two views are decorated."""
    served = configured_django(**settings)
    from django.http import HttpResponse, JsonResponse
    decorate = decorate()

    def limited(request):
        return JsonResponse(run())

    def busy(request):
        return HttpResponse(status=503, headers=BUSY)
    on_waitress(served({"limited": decorate(limited), "limited/busy": decorate(busy)}), port)


def django_ratelimit(port):
    def decorate():
        from django_ratelimit.decorators import ratelimit
        return ratelimit(key="header:x-client", rate=f"{ALLOWED}/{WINDOW}s")
    django(decorate, port)


def smart_ratelimit(port, **options):
    def decorate():
        from django_smart_ratelimit import rate_limit
        return rate_limit(key=lambda request, *_: client(request.headers), rate=f"{ALLOWED}/{2 * WINDOW}s", **options)
    django(decorate, port)


def ratelatch(port):
    def decorate():
        from django_ratelatch.integrations.decorator import rate_limit
        return rate_limit()
    django(decorate, port, RATE_LIMITER={
        "ALGORITHM": "fixed_window", "LIMIT": ALLOWED, "WINDOW_SECONDS": WINDOW, "BACKEND": "memory",
        "KEY_FUNCTION": f"{__name__}.client_of_request"})


def client_of_request(request):
    return client(request.headers)


def drf(port):
    served = configured_django()
    from rest_framework.response import Response
    from rest_framework.throttling import SimpleRateThrottle
    from rest_framework.views import APIView

    def throttle(allowed, seconds):
        return type(f"Throttle{seconds}", (SimpleRateThrottle,), {
            "rate": f"{allowed}/{seconds}", "parse_rate": lambda self, rate: (allowed, seconds),
            "get_cache_key": lambda self, request, view: f"{seconds} {client(request.headers)} {request.path}"})

    def view(get, *throttles):
        return type("Endpoint", (APIView,), {"throttle_classes": throttles, "get": get}).as_view()
    on_waitress(served({
        "limited": view(lambda self, request: Response(run()), throttle(ALLOWED, WINDOW)),
        "limited/busy": view(lambda self, request: Response(status=503, headers=BUSY), throttle(ALLOWED, WINDOW)),
        "twice": view(lambda self, request: Response(run()), throttle(ALLOWED, 2), throttle(20, 86_400))}), port)


def ninja(port):
    served = configured_django()
    from django.http import HttpResponse
    from ninja import NinjaAPI
    from ninja.throttling import SimpleRateThrottle

    class Throttle(SimpleRateThrottle):
        def get_cache_key(self, request):
            return f"{self.rate} {client(request.headers)} {request.path}"
    api = NinjaAPI()
    limit = Throttle(f"{ALLOWED}/{WINDOW}s")
    api.get("/limited", throttle=limit)(lambda request: run())
    api.get("/limited/busy", throttle=limit)(lambda request: HttpResponse(status=503, headers=BUSY))
    api.get("/twice", throttle=[Throttle(f"{ALLOWED}/2s"), Throttle("20/d")])(lambda request: run())
    on_waitress(served({"": api.urls}), port)


SERVICES = {
    "slowapi": slowapi,
    "slowapi, `headers_enabled`": lambda port: slowapi(port, headers=True),
    "Flask-Limiter": flask_limiter,
    "Flask-Limiter, `headers_enabled`": lambda port: flask_limiter(port, headers=True),
    "flask-limit": flask_limit,
    "DRF": drf,
    "django-ninja": ninja,
    "django-ratelatch": ratelatch,
    "django-ratelimit": django_ratelimit,
    "django-smart-ratelimit": smart_ratelimit,
    "django-smart-ratelimit, token bucket": lambda port: smart_ratelimit(port, algorithm="token_bucket"),
    "fastapi-limiter": fastapi_limiter,
    "fastapi-throttle": fastapi_throttle,
    "throttled-py": throttled,
    "asgi-ratelimit": asgi_ratelimit,
    "Litestar": litestar,
    "quart-rate-limiter": quart,
    "aiohttp-ratelimiter": aiohttp,
    "falcon-limiter": falcon_limiter,
    "falcon-rate-limiter": falcon_rate_limiter,
}
WINDOWS = {"django-smart-ratelimit": 2 * WINDOW, "django-smart-ratelimit, token bucket": 2 * WINDOW, "asgi-ratelimit": 1, "Litestar": 1,
           "falcon-rate-limiter": 1}
# The services with `GET /twice`, which has two limits: three requests in two seconds, and twenty in a day.
TWICE = ["slowapi", "Flask-Limiter", "DRF", "django-ninja"]

# MARK: The trials

KINDS = {"text/plain": "text", "text/html": "html", "application/json": "json"}


class Response:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body, self.at = status, headers, body, time.time()

    @property
    def kind(self):
        media = (self.headers.get("Content-Type") or "").split(";")[0]
        if not self.body:
            return "empty"
        return "text marked as html" if media == "text/html" and not self.body.lstrip().startswith(b"<") else KINDS.get(media, media)

    @property
    def says(self):
        """The fields that a client can use, as a cell of a table."""
        found = collections.Counter(f"`{canonical(name)}`" + unit(name, value)
                                    for name, value in sorted(self.headers.items(), key=order) if order((name, value))[0] < 9)
        return ", ".join(text + (" twice" if times > 1 else "") for text, times in found.items()) or "nothing"

    def pause(self, field):
        """How long the client is asked to wait by a field; None if the response does not have it."""
        value = next((value for name, value in self.headers.items() if order((name, value))[1].endswith(field.lower())), None)
        if value is None:
            return None
        return max(0, float(value) - self.at) if float(value) > 1e6 else float(value)


def canonical(name):
    return "-".join(part.capitalize() for part in name.split("-")).replace("Ratelimit", "RateLimit")


def order(field):
    name = field[0].lower()
    if name == "retry-after":
        return 0, name
    return (1 if name.endswith("ratelimit-reset") else 2 if name.endswith("ratelimit-remaining") else 9), name


def unit(name, value):
    if not name.lower().endswith(("retry-after", "-reset")):
        return ""
    if not re.fullmatch(r"[0-9.]+", value):
        return " (a date)"
    return " (seconds)" if float(value) < 1e6 else " (epoch with a fraction)" if "." in value else " (epoch)"


def ask(port, path="/limited", name="everyone"):
    connection = http.client.HTTPConnection(HOST, port, timeout=20)
    try:
        connection.request("GET", path, headers={"X-Client": name})
        response = connection.getresponse()
        return Response(response.status, response.headers, response.read())
    finally:
        connection.close()


def used_up(port, name):
    """Sends requests until one is refused. Returns the last success and the refusal."""
    last = None
    for _ in range(4 * ALLOWED):
        response = ask(port, name=name)
        if response.status >= 400:
            return last, response
        last = response
    raise RuntimeError(f"nothing was refused: {last.status} {last.headers.items()}")


def begin(offset):
    """Waits for a second in which no window of the clock ends soon: the fourth of twelve."""
    now = time.time()
    time.sleep((2 * WINDOW // 4 + offset - now) % (2 * WINDOW))


def waited(port, name, offset, field):
    """Waits as long as a refusal asks, up to twice. Returns after which wait the service served, or why it did not."""
    begin(offset)
    _, response = used_up(port, name)
    for wait in ("yes", "only the second time"):
        pause = response.pause(field)
        if pause is None:
            return "no, and then it says nothing"
        time.sleep(max(0, response.at + pause - time.time()))
        response = ask(port, name=name)
        if response.status < 400:
            return wait
    return "no"


def half_waited(port, name, field):
    """Whether the service serves after half of what a refusal asks for."""
    begin(0.2)
    _, response = used_up(port, name)
    time.sleep(response.pause(field) / 2)
    return ask(port, name=name).status < 400


def asking(port, name, window):
    """How many requests are served to a client that asks all the time, after the first window."""
    used_up(port, name)
    pause, until, served = max(window / 8, 0.2), time.time() + 3 * window, 0
    while time.time() < until:
        time.sleep(pause)
        served += ask(port, name=name).status < 400
    return served


def flooded(port, name, offset, field):
    """How many of ten requests at once are served after the wait."""
    begin(offset)
    _, response = used_up(port, name)
    time.sleep(response.pause(field) + 0.05)
    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        return sum(response.status < 400 for response in pool.map(lambda _: ask(port, name=name), range(10)))


def costly(port):
    """What forty requests at once to two limits cost: how many are served, and the response after the shorter limit."""
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        served = sum(response.status < 400 for response in pool.map(lambda _: ask(port, "/twice", "costly"), range(40)))
    time.sleep(2.5)
    response = ask(port, "/twice", "costly")
    is_day = (response.pause("Retry-After") or 0) > 86_000
    return [f"{served} served", f"{response.status}" + (", `Retry-After` of a day" if is_day else "")]


def measured(name, port):
    """The cells of a row."""
    window = WINDOWS.get(name, WINDOW)
    begin(0.2)
    success, refusal = used_up(port, "first")
    row = [name, f"{refusal.status} {refusal.kind}", refusal.says, success.says]
    shared = ask(port, name="second").status >= 400
    fields = [field for field in ("Retry-After", "Reset") if refusal.pause(field) is not None]
    if shared:
        time.sleep(2 * window)
    with concurrent.futures.ThreadPoolExecutor(24) as pool:
        asked = pool.submit(asking, port, "asking", window)
        waits = {field: [pool.submit(waited, port, f"{field} {offset}", offset, field) for offset in (0.1, 0.3, 0.5, 0.7)]
                 for field in fields}
        halves = {field: pool.submit(half_waited, port, f"half {field}", field) for field in fields if refusal.pause(field) >= 2}
        floods = [pool.submit(flooded, port, f"flood {offset}", offset, fields[0]) for offset in (0.1, 0.35, 0.6) if fields]
        cells = []
        for field in fields:
            results = sorted({wait.result() for wait in waits[field]})
            text = results[0] if len(results) == 1 else "sometimes"
            if field in halves and halves[field].result():
                text += ", and half of it is enough"
            cells.append(f"`{field}`: {text}" if len(fields) > 1 else text)
        row.append("; ".join(dict.fromkeys(cells)) or "–")
        most = max((flood.result() for flood in floods), default=0)
        row.append(f"{most} of 10" if fields and "yes" in cells[0] else "–")
        row.append("served" if asked.result() else "never served")
    if shared:
        time.sleep(2 * window)
    busy = ask(port, "/limited/busy", "busy")
    row.append("as sent" if busy.headers["Retry-After"] == BUSY["Retry-After"] else "that of the limit")
    if shared:
        row[1] += ", one limit for all clients"
    return row


HEADS = {
    "limits": ["library", "refusal", "a refusal says", "a success says", "served after that wait", "ten requests after it",
               "a client that asks all the time", "`Retry-After` of the handler's 503"],
    "costs": ["library", "40 requests at once", "2.5 seconds later"],
}


def table(name, rows):
    print(f"<!-- table: {name} -->")
    for row in [HEADS[name], ["---"] * len(HEADS[name]), *rows]:
        print("| " + " | ".join(row) + " |")
    print("<!-- end -->")


# MARK: The processes

def free_port():
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def started(name, work):
    """Runs a service, and gives its port."""
    port, log = free_port(), os.path.join(work, re.sub("[^a-z]+", "-", name.lower()) + ".log")
    with open(log, "wb") as output:
        process = subprocess.Popen([sys.executable, os.path.abspath(__file__), "serve", name, str(port)],
                                   stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        until = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < until:
            with contextlib.suppress(OSError):
                if ask(port, "/counts").status == 200:
                    break
            time.sleep(0.1)
        else:
            with open(log, errors="replace") as text:
                raise RuntimeError(f"{name} does not respond:\n{text.read()[-3000:]}")
        yield port
    finally:
        process.terminate()
        process.wait()


def row_of(name, work):
    with started(name, work) as port:
        return measured(name, port), costly(port) if name in TWICE else None


def hold():
    with tempfile.TemporaryDirectory() as work, contextlib.ExitStack() as stack, concurrent.futures.ThreadPoolExecutor(4) as pool:
        ports = pool.map(lambda name: (name, stack.enter_context(started(name, work))), SERVICES)
        print(json.dumps(dict(ports)), flush=True)
        sys.stdin.read()


def main(names):
    # A library at a time waits for most of its trials, so several run at once.
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(int(os.environ.get("AT_ONCE", 10))) as pool:
        rows = list(pool.map(lambda name: row_of(name, work), names))
    table("limits", [row for row, _ in rows])
    table("costs", [[name, *cost] for name, (_, cost) in zip(names, rows) if cost])


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if sys.argv[1:2] == ["serve"]:
        SERVICES[sys.argv[2]](int(sys.argv[3]))
    elif sys.argv[1:] == ["hold"]:
        hold()
    else:
        main(sys.argv[1:] or list(SERVICES))
