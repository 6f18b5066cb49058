"""What libraries for problem details say of a failure.

    python problem_bodies.py                    runs services with each library on loopback and prints the measured tables
    python problem_bodies.py raw                prints the responses instead
    python problem_bodies.py serve NAME PORT    runs the services of one framework

The paths of a library, below its name: `POST orders` takes an order. `GET taken` raises what the framework has for a 409 with the text
`taken`, and `GET object` the same with an object in place of the text. `GET stock` raises the library's own kind of failure. `GET busy`
raises a failure with `Retry-After: 2`, and `GET raises` an exception that no handler knows. `GET /` says that the service runs.
"""
import asyncio
import concurrent.futures
import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

HOST = "127.0.0.1"
SECRET = "password of the database"
TAKEN, OBJECT, WAIT = "taken", {"reason": "taken"}, {"Retry-After": "2"}
TITLE, DETAIL, LEFT = "Out of stock", "Only three are left.", 3

# MARK: What the services have in common


def on_uvicorn(applications, port):
    import uvicorn

    async def routed(scope, receive, send):
        if scope["path"] == "/":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            return await send({"type": "http.response.body", "body": b""})
        # An exception is raised again after its response.
        with contextlib.suppress(RuntimeError):
            await applications[scope["path"].split("/")[1]](scope, receive, send)
    uvicorn.run(routed, host=HOST, port=port, log_level="critical", lifespan="off")


# MARK: The services

def asgi(port):
    from fastapi import FastAPI
    from pydantic import BaseModel
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.routing import Route
    applications = {}

    class Line(BaseModel):
        product: str
        quantity: int

    class Order(BaseModel):
        name: str
        lines: list[Line]

    def handlers(out_of_stock):
        async def taken(request):
            raise HTTPException(409, TAKEN)

        async def object(request):
            raise HTTPException(409, OBJECT)

        async def stock(request):
            raise out_of_stock()

        async def busy(request):
            raise HTTPException(503, "busy", WAIT)

        async def raises(request):
            raise RuntimeError(SECRET)
        return [taken, object, stock, busy, raises]

    def fastapi(name, install, out_of_stock):
        app = FastAPI()
        for handler in handlers(out_of_stock):
            app.add_route(f"/{name}/{handler.__name__}", handler)

        @app.post(f"/{name}/orders")
        async def order(order: Order):
            return {}
        install(app)
        applications[name] = app

    from fastapi_problem.error import ConflictProblem
    from fastapi_problem.handler import add_exception_handler, new_exception_handler

    class OutOfStock(ConflictProblem):
        title = TITLE
    fastapi("fastapi-problem", lambda app: add_exception_handler(app, new_exception_handler()),
            lambda: OutOfStock(detail=DETAIL, left=LEFT))

    import fastapi_problem_details
    fastapi("fastapi-problem-details", fastapi_problem_details.init_app,
            lambda: fastapi_problem_details.ProblemException(409, TITLE, DETAIL, left=LEFT))

    from fastapi_rfc9457 import Problem
    from fastapi_rfc9457.server import add_problem_handlers

    class OutOfStockProblem(Problem):
        title, status = TITLE, 409
        left: int
    fastapi("fastapi-rfc9457", add_problem_handlers, lambda: OutOfStockProblem(detail=DETAIL, left=LEFT))

    import starlette_problem.error
    import starlette_problem.handler

    class OutOfStockError(starlette_problem.error.ConflictProblem):
        title = TITLE
    applications["starlette-problem"] = Starlette(routes=[
        Route(f"/starlette-problem/{handler.__name__}", handler)
        for handler in handlers(lambda: OutOfStockError(detail=DETAIL, left=LEFT))])
    starlette_problem.handler.add_exception_handler(applications["starlette-problem"])

    from litestar import Litestar, get, post
    from litestar.exceptions import HTTPException as LitestarException
    from litestar.plugins.problem_details import ProblemDetailsConfig, ProblemDetailsException, ProblemDetailsPlugin

    def litestar(path, fail):
        @get(f"/litestar/{path}", sync_to_thread=False)
        def handler() -> None:
            raise fail()
        return handler

    @post("/litestar/orders", sync_to_thread=False)
    def order(data: Order) -> None:
        return None
    applications["litestar"] = Litestar([
        order, litestar("taken", lambda: LitestarException(status_code=409, detail=TAKEN)),
        litestar("object", lambda: LitestarException(status_code=409, detail=OBJECT)),
        litestar("stock", lambda: ProblemDetailsException(status_code=409, title=TITLE, detail=DETAIL, extra={"left": LEFT})),
        litestar("busy", lambda: LitestarException(status_code=503, detail="busy", headers=WAIT)),
        litestar("raises", lambda: RuntimeError(SECRET))],
        plugins=[ProblemDetailsPlugin(ProblemDetailsConfig(enable_for_all_http_exceptions=True))])

    import connexion
    app = connexion.AsyncApp("orders")

    def operation(name):
        return {"operationId": name, "responses": {"200": {"description": "Done"}}}
    number, text = {"type": "integer"}, {"type": "string"}
    line = {"type": "object", "required": ["product", "quantity"], "properties": {"product": text, "quantity": number}}
    schema = {"type": "object", "required": ["name", "lines"], "properties": {"name": text, "lines": {"type": "array", "items": line}}}
    made = {handler.__name__: handler for handler in handlers(
        lambda: connexion.exceptions.ProblemException(status=409, title=TITLE, detail=DETAIL, ext={"left": LEFT}))}

    def call(handler):
        async def run():
            return await handler(None)
        return run
    calls = {name: call(handler) for name, handler in made.items()}
    app.add_api({
        "openapi": "3.0.3", "info": {"title": "Orders", "version": "1"}, "servers": [{"url": "/connexion"}],
        "paths": {
            "/orders": {"post": {**operation("order"), "requestBody": {"content": {"application/json": {"schema": schema}}}}},
            **{f"/{name}": {"get": operation(name)} for name in calls}}},
        resolver=connexion.Resolver(lambda name: calls.get(name, lambda body: {})))
    applications["connexion"] = app
    on_uvicorn(applications, port)


def django(port):
    import django
    import waitress
    from django.conf import settings
    settings.configure(
        DEBUG=False, SECRET_KEY="problems", ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, USE_TZ=True, LOGGING_CONFIG=None,
        INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework", "drf_standardized_errors", "drf_problems"],
        REST_FRAMEWORK={"DEFAULT_AUTHENTICATION_CLASSES": [], "UNAUTHENTICATED_USER": None})
    django.setup()
    import django_ninja_problems
    import drf_canon.errors
    import drf_problems.exceptions
    import drf_problems.utils
    import drf_standardized_errors.handler
    from django.core.wsgi import get_wsgi_application
    from django.http import HttpResponse
    from django.urls import include, path
    from ninja import NinjaAPI, Schema
    from ninja.errors import HttpError, Throttled as NinjaThrottled
    from rest_framework.exceptions import APIException, Throttled
    from rest_framework.response import Response
    from rest_framework.serializers import CharField, IntegerField, Serializer
    from rest_framework.views import APIView
    global urlpatterns
    urlpatterns = [path("", lambda request: HttpResponse()), path("", include("drf_problems.urls"))]

    class LineSerializer(Serializer):
        product, quantity = CharField(), IntegerField()

    class OrderSerializer(Serializer):
        name, lines = CharField(), LineSerializer(many=True)

    class Conflict(APIException):
        status_code = 409

    class OutOfStock(APIException):
        status_code, default_code, default_detail, title = 409, "out_of_stock", DETAIL, TITLE

    def view(method, run, handle):
        return type("Endpoint", (APIView,), {
            method: lambda self, request: run(request), "get_exception_handler": lambda self: handle}).as_view()

    def failing(error):
        def run(request):
            raise error()
        return run

    def order(request):
        OrderSerializer(data=request.data).is_valid(raise_exception=True)
        return Response({})

    def rest(name, handle, out_of_stock):
        failures = {"taken": lambda: Conflict(TAKEN), "object": lambda: Conflict(OBJECT), "stock": out_of_stock,
                    "busy": lambda: Throttled(wait=2), "raises": lambda: RuntimeError(SECRET)}
        urlpatterns.extend(path(f"{name}/{last}", view("get", failing(error), handle)) for last, error in failures.items())
        urlpatterns.append(path(f"{name}/orders", view("post", order, handle)))
    rest("drf-standardized-errors", drf_standardized_errors.handler.exception_handler, OutOfStock)
    rest("drf-problems", drf_problems.exceptions.exception_handler, drf_problems.utils.register(OutOfStock))
    kind = drf_canon.errors.Problem("out-of-stock", TITLE, 409)
    rest("drf-canon", drf_canon.errors.exception_handler, lambda: drf_canon.errors.ProblemError(kind, DETAIL))

    class Line(Schema):
        product: str
        quantity: int

    class Order(Schema):
        name: str
        lines: list[Line]
    api = NinjaAPI(docs_url=None)
    django_ninja_problems.register_problem_handlers(api)
    for last, error in {
            "taken": lambda: HttpError(409, TAKEN), "object": lambda: HttpError(409, OBJECT), "busy": lambda: NinjaThrottled(wait=2),
            "stock": lambda: django_ninja_problems.ConflictProblem(DETAIL, left=LEFT), "raises": lambda: RuntimeError(SECRET)}.items():
        api.get(f"/{last}")(failing(error))

    @api.post("/orders")
    def ninja_order(request, order: Order):
        return {}
    urlpatterns.append(path("django-ninja-problems/", api.urls))
    waitress.serve(get_wsgi_application(), host=HOST, port=port, threads=4)


def flask(port):
    import waitress
    from flask_openapi3 import Info, OpenAPI
    from flask_problem_details import ProblemDetails, ProblemDetailsError, configure_app
    from pydantic import BaseModel
    from werkzeug.exceptions import Conflict, ServiceUnavailable

    class Line(BaseModel):
        product: str
        quantity: int

    class Order(BaseModel):
        name: str
        lines: list[Line]
    app = configure_app(lambda settings: OpenAPI("orders", info=Info(title="Orders", version="1"), doc_ui=False, **settings))
    app.add_url_rule("/", "root", lambda: "")

    def failing(error):
        def run():
            raise error()
        return run
    for last, error in {
            "taken": lambda: Conflict(TAKEN), "object": lambda: Conflict(OBJECT), "busy": lambda: ServiceUnavailable(retry_after=2),
            "stock": lambda: ProblemDetailsError(ProblemDetails(status=409, title=TITLE, detail=DETAIL, left=LEFT)),
            "raises": lambda: RuntimeError(SECRET)}.items():
        app.add_url_rule(f"/flask-problem-details/{last}", last, failing(error))

    @app.post("/flask-problem-details/orders")
    def order(body: Order):
        return {}
    waitress.serve(app, host=HOST, port=port, threads=4)


def tornado(port):
    import logging
    import problemdetails
    from tornado.web import Application, HTTPError, RequestHandler
    logging.disable()

    class Root(RequestHandler):
        def get(self):
            self.finish()

    def failing(error):
        def get(self):
            self.set_header("Retry-After", "2")
            raise error()
        return type("Failing", (problemdetails.ErrorWriter, RequestHandler), {"get": get})

    failures = {
        "taken": lambda: HTTPError(409, reason=TAKEN), "busy": lambda: HTTPError(503), "raises": lambda: RuntimeError(SECRET),
        "stock": lambda: problemdetails.Problem(409, title=TITLE, detail=DETAIL, left=LEFT)}

    async def serve():
        Application([("/", Root)] + [(f"/tornado-problem-details/{last}", failing(error)) for last, error in failures.items()]).listen(
            port, HOST)
        await asyncio.Event().wait()
    asyncio.run(serve())


SERVICES = {"asgi": asgi, "django": django, "flask": flask, "tornado": tornado}
# The libraries: the service, the name in its paths, and what they do not have.
LIBRARIES = {
    "fastapi-problem": ("asgi", "fastapi-problem", ()),
    "fastapi-problem-details": ("asgi", "fastapi-problem-details", ()),
    "fastapi-rfc9457": ("asgi", "fastapi-rfc9457", ()),
    "starlette-problem": ("asgi", "starlette-problem", ("orders",)),
    "Litestar, `ProblemDetailsPlugin`": ("asgi", "litestar", ()),
    "connexion": ("asgi", "connexion", ()),
    "drf-standardized-errors": ("django", "drf-standardized-errors", ()),
    "drf-problems": ("django", "drf-problems", ()),
    "drf-canon": ("django", "drf-canon", ()),
    "django-ninja-problems": ("django", "django-ninja-problems", ()),
    "flask-problem-details": ("flask", "flask-problem-details", ()),
    "tornado-problem-details": ("tornado", "tornado-problem-details", ("orders", "object")),
}

# MARK: The trials

# An order whose second line has no number.
WRONG = {"name": "Ada", "lines": [{"product": "tea", "quantity": 1}, {"product": "milk", "quantity": "many"}]}
MEMBERS = ["type", "title", "status", "detail"]
KINDS = {"application/problem+json": "problem", "application/json": "json", "text/html": "html", "text/plain": "text"}


class Response:
    def __init__(self, status, headers, content):
        self.status, self.headers, self.content = status, headers, content
        media = (headers.get("Content-Type") or "").split(";")[0]
        is_page = content.lstrip().startswith(b"<")
        self.kind = "empty" if not content else "text marked as html" if media == "text/html" and not is_page else KINDS.get(media, media)
        self.body = json.loads(content) if "json" in media and content else {}

    def __str__(self):
        return f"{self.status} {self.kind}"

    def value(self, name):
        """A member, as a cell of a table."""
        if name not in self.body:
            return "–"
        value = self.body[name]
        return f"`{re.sub(HOST + ':[0-9]+', 'HOST', value)}`" if isinstance(value, str) else f"`{json.dumps(value)}`"


def ask(port, path, method="GET", body=None):
    connection = http.client.HTTPConnection(HOST, port, timeout=20)
    try:
        connection.request(method, path, body and json.dumps(body), {"Content-Type": "application/json"} if body else {})
        response = connection.getresponse()
        return Response(response.status, response.headers, response.read())
    finally:
        connection.close()


def places(value, word, path=""):
    """The places of a body where a word is a key or is said, with what is there."""
    if isinstance(value, dict):
        for key, inner in value.items():
            place = f"{path}.{key}".lstrip(".")
            if word == key:
                yield place, None
            yield from places(inner, word, place)
    elif isinstance(value, list) and word in value:
        yield path, json.dumps(value)
    elif isinstance(value, list):
        for inner in value:
            yield from places(inner, word, path + "[]")
    elif isinstance(value, str) and word in value:
        yield path, value


def responses(port, name, missing):
    found = {last: None if last in missing else ask(port, f"/{name}/{last}")
             for last in ("taken", "stock", "object", "busy", "raises", "nowhere")}
    found["order"] = None if "orders" in missing else ask(port, f"/{name}/orders", "POST", WRONG)
    found["method"] = ask(port, f"/{name}/taken", "DELETE")
    return found


def field(response):
    """Where the wrong field is named."""
    if response is None:
        return "–"
    place, text = next(places(response.body, "quantity"), (None, None))
    if place is None:
        return f"{response}, not named"
    if text is None:
        return f"{response}, `{place}`"
    is_sentence = " " in text and not text.startswith("[")
    return f"{response}, in the text of `{place}`" if is_sentence else f"{response}, `{place}`: `{text}`"


def told(response):
    """Where the object is that was raised in place of a text."""
    if response is None:
        return "–"
    if response.status != 409:
        return f"{response.status}"
    [word] = OBJECT.values()
    place, text = next(places(response.body, word), (None, None))
    return "lost" if place is None else f"`{place}`" if text == word else f"`{place}`, `{text}`"


def kept(response):
    return f"{response.status}, " + ("kept" if response.headers["Retry-After"] == "2" else "lost")


def raised(response):
    told = SECRET.encode() in response.content
    return f"{response}" + (", `type` " + response.value("type") if response.body else "") + (", **its text**" if told else "")


def measured(port, name, missing):
    found = responses(port, name, missing)
    taken, stock = found["taken"], found["stock"]
    return {
        "raised": [f"{taken}", *(taken.value(name) for name in MEMBERS), told(found["object"]), kept(found["busy"])],
        "own": [f"{stock}", *(stock.value(name) for name in MEMBERS), next(
            (f"`{place}`" for place, text in places(stock.body, "left") if text is None), "–"), field(found["order"])],
        "unknown": [f"{found['nowhere']}", f"{found['method']}", raised(found["raises"])],
    }


HEADS = {
    "raised": ["library", "a 409 of the framework", *(f"`{name}`" for name in MEMBERS), "an object as its text",
               "`Retry-After` of a refusal"],
    "own": ["library", "a 409 of the service", *(f"`{name}`" for name in MEMBERS), "its further member", "a wrong field"],
    "unknown": ["library", "unknown path", "wrong method", "exception"],
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
                if ask(port, "/").status == 200:
                    break
            time.sleep(0.1)
        else:
            with open(log, errors="replace") as text:
                raise RuntimeError(f"{name} does not respond:\n{text.read()[-3000:]}")
        yield port
    finally:
        process.terminate()
        process.wait()


def rows_of(framework, work, measure):
    with started(framework, work) as port:
        return {library: measure(port, name, missing) for library, (service, name, missing) in LIBRARIES.items() if service == framework}


def main(names, measure=measured):
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(int(os.environ.get("AT_ONCE", 2))) as pool:
        return {library: row for found in pool.map(lambda name: rows_of(name, work, measure), names) for library, row in found.items()}


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if sys.argv[1:2] == ["serve"]:
        SERVICES[sys.argv[2]](int(sys.argv[3]))
    elif sys.argv[1:2] == ["raw"]:
        for library, found in main(sys.argv[2:] or list(SERVICES), responses).items():
            print(library)
            for name, response in found.items():
                print(f"  {name}: {response} {response and response.content}")
    else:
        rows = main(sys.argv[1:] or list(SERVICES))
        for title in HEADS:
            table(title, [[library, *rows[library][title]] for library in LIBRARIES if library in rows])
