"""What libraries for server-sent events write, and how their streams end.

    python event_streams.py                    runs services with each library on loopback and prints the measured tables
    python event_streams.py raw                prints the responses instead
    python event_streams.py serve NAME PORT    runs the services of one framework

`GET /LIBRARY/CASE` is a stream. A case of `FORMS` is one event, and the end. In the others, the first event is the text `one`. `ends`
goes on with the text `two` after a pause. `at-once` and `after-pause` raise an exception after the first event, and `missing` raises the
framework's 404 before it. `silence` says nothing for a while. `GET /` says that the service runs.
"""
import asyncio
import concurrent.futures
import contextlib
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
PAUSE, SILENCE = 1, 24
REASON = "no more events"
OBJECT, LINES, SEPARATOR = {"a": 1}, "one\ntwo", "one\u2028two"
# One event: its kind, and what it says.
FORMS = {"text": ("text", "one"), "object": ("object", OBJECT), "lines": ("text", LINES), "separator": ("text", SEPARATOR),
         "separator-object": ("object", {"a": SEPARATOR}), "nothing": ("nothing", "note"), "comment": ("comment", "note")}

# MARK: What the services have in common


async def events(case, make, missing):
    """The events of a case, each made by a function of the library."""
    if case == "missing":
        raise missing
    yield make(*FORMS.get(case, ("text", "one")))
    if case in ("ends", "after-pause"):
        await asyncio.sleep(PAUSE)
    if case == "ends":
        yield make("text", "two")
    if case in ("at-once", "after-pause"):
        raise RuntimeError(REASON)
    if case == "silence":
        await asyncio.sleep(SILENCE + 1)


def ordinary_events(case, make, missing):
    """The same for a library whose generators are not asynchronous."""
    if case == "missing":
        raise missing
    yield make(*FORMS.get(case, ("text", "one")))
    if case in ("ends", "after-pause"):
        time.sleep(PAUSE)
    if case == "ends":
        yield make("text", "two")
    if case in ("at-once", "after-pause"):
        raise RuntimeError(REASON)
    if case == "silence":
        time.sleep(SILENCE + 1)


def on_uvicorn(applications, port):
    import uvicorn

    async def routed(scope, receive, send):
        if scope["path"] == "/":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            return await send({"type": "http.response.body", "body": b""})
        await applications.get(scope["path"].split("/")[1], applications.get(""))(scope, receive, send)
    uvicorn.run(routed, host=HOST, port=port, log_level="critical", lifespan="off")


# MARK: The services

def asgi(port):
    from fastapi import FastAPI
    from fastapi.sse import EventSourceResponse, ServerSentEvent
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.routing import Route
    from pydantic import BaseModel
    missing = HTTPException(404)
    applications = {}

    import sse_starlette

    def make_dictionary(kind, value):
        return {"text": {"data": value}, "object": {"data": value}, "nothing": {"event": value}, "comment": {"comment": value}}[kind]

    async def stream(request):
        return sse_starlette.EventSourceResponse(events(request.path_params["case"], make_dictionary, missing))
    applications["sse-starlette"] = Starlette(routes=[Route("/sse-starlette/{case}", stream)])

    def make_event(kind, value):
        return ServerSentEvent(**{"text": {"data": value}, "object": {"data": value}, "nothing": {"event": value},
                                  "comment": {"comment": value}}[kind])
    applications["fastapi"] = FastAPI()

    @applications["fastapi"].get("/fastapi/{case}", response_class=EventSourceResponse)
    async def fastapi_stream(case: str):
        async for event in events(case, make_event, missing):
            yield event

    import fastapi_sse

    class Element(BaseModel):
        a: int | str

    def make_element(kind, value):
        return Element(a=value["a"] if kind == "object" else value)
    applications["fastapi-sse"] = applications["fastapi-sse-handler"] = FastAPI()

    @applications["fastapi-sse"].get("/fastapi-sse-handler/{case}")
    @fastapi_sse.sse_handler()
    async def handled_stream(case: str):
        async for event in events(case, make_element, missing):
            yield event

    @applications["fastapi-sse"].get("/fastapi-sse/{case}")
    async def typed_stream(case: str):
        return fastapi_sse.sse_response(events(case, make_element, missing))

    from litestar import Litestar, get
    from litestar.exceptions import NotFoundException
    from litestar.response import ServerSentEvent as Stream, ServerSentEventMessage

    def make_message(kind, value):
        # Of a dictionary without `data`, the members are fields of an event.
        return {"text": value, "object": {"data": value}, "nothing": ServerSentEventMessage(event="note"),
                "comment": ServerSentEventMessage(comment="note")}[kind]

    @get("/litestar/{case:str}")
    async def litestar_stream(case: str) -> Stream:
        return Stream(events(case, make_message, NotFoundException()))
    applications["litestar"] = Litestar([litestar_stream])

    import falcon.asgi

    def make_falcon(kind, value):
        return falcon.asgi.SSEvent(**{"text": {"text": value}, "object": {"json": value}, "nothing": {"event": value},
                                      "comment": {"comment": value}}[kind])

    class Events:
        async def on_get(self, req, resp, case):
            resp.sse = events(case, make_falcon, falcon.HTTPNotFound())
    applications["falcon"] = falcon.asgi.App()
    applications["falcon"].add_route("/falcon/{case}", Events())
    on_uvicorn(applications, port)


def aiohttp(port):
    from aiohttp import web
    from aiohttp_sse import sse_response

    def make(kind, value):
        return {"text": {"data": value}, "object": {"data": json.dumps(value)}, "nothing": {"data": "", "event": value}}[kind]

    async def stream(request):
        async with sse_response(request) as response:
            async for event in events(request.match_info["case"], make, web.HTTPNotFound()):
                await response.send(**event)
        return response

    async def root(request):
        return web.Response()
    app = web.Application()
    app.add_routes([web.get("/", root), web.get("/aiohttp-sse/{case}", stream)])
    web.run_app(app, host=HOST, port=port, print=None)


def configured_django(work):
    """Sets Django up. Returns a function that makes the application of routes."""
    import django
    from django.conf import settings
    settings.configure(
        DEBUG=False, SECRET_KEY="events", ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, USE_TZ=True, LOGGING_CONFIG=None,
        INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework", "django_eventstream"],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(work, "db")}},
        EVENTSTREAM_STORAGE_CLASS="django_eventstream.storage.DjangoModelStorage",
        REST_FRAMEWORK={"DEFAULT_AUTHENTICATION_CLASSES": [], "UNAUTHENTICATED_USER": None})
    django.setup()

    def served(make_application, routes):
        from django.http import HttpResponse
        from django.urls import path
        global urlpatterns
        urlpatterns = [path("", lambda request: HttpResponse()), *(path(route, view) for route, view in routes.items())]
        return make_application()
    return served


def rest_view():
    """A view with drf-sse. Its events are texts."""
    from django.http import Http404
    from drf_sse import SSEMixin, SSEResponse
    from rest_framework.views import APIView

    class View(SSEMixin, APIView):
        def get(self, request, case):
            return SSEResponse(ordinary_events(case, lambda kind, value: value, Http404()))
    return View.as_view()


def django(port):
    with tempfile.TemporaryDirectory() as work:
        served = configured_django(work)
        import django_asse
        import django_eventstream
        import django_flosse
        from django.core.asgi import get_asgi_application
        from django.core.management import call_command
        from django.http import Http404
        call_command("migrate", verbosity=0)

        def make_flosse(kind, value):
            return {"text": value, "object": value, "nothing": {"event": value, "data": ""}}[kind]

        @django_flosse.sse_stream
        async def flosse(request, case):
            async for event in events(case, make_flosse, Http404()):
                yield event

        def make_asse(kind, value):
            return {"text": django_asse.Event, "object": django_asse.JsonEvent, "nothing": lambda event: django_asse.Event("", event)}[
                kind](value)

        class Asse(django_asse.SseStreamView):
            def stream(self, request, case):
                return events(case, make_asse, Http404())

        def send(case):
            """Sends the event of a case once a client listens. A channel has no end."""
            until = time.monotonic() + 10
            while case not in django_eventstream.views.get_listener_manager().listeners_by_channel and time.monotonic() < until:
                time.sleep(0.05)
            time.sleep(PAUSE / 2)
            kind, value = FORMS.get(case, ("text", "one"))
            django_eventstream.send_event(case, "note" if kind == "nothing" else "message", "" if kind == "nothing" else value,
                                          json_encode=kind != "nothing")

        def eventstream(request, case):
            if case == "known":
                for number in range(1, 4):
                    django_eventstream.send_event(case, "message", number)
            elif case in FORMS:
                threading.Thread(target=send, args=[case], daemon=True).start()
            return django_eventstream.views.events(request, channels=[case])
        on_uvicorn({"": served(get_asgi_application, {
            "django-flosse/<case>": flosse, "django-async-sse/<case>": Asse.as_view(), "django-eventstream/<case>": eventstream})}, port)


def django_ordinary(port):
    """A generator that is not asynchronous, under ASGI."""
    with tempfile.TemporaryDirectory() as work:
        from django.core.asgi import get_asgi_application
        on_uvicorn({"": configured_django(work)(get_asgi_application, {"drf-sse/<case>": rest_view()})}, port)


def django_wsgi(port):
    with tempfile.TemporaryDirectory() as work:
        served = configured_django(work)
        from django.core.wsgi import get_wsgi_application
        from werkzeug.serving import run_simple
        run_simple(HOST, port, served(get_wsgi_application, {"drf-sse/<case>": rest_view()}), threaded=True)


SERVICES = {"asgi": asgi, "aiohttp": aiohttp, "django": django, "django_wsgi": django_wsgi, "django_ordinary": django_ordinary}
# The libraries: the service, the name in its paths, and the cases that they do not have.
ONLY_OBJECTS = ("text", "lines", "separator", "nothing", "comment")
ENDLESS = ("ends", "at-once", "after-pause", "missing")
LIBRARIES = {
    "sse-starlette": ("asgi", "sse-starlette", ()),
    "FastAPI": ("asgi", "fastapi", ()),
    "fastapi-sse, `sse_handler`": ("asgi", "fastapi-sse-handler", ONLY_OBJECTS),
    "fastapi-sse, `sse_response`": ("asgi", "fastapi-sse", ONLY_OBJECTS),
    "Litestar": ("asgi", "litestar", ()),
    "Falcon": ("asgi", "falcon", ()),
    "aiohttp-sse": ("aiohttp", "aiohttp-sse", ("comment",)),
    "django-eventstream": ("django", "django-eventstream", ("comment", *ENDLESS)),
    "django-flosse": ("django", "django-flosse", ("comment",)),
    "django-async-sse": ("django", "django-async-sse", ("comment",)),
    "drf-sse": ("django_wsgi", "drf-sse", ("nothing", "comment")),
    "drf-sse under ASGI": ("django_ordinary", "drf-sse", ("nothing", "comment", "silence")),
}

# MARK: The trials


class Stream:
    """A response, read as it comes: to its end, or to its first event, for a while at most."""
    def __init__(self, port, path, seconds=15, is_endless=False, **headers):
        self.pieces, self.end, begin = [], "open", time.monotonic()
        with socket.create_connection((HOST, port), timeout=seconds) as connection:
            lines = [f"GET {path} HTTP/1.1", f"Host: {HOST}:{port}", "Accept: text/event-stream", "Connection: close",
                     *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
            connection.sendall("\r\n".join([*lines, "", ""]).encode())
            self.read(b"")
            with contextlib.suppress(TimeoutError):
                while time.monotonic() < begin + seconds and not (is_endless and self.events):
                    connection.settimeout(max(0.1, begin + seconds - time.monotonic()))
                    piece = connection.recv(65_536)
                    if not piece:
                        self.end = "complete" if self.is_whole else "cut"
                        break
                    self.pieces.append((time.monotonic() - begin, piece))
                    self.read(b"".join(piece for _, piece in self.pieces))

    def read(self, raw):
        head, _, rest = raw.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        self.status = int(first.split(" ")[1]) if first else None
        if fields.get("transfer-encoding") == "chunked":
            self.body, self.is_whole = dechunked(rest)
        else:
            self.body, self.is_whole = rest, len(rest) == int(fields.get("content-length", -1))

    @property
    def events(self):
        """The events that a client delivers by the standard: name, data."""
        found, name, data = [], "message", []
        for line in re.split("\r\n|\r|\n", self.body.decode(errors="ignore")):
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if not line:
                if data:
                    found.append((name, "\n".join(data)))
                name, data = "message", []
            elif field == "data":
                data.append(value)
            elif field == "event":
                name = value
        return [event for event in found if event[0] not in ("stream-open", "end")]

    def when(self, text):
        """After how many seconds a text came."""
        return next((at for at, piece in self.pieces if text in piece), None)

    def __str__(self):
        return f"{self.status}, {self.end}"


def dechunked(rest):
    """The content of chunks, and whether the last one is there."""
    content = b""
    while True:
        size, separator, rest = rest.partition(b"\r\n")
        if not separator:
            return content, False
        if not re.fullmatch(b"[0-9a-f]+", size, re.I):
            return content + size, False
        length = int(size, 16)
        if length == 0:
            return content, True
        content, rest = content + rest[:length], rest[length + 2:]


def said(stream, value):
    """How a text or an object came."""
    if stream is None:
        return "–"
    if not stream.events:
        return f"{stream}, nothing"
    data = stream.events[0][1]
    if data == value:
        return "as it is"
    if value == LINES and data == LINES.split("\n")[0]:
        return "the first line"
    with contextlib.suppress(ValueError):
        if json.loads(data) == value:
            return "JSON"
    return f"`{data}`"


def separated(text, object, plain):
    """How a text and an object with the character U+2028 came. `plain` is an object without it."""
    if (text or object).end == "cut":
        return "–"
    cells = ["kept" if text is None or said(text, SEPARATOR) in ("as it is", "JSON") else "becomes a line end"]
    if said(plain, OBJECT) == "JSON" != said(object, {"a": SEPARATOR}):
        cells.append("JSON is broken")
    return ", ".join(cells)


def blank(stream, word):
    """What comes of an event without data, or of a comment."""
    if stream is None:
        return "–"
    found = [data for _, data in stream.events]
    text = stream.body.decode()
    is_there = re.search(f": ?{word}", text) is not None
    return ("nothing" if not is_there else "no event" if not found else "an event with empty data" if found == [""] else f"{found}")


def heartbeats(stream):
    """What comes in a silence."""
    if stream is None:
        return "–"
    if stream.end != "open":
        return "–"
    for at, piece in stream.pieces:
        text = re.sub("\r\n|\r|\n", " ", re.sub(rb"^[0-9a-f]+\r\n", b"", piece).decode()).strip()
        if at > 5:
            return f"`{re.sub('[0-9]{4}-.*', '…', text)}` after {5 * round(at / 5)} s"
    return "nothing"


def ended(stream):
    if stream is None:
        return "–"
    if stream.status != 200:
        return f"{stream.status}"
    is_there = any("one" in data for _, data in stream.events)
    return f"{stream.end}" + ("" if is_there else ", the event is lost") + named(stream)


def named(stream):
    """What an event says of an error."""
    if not re.search(b"^event: error", stream.body, re.M):
        return ""
    text = next((data for name, data in stream.events if name == "error"), None)
    return ", `event: error` " + ("without data" if text is None else "with its text" if REASON in text else "with a text")


def missed(stream):
    if stream is None or stream.status != 200:
        return "–" if stream is None else f"{stream.status}"
    inner = re.search(rb"HTTP/1.1 \d+", stream.body)
    return f"200, `{inner[0].decode()}` in place of a chunk" if inner else f"200, {stream.end}" + named(stream)


def at_once(stream):
    if stream is None or not stream.events:
        return "–"
    first, second = stream.when(b"one"), stream.when(b"two")
    return "at once" if first is not None and second is not None and second - first > PAUSE / 2 else "at the end"


def continued(port, name):
    """What comes of a Last-Event-ID."""
    if name != "django-eventstream":
        case = "object"
        plain, with_id = Stream(port, f"/{name}/{case}"), Stream(port, f"/{name}/{case}", Last_Event_ID="1")
        return "not read" if plain.body == with_id.body else "read"
    cells = []
    for title, value in (("known", "known:1"), ("unknown", "known:99"), ("malformed", "99")):
        stream = Stream(port, f"/{name}/known", is_endless=True, Last_Event_ID=value)
        names = [event for event, _ in stream.events]
        id = re.search("^id: *(.*)$", stream.body.decode(), re.M)
        if names and set(names) == {"message"}:
            cells.append(f"{title}: continues")
        else:
            cells.append(f"{title}: {stream.status}, `{names[0] if names else 'nothing'}`")
            cells[-1] += f", id `{id[1]}`" if title == "malformed" and id else ""
    return "; ".join(cells)


CASES = ["silence", *FORMS, "ends", "at-once", "after-pause", "missing"]


def responses(port, name, without):
    is_endless = set(ENDLESS) <= set(without)
    # The database of a library whose channels have no end takes one event at a time. The silence lasts longest, and comes first.
    with concurrent.futures.ThreadPoolExecutor(2 if is_endless else 4) as pool:
        found = {case: pool.submit(Stream, port, f"/{name}/{case}", **({"seconds": SILENCE} if case == "silence" else {
            "is_endless": is_endless})) for case in CASES if case not in without}
        found = {case: found[case].result() if case in found else None for case in CASES}
    return {**found, "continued": continued(port, name)}


def measured(port, name, without):
    found = responses(port, name, without)
    body = (found["text"] or found["object"]).body
    return {
        "events": ["CRLF" if b"\r\n\r\n" in body else "LF" if body else "–", said(found["text"], "one"),
                   said(found["object"], OBJECT), said(found["lines"], LINES),
                   separated(found["separator"], found["separator-object"], found["object"]),
                   blank(found["nothing"], "note"), blank(found["comment"], "note"), heartbeats(found["silence"])],
        "ends": [at_once(found["ends"]), ended(found["ends"]), missed(found["missing"]), ended(found["at-once"]),
                 ended(found["after-pause"]), found["continued"]],
    }


HEADS = {
    "events": ["library", "lines end with", "a text", "an object", "a text of two lines", "U+2028 in a text", "an event without data",
               "a comment", "a silence of 24 seconds"],
    "ends": ["library", "an event comes", "end", "a 404 before the first event", "exception right after an event",
             "exception after a pause", "`Last-Event-ID`"],
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
def started(name, work, number=1):
    """Runs the services of a framework. Gives their port."""
    port, log = free_port(), os.path.join(work, f"{name}.log")
    with open(log, "wb") as output:
        process = subprocess.Popen([sys.executable, os.path.abspath(__file__), "serve", name, str(port)],
                                   stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        until = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < until:
            with contextlib.suppress(OSError):
                if Stream(port, "/").status == 200:
                    break
            time.sleep(0.1)
        else:
            with open(log, errors="replace") as text:
                raise RuntimeError(f"{name} does not respond:\n{text.read()[-3000:]}")
        yield port
    finally:
        # A stream may be open still.
        process.kill()
        process.wait()


def rows_of(framework, work, measure):
    named = {library: (name, without) for library, (service, name, without) in LIBRARIES.items() if service == framework}
    with started(framework, work) as port, concurrent.futures.ThreadPoolExecutor(len(named)) as pool:
        found = {library: pool.submit(measure, port, *rest) for library, rest in named.items()}
        return {library: row.result() for library, row in found.items()}


def main(names, measure=measured):
    # The services wait for most of the time.
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(len(SERVICES)) as pool:
        return {library: row for found in pool.map(lambda name: rows_of(name, work, measure), names) for library, row in found.items()}


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if sys.argv[1:2] == ["serve"]:
        SERVICES[sys.argv[2]](int(sys.argv[3]))
    elif sys.argv[1:2] == ["raw"]:
        for library, found in main(sys.argv[2:] or list(SERVICES), responses).items():
            print(library)
            for case, stream in found.items():
                print(f"  {case}: {stream} {getattr(stream, 'body', '')!r}")
    else:
        rows = main(sys.argv[1:] or list(SERVICES))
        for title in HEADS:
            table(title, [[library, *rows[library][title]] for library in LIBRARIES if library in rows])
