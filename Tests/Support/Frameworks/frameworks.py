"""What web frameworks answer when the author of a service wrote nothing.

    python frameworks.py                    runs each framework on loopback and prints the measured tables
    python frameworks.py serve NAME PORT    runs one of them

Each service has `POST /items` and `POST /slashed/` with the JSON of an Item, `GET /items/{id}` with an integer id, `GET /boom`, which
raises an exception, and `GET /nan`. Debug is off. Item is validated where the framework or its usual extension validates.
"""
import asyncio
import contextlib
import dataclasses
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

HOST = "127.0.0.1"
NAN = {"value": float("nan")}


@dataclasses.dataclass
class Item:
    name: str
    count: int


def fail(*_, **__):
    raise RuntimeError("boom")


def on_uvicorn(app, port):
    import uvicorn
    uvicorn.run(app, host=HOST, port=port, log_level="critical")


def on_waitress(app, port):
    import waitress
    waitress.serve(app, host=HOST, port=port)


# MARK: The services

def fastapi(port):
    from fastapi import FastAPI, HTTPException
    from pydantic import BaseModel
    app = FastAPI()

    class Body(BaseModel):
        name: str
        count: int

    @app.post("/items")
    @app.post("/slashed/")
    def add(body: Body) -> Body:
        return body

    @app.get("/items/{id}")
    def item(id: int) -> dict[str, int]:
        return {"id": id}

    @app.get("/nan")
    def nan() -> dict[str, float]:
        return NAN

    @app.get("/own")
    def own() -> dict[str, int]:
        raise HTTPException(422, "sold out")
    app.get("/boom")(lambda: fail())
    app.get("/nan-without-type")(lambda: NAN)
    on_uvicorn(app, port)


def starlette(port):
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    async def add(request):
        return JSONResponse(await request.json())
    on_uvicorn(Starlette(routes=[
        Route("/items", add, methods=["POST"]), Route("/slashed/", add, methods=["POST"]),
        Route("/items/{id:int}", lambda request: JSONResponse({"id": request.path_params["id"]})),
        Route("/boom", fail), Route("/nan", lambda _: JSONResponse(NAN))]), port)


def litestar(port):
    from litestar import Litestar, get, post

    @post(["/items", "/slashed/"], sync_to_thread=False)
    def add(data: Item) -> Item:
        return data

    @get("/items/{id:int}", sync_to_thread=False)
    def item(id: int) -> dict[str, int]:
        return {"id": id}

    @get("/boom", sync_to_thread=False)
    def boom() -> dict[str, int]:
        fail()

    @get("/nan", sync_to_thread=False)
    def nan() -> dict[str, float]:
        return NAN
    on_uvicorn(Litestar([add, item, boom, nan]), port)


def flask(port):
    from flask import Flask, jsonify, request
    app = Flask("service")
    app.add_url_rule("/items", "add", lambda: jsonify(request.get_json()), methods=["POST"])
    app.add_url_rule("/slashed/", "add", methods=["POST"])
    app.add_url_rule("/items/<int:id>", "item", lambda id: {"id": id})
    app.add_url_rule("/boom", "boom", fail)
    app.add_url_rule("/nan", "nan", lambda: NAN)
    on_waitress(app, port)


def quart(port):
    from hypercorn.asyncio import serve
    from hypercorn.config import Config
    from quart import Quart, request
    app = Quart("service")

    @app.post("/items")
    @app.post("/slashed/")
    async def add():
        # Without a Content-Type, get_json gives None. A plain handler goes on with it.
        return {"name": (await request.get_json())["name"]}
    app.add_url_rule("/items/<int:id>", "item", lambda id: {"id": id})
    app.add_url_rule("/boom", "boom", fail)
    app.add_url_rule("/nan", "nan", lambda: NAN)
    asyncio.run(serve(app, Config.from_mapping(bind=[f"{HOST}:{port}"], loglevel="CRITICAL")))


def configured_django():
    """Sets Django up without a database and without the check of forms (CSRF). Returns a function that serves routes."""
    import django
    from django.conf import settings
    settings.configure(
        DEBUG=False, SECRET_KEY="frameworks", ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, USE_TZ=True,
        MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
        INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework", "drf_spectacular"],
        REST_FRAMEWORK={"DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
                        "DEFAULT_AUTHENTICATION_CLASSES": [], "UNAUTHENTICATED_USER": None})
    django.setup()

    def served(views, port):
        global urlpatterns
        from django.core.wsgi import get_wsgi_application
        from django.urls import path
        urlpatterns = [path(route, view) for route, view in views.items()]
        on_waitress(get_wsgi_application(), port)
    return served


def django(port):
    served = configured_django()
    from django.http import JsonResponse
    from django.views import View

    def view(method, action):
        return type("Endpoint", (View,), {method: lambda self, request, **ids: JsonResponse(action(request, **ids))}).as_view()
    add = view("post", lambda request: json.loads(request.body))
    served({"items": add, "slashed/": add, "items/<int:id>": view("get", lambda request, id: {"id": id}),
            "boom": view("get", fail), "nan": view("get", lambda request: NAN)}, port)


def drf(port):
    served = configured_django()
    from drf_spectacular.views import SpectacularJSONAPIView
    from rest_framework import generics, serializers
    from rest_framework.response import Response

    class ItemSerializer(serializers.Serializer):
        name = serializers.CharField()
        count = serializers.IntegerField()

    class Add(generics.CreateAPIView):
        serializer_class = ItemSerializer

        def perform_create(self, serializer):
            pass

    def view(action):
        return type("Endpoint", (generics.GenericAPIView,), {
            "serializer_class": ItemSerializer, "get": lambda self, request, **ids: Response(action(**ids))}).as_view()
    served({"items": Add.as_view(), "slashed/": Add.as_view(), "items/<int:id>": view(lambda id: {"name": "one", "count": id}),
            "boom": view(fail), "nan": view(lambda: NAN), "openapi.json": SpectacularJSONAPIView.as_view()}, port)


def ninja(port):
    served = configured_django()
    from ninja import NinjaAPI, Schema
    api = NinjaAPI()

    class Body(Schema):
        name: str
        count: int

    @api.post("/slashed/", response=Body, operation_id="slashed")
    @api.post("/items", response=Body, operation_id="add")
    def add(request, body: Body):
        return body

    @api.get("/items/{id}", response=dict[str, int])
    def item(request, id: int):
        return {"id": id}
    api.get("/boom", response=dict[str, int], operation_id="boom")(lambda request: fail())
    api.get("/nan", response=dict[str, float], operation_id="nan")(lambda request: NAN)
    served({"": api.urls}, port)


def aiohttp(port):
    from aiohttp import web

    async def add(request):
        return web.json_response(await request.json())

    async def item(request):
        return web.json_response({"id": int(request.match_info["id"])})

    async def boom(request):
        fail()

    async def nan(request):
        return web.json_response(NAN)
    app = web.Application()
    app.add_routes([web.post("/items", add), web.post("/slashed/", add), web.get(r"/items/{id:\d+}", item), web.get("/boom", boom),
                    web.get("/nan", nan)])
    web.run_app(app, host=HOST, port=port, print=None)


def sanic(port):
    from sanic import Sanic
    from sanic.response import json as respond
    from sanic_ext import validate
    app = Sanic("service", configure_logging=False)

    @app.post("/items", name="add")
    @app.post("/slashed/", name="slashed")
    @validate(json=Item)
    async def add(request, body: Item):
        return respond({"name": body.name})

    @app.get("/items/<id:int>")
    async def item(request, id: int):
        return respond({"id": id})
    app.add_route(fail, "/boom", name="boom")
    app.add_route(lambda request: respond(NAN), "/nan", name="nan")
    app.run(HOST, port, single_process=True, motd=False, access_log=False)


def falcon(port):
    from falcon import App

    def resource(method, action):
        return type("Resource", (), {
            method: lambda self, request, response, **ids: setattr(response, "media", action(request, **ids))})()
    app, add = App(), resource("on_post", lambda request: request.get_media())
    for route, target in {"/items": add, "/slashed/": add, "/items/{id:int}": resource("on_get", lambda request, id: {"id": id}),
                          "/boom": resource("on_get", fail), "/nan": resource("on_get", lambda request: NAN)}.items():
        app.add_route(route, target)
    on_waitress(app, port)


def connexion(port):
    from connexion import FlaskApp, Resolver

    def add(body):
        return body
    actions = {"add": add, "slashed": add, "item": lambda id: {"id": id}, "boom": lambda: fail(), "nan": lambda: NAN}
    body = {"required": True, "content": {"application/json": {"schema": {
        "type": "object", "required": ["name", "count"], "properties": {"name": {"type": "string"}, "count": {"type": "integer"}}}}}}
    one = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}

    def operation(name, **more):
        done = {"200": {"description": "done", "content": {"application/json": {"schema": {"type": "object"}}}}}
        return {"operationId": name, "responses": done, **more}
    app = FlaskApp("service")
    app.add_api({"openapi": "3.0.0", "info": {"title": "service", "version": "1"}, "paths": {
        "/items": {"post": operation("add", requestBody=body)}, "/slashed/": {"post": operation("slashed", requestBody=body)},
        "/items/{id}": {"get": operation("item", parameters=[one])}, "/boom": {"get": operation("boom")},
        "/nan": {"get": operation("nan")}}}, resolver=Resolver(actions.get))
    on_uvicorn(app, port)


def tornado(port):
    from tornado import web

    def handler(method, action):
        return type("Handler", (web.RequestHandler,), {method: lambda self, *ids: self.write(action(self.request, *ids))})

    async def serve():
        add = handler("post", lambda request: json.loads(request.body))
        web.Application([("/items", add), ("/slashed/", add), (r"/items/(\d+)", handler("get", lambda request, id: {"id": int(id)})),
                         ("/boom", handler("get", fail)), ("/nan", handler("get", lambda request: NAN))]).listen(port, HOST)
        await asyncio.Event().wait()
    asyncio.run(serve())


SERVICES = {"FastAPI": fastapi, "Starlette": starlette, "Litestar": litestar, "Flask": flask, "Quart": quart, "Django": django,
            "DRF": drf, "Ninja": ninja, "aiohttp": aiohttp, "Sanic": sanic, "Falcon": falcon, "connexion": connexion, "Tornado": tornado}
VALIDATING = {"FastAPI", "Litestar", "DRF", "Ninja", "Sanic", "connexion"}
DOCUMENTS = {"FastAPI": "/openapi.json", "Litestar": "/schema/openapi.json", "DRF": "/openapi.json", "Ninja": "/openapi.json",
             "Sanic": "/docs/openapi.json"}

# MARK: The trials

JSON = {"Content-Type": "application/json"}
GOOD = b'{"name": "pen", "count": 1}'
# The trials whose status and kind are a column: method, path, body and headers. Two of one title share a cell.
TRIALS = [
    ("unknown route", "GET", "/nowhere", None, {}),
    ("unknown route", "POST", "/nowhere", GOOD, JSON),
    ("wrong method", "DELETE", "/items", None, {}),
    ("wrong method", "PUT", "/items", GOOD, JSON),
    ("malformed JSON", "POST", "/items", b'{"name": ', JSON),
    ("missing field", "POST", "/items", b'{"count": 1}', JSON),
    ("body without Content-Type", "POST", "/items", GOOD, {}),
    ("not UTF-8", "POST", "/items", b'{"name": "\xff\xfe", "count": 1}', JSON),
    ("id is no integer", "GET", "/items/pen", None, {}),
    ("exception", "GET", "/boom", None, {}),
    ("HEAD of a GET", "HEAD", "/items/1", None, {}),
    ("superfluous slash, POST", "POST", "/items/", GOOD, JSON),
    ("missing slash, POST", "POST", "/slashed", GOOD, JSON),
    ("NaN", "GET", "/nan", None, {}),
]
# The endpoints whose documents are compared, with their trials.
ENDPOINTS = [
    ("post", "/items", ["malformed JSON", "missing field", "body without Content-Type", "not UTF-8"]),
    ("get", "/items/{id}", ["id is no integer"]),
    ("get", "/boom", ["exception"]),
]
TITLES = list(dict.fromkeys(trial[0] for trial in TRIALS))


KINDS = {"text/plain": "text", "text/html": "html", "application/json": "json", "application/problem+json": "problem"}


@dataclasses.dataclass
class Response:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def kind(self):
        media = (self.headers.get("Content-Type") or "untyped").split(";")[0].strip()
        if not self.body:
            return "empty"
        if media == "text/html" and not self.body.lstrip().startswith(b"<"):
            return "text marked as html"
        return KINDS.get(media, media)


def ask(port, method, path, body=None, headers={}, accept="*/*"):
    connection = http.client.HTTPConnection(HOST, port, timeout=20)
    try:
        connection.request(method, path, body, {"Accept": accept, **headers})
        response = connection.getresponse()
        return Response(response.status, response.headers, response.read())
    finally:
        connection.close()


def cell(title, response):
    text = f"{response.status}" if title == "HEAD of a GET" else f"{response.status} {response.kind}"
    if response.status == 405 and not response.headers.get("Allow"):
        text += ", no Allow"
    if 300 <= response.status < 400:
        text += ", absolute" if "://" in response.headers.get("Location", "") else ", a path"
    if title == "NaN" and response.status == 200:
        text = f"{response.status}, " + ("`NaN`" if b"NaN" in response.body else "`null`" if b"null" in response.body else "another")
    return text


def shape(value, depth=0):
    """The keys of a JSON value, with the kinds of the values of the outermost object."""
    if isinstance(value, dict):
        parts = [key if depth else f"{key}: {shape(part, 1)}" for key, part in value.items()]
        return ", ".join(parts) if depth == 0 else "{" + ", ".join(parts) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(dict.fromkeys(shape(part, 1) for part in value)) + "]"
    return {str: "text", bool: "boolean", int: "number", float: "number"}.get(type(value), "null")


def measured(name, port):
    """The cells of a framework's row, and each response with the title of its trial. Each trial accepts everything, then JSON only."""
    responses, cells = [], {title: {} for title in TITLES}
    for title, method, path, body, headers in TRIALS:
        for accept in ("*/*", "application/json"):
            response = ask(port, method, path, body, headers, accept)
            responses.append((title, response))
            cells[title].setdefault(cell(title, response), []).append((method, accept))
    row = []
    for title in TITLES:
        # The first text is of a request without a body that accepts everything.
        texts = list(cells[title])
        if len(texts) > 1:
            posts = any(accept == "*/*" for _, accept in cells[title][texts[1]])
            texts[1] += " if the request " + ("has or accepts JSON" if posts else "accepts JSON only")
        row.append("–" if title == "missing field" and name not in VALIDATING else "; ".join(texts))
    if name == "FastAPI":
        responses.append(("`HTTPException(422, text)` of the author", ask(port, "GET", "/own")))
        row[-1] += f"; {cell('NaN', ask(port, 'GET', '/nan-without-type'))} without a return type"
    return row, responses


def shapes_of(name, responses):
    """Rows of the shapes of the JSON errors, each with the trials that got it."""
    groups = {}
    for title, response in responses:
        if response.status >= 400 and response.kind in ("json", "problem"):
            titles = groups.setdefault((response.status, shape(json.loads(response.body))), {})
            titles[title] = True
    return [[name, str(status), ", ".join(titles), f"`{members}`"] for (status, members), titles in sorted(groups.items())]


def compared(document, method, path, trials, responses):
    """The statuses that a document declares for an endpoint, and the statuses of the trials that it does not declare."""
    known = document["paths"][path][method]["responses"]
    sent = {str(response.status) for title, response in responses if title in trials}
    more = ", ".join(sorted(sent - set(known))) or "–"
    if list(known) == ["default"]:
        return ["`default` " + ("with" if known["default"].get("content") else "without") + " content", more]
    return [", ".join(known), more]


def started(name, port, log):
    with open(log, "wb") as output:
        return subprocess.Popen([sys.executable, os.path.abspath(__file__), "serve", name, str(port)],
                                stdin=subprocess.DEVNULL, stdout=output, stderr=output)


def await_service(name, process, port, log):
    until = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until:
        with contextlib.suppress(OSError):
            if ask(port, "GET", "/items/1").status == 200:
                return
        time.sleep(0.1)
    with open(log, errors="replace") as text:
        sys.exit(f"{name} does not respond:\n{text.read()[-3000:]}")


def free_port():
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    answers, shapes, documents, processes = [], [], [], []
    with tempfile.TemporaryDirectory() as work:
        try:
            services = []
            for name in SERVICES:
                port, log = free_port(), f"{work}/{name}.log"
                processes.append(started(name, port, log))
                services.append((name, processes[-1], port, log))
            for name, process, port, log in services:
                await_service(name, process, port, log)
                row, responses = measured(name, port)
                answers.append([name] + row)
                shapes += shapes_of(name, responses)
                if name in DOCUMENTS:
                    document = json.loads(ask(port, "GET", DOCUMENTS[name]).body)
                    documents.append([name] + [text for endpoint in ENDPOINTS for text in compared(document, *endpoint, responses)])
        finally:
            for process in processes:
                process.kill()
            for process in processes:
                process.wait()
    show("answers", ["framework"] + TITLES, answers)
    show("shapes", ["framework", "status", "trials", "members"], shapes)
    show("documents", ["document of"] + [text for method, path, _ in ENDPOINTS
                                         for text in (f"`{method.upper()} {path}` declares", "also sent")], documents)


def show(name, titles, rows):
    print(f"<!-- table: {name} -->")
    for row in [titles, ["---"] * len(titles)] + rows:
        print("| " + " | ".join(row) + " |")
    print("<!-- end -->")


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        SERVICES[sys.argv[2]](int(sys.argv[3]))
    else:
        main()
