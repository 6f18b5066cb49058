"""What libraries that make entity tags do with a condition.

    python entity_tags.py                         runs services with each library on loopback and prints the measured tables
    python entity_tags.py serve NAME PORT FOLDER  runs the services of one framework; their files are in the folder

Each library has `GET /LIBRARY/item`, whose response is compressed if the client accepts gzip. Where the library is not about files, it also
has `PUT /LIBRARY/item`. Outside of the library, `POST /LIBRARY/change` changes the item and `GET /LIBRARY/version` says how often it was
changed. `GET /` says that the service runs.
"""
import asyncio
import collections
import concurrent.futures
import contextlib
import gzip
import hashlib
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
# How long the libraries with a store use a response, in seconds.
STORED = 1
# How much later a file of a version is than that of the version before, in seconds. The length is the same.
LATER = 0.25

# MARK: What the services have in common

LOCK = threading.Lock()
VERSIONS = collections.Counter()
# What else has to be done after a change, by the name of the library.
AFTER_CHANGE = {}


def item(name):
    """The content of an item: long enough for all libraries to compress it."""
    return {"version": VERSIONS[name], "text": "item " * 200}


def change(name):
    with LOCK:
        VERSIONS[name] += 1
    AFTER_CHANGE.get(name, lambda: None)()
    return item(name)


def files(name, folder):
    """The folder of a library for files, with an item and a compressed one. Two processes share it."""
    place, begin = os.path.join(folder, name), int(time.time()) - 60
    file = os.path.join(place, "item")

    def write():
        content = json.dumps(item(name)).encode()
        for path, data in ((file, content), (file + ".gz", gzip.compress(content))):
            with open(path + ".new", "wb") as new:
                new.write(data)
            os.utime(path + ".new", times=(begin, begin + LATER * VERSIONS[name]))
            os.replace(path + ".new", path)
    AFTER_CHANGE[name] = write
    if not os.path.exists(place):
        os.makedirs(place)
        write()
    return place


def aside(method, path):
    """The body of a response from outside of the libraries; None if the request is for a library."""
    name, _, last = path.strip("/").partition("/")
    if last not in ("change", "version", ""):
        return None
    if last == "change":
        change(name)
    return json.dumps({"version": VERSIONS[name]}).encode()


def on_waitress(applications, port):
    import waitress

    def routed(environ, start_response):
        name, path = environ["PATH_INFO"].strip("/").split("/")[0], environ["PATH_INFO"]
        body = aside(environ["REQUEST_METHOD"], path)
        if body is not None:
            start_response("200 OK", [("Content-Type", "application/json")])
            return [body]
        return applications.get(name, applications.get(""))(environ, start_response)
    waitress.serve(routed, host=HOST, port=port, threads=4)


def on_uvicorn(applications, port):
    import uvicorn

    async def routed(scope, receive, send):
        if scope["type"] != "http":
            raise RuntimeError("no lifespan")
        body = aside(scope["method"], scope["path"])
        if body is not None:
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
            return await send({"type": "http.response.body", "body": body})
        await applications[scope["path"].split("/")[1]](scope, receive, send)
    uvicorn.run(routed, host=HOST, port=port, log_level="critical", lifespan="off")


# MARK: The services

def fastapi(port, folder):
    from fastapi import Depends, FastAPI, Request
    from starlette.applications import Starlette
    from starlette.middleware.gzip import GZipMiddleware
    from starlette.routing import Mount
    from starlette.staticfiles import StaticFiles
    applications = {}

    def service(name, decorate=lambda get: get, prepare=lambda app: None, **options):
        app = FastAPI()

        async def get(request: Request):
            return item(name)

        async def put():
            return change(name)
        app.get(f"/{name}/item", **options)(decorate(get))
        app.put(f"/{name}/item", **options)(put)
        prepare(app)
        app.add_middleware(GZipMiddleware)
        applications[name] = app

    from fastapi_etag import Etag, add_exception_handler
    for name, more in (("fastapi-etag", {}), ("fastapi-etag-strong", {"weak": False})):
        etag = Etag(lambda request, name=name: f"v{VERSIONS[name]}", **more)
        service(name, prepare=add_exception_handler, dependencies=[Depends(etag)])

    from fastapi_cache import FastAPICache
    from fastapi_cache.backends.inmemory import InMemoryBackend
    from fastapi_cache.decorator import cache
    FastAPICache.init(InMemoryBackend())
    service("fastapi-cache2", cache(expire=STORED))

    import fastapi_cachex
    from fastapi_cachex.backends import MemoryBackend
    fastapi_cachex.BackendProxy.set(MemoryBackend())
    service("fastapi-cachex", fastapi_cachex.cache(ttl=STORED))

    import asgi_etags
    service("asgi-etags", prepare=lambda app: app.add_middleware(
        asgi_etags.ETagMiddleware, etag_generator=lambda body: hashlib.md5(body).hexdigest()))
    import etag
    service("etag-middleware", prepare=lambda app: app.add_middleware(etag.ETagMiddleware))

    static = Starlette(routes=[Mount("/starlette", StaticFiles(directory=files("starlette", folder)))])
    static.add_middleware(GZipMiddleware)
    applications["starlette"] = static

    from litestar import Litestar
    from litestar.config.compression import CompressionConfig
    from litestar.static_files import create_static_files_router
    applications["litestar"] = Litestar(
        [create_static_files_router(path="/litestar", directories=[files("litestar", folder)])],
        compression_config=CompressionConfig(backend="gzip"))
    on_uvicorn(applications, port)


def django(port, folder):
    import django
    from django.conf import settings
    with tempfile.TemporaryDirectory() as work:
        settings.configure(
            DEBUG=False, SECRET_KEY="tags", ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, USE_TZ=True, LOGGING_CONFIG=None,
            INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework"],
            DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(work, "db")}},
            REST_FRAMEWORK={"DEFAULT_AUTHENTICATION_CLASSES": [], "UNAUTHENTICATED_USER": None})
        django.setup()
        from django.core.wsgi import get_wsgi_application
        from django.db import connection, models
        from django.http import JsonResponse
        from django.urls import path
        from django.views.decorators.csrf import csrf_exempt
        from django.views.decorators.gzip import gzip_page
        from django.views.decorators.http import condition, conditional_page
        from rest_framework.serializers import ModelSerializer
        from rest_framework.viewsets import ModelViewSet
        from rest_framework_extensions.etag.mixins import APIETAGMixin, ETAGMixin

        class Item(models.Model):
            version = models.IntegerField()
            text = models.TextField()

            class Meta:
                app_label = "tags"
        with connection.schema_editor() as editor:
            editor.create_model(Item)

        class ItemSerializer(ModelSerializer):
            class Meta:
                model, fields = Item, ["version", "text"]

        def extended(name, mixin):
            row = Item.objects.create(**item(name))
            AFTER_CHANGE[name] = lambda: Item.objects.filter(pk=row.pk).update(**item(name))

            class Items(mixin, ModelViewSet):
                queryset, serializer_class = Item.objects.all(), ItemSerializer

                def perform_update(self, serializer):
                    serializer.save(**change(name))
            view = gzip_page(Items.as_view({"get": "retrieve", "put": "update"}))
            return lambda request: view(request, pk=row.pk)

        def plain(name):
            def view(request):
                return JsonResponse(change(name) if request.method == "PUT" else item(name))
            return view

        def tag(request):
            return f'"v{VERSIONS["django-condition"]}"'

        def served(name, view):
            return path(f"{name}/item", csrf_exempt(view))
        global urlpatterns
        urlpatterns = [
            served("drf-extensions", extended("drf-extensions", ETAGMixin)),
            served("drf-extensions-api", extended("drf-extensions-api", APIETAGMixin)),
            # The first middleware of the setting is the outer one. The documentation of Django has them in this order.
            served("django-after", gzip_page(conditional_page(plain("django-after")))),
            served("django-before", conditional_page(gzip_page(plain("django-before")))),
            served("django-condition", gzip_page(condition(tag)(plain("django-condition")))),
        ]
        on_waitress({"": get_wsgi_application()}, port)


def flask(port, folder):
    from falcon import App
    from flask import Flask, jsonify, request, send_from_directory
    from flask.views import MethodView
    from flask_compress import Compress
    from flask_smorest import Api, Blueprint
    from whitenoise import WhiteNoise

    def compressed(name, **config):
        app = Flask(name)
        app.config.update(config)
        Compress(app)
        return app
    smorest = compressed("smorest", API_TITLE="Items", API_VERSION="1", OPENAPI_VERSION="3.1.0")
    blueprint = Blueprint("items", "items", url_prefix="/flask-smorest")

    @blueprint.route("/item")
    class Items(MethodView):
        @blueprint.etag
        @blueprint.response(200)
        def get(self):
            return item("flask-smorest")

        @blueprint.etag
        @blueprint.response(200)
        def put(self):
            blueprint.check_etag(item("flask-smorest"))
            return change("flask-smorest")
    Api(smorest).register_blueprint(blueprint)

    werkzeug = compressed("werkzeug")

    @werkzeug.get("/werkzeug/item")
    def get():
        response = jsonify(item("werkzeug"))
        response.add_etag()
        return response.make_conditional(request)

    @werkzeug.put("/werkzeug/item")
    def put():
        return change("werkzeug")

    static = compressed("static", COMPRESS_MIMETYPES=["application/json"])

    @static.get("/flask-files/item")
    def send():
        return send_from_directory(files("flask-files", folder), "item", mimetype="application/json")
    falcon = App()
    falcon.add_static_route("/falcon-files", files("falcon-files", folder))
    white = WhiteNoise(lambda environ, start_response: None, root=files("whitenoise", folder), prefix="whitenoise")
    on_waitress({"flask-smorest": smorest, "werkzeug": werkzeug, "flask-files": static, "falcon-files": falcon, "whitenoise": white}, port)


def aiohttp(port, folder):
    from aiohttp import web
    import aiohttp_etag

    async def get(request):
        response = web.json_response(item("aiohttp-etag"))
        response.enable_compression()
        return response

    async def put(request):
        return web.json_response(change("aiohttp-etag"))

    @web.middleware
    async def routed(request, handler):
        body = aside(request.method, request.path)
        return await handler(request) if body is None else web.Response(body=body, content_type="application/json")
    tagged = web.Application(middlewares=[aiohttp_etag.etag_middleware])
    tagged.add_routes([web.get("/item", get), web.put("/item", put)])
    app = web.Application(middlewares=[routed])
    app.add_subapp("/aiohttp-etag", tagged)
    app.add_routes([web.static("/aiohttp-files", files("aiohttp-files", folder))])
    web.run_app(app, host=HOST, port=port, print=None)


def tornado(port, folder):
    from tornado.web import Application, RequestHandler

    class Item(RequestHandler):
        def get(self):
            self.write(item("tornado"))

        def put(self):
            self.write(change("tornado"))

    class Aside(RequestHandler):
        def prepare(self):
            self.finish(aside(self.request.method, self.request.path))

    async def serve():
        Application([("/tornado/item", Item), (".*", Aside)], compress_response=True, log_function=lambda _: None).listen(port, HOST)
        await asyncio.Event().wait()
    asyncio.run(serve())


SERVICES = {"django": django, "flask": flask, "fastapi": fastapi, "aiohttp": aiohttp, "tornado": tornado}
# The libraries: the service, and the name in its paths.
LIBRARIES = {
    "drf-extensions, `ETAGMixin`": ("django", "drf-extensions"),
    "drf-extensions, `APIETAGMixin`": ("django", "drf-extensions-api"),
    "Django, `ConditionalGetMiddleware` after `GZipMiddleware`": ("django", "django-after"),
    "Django, `ConditionalGetMiddleware` before `GZipMiddleware`": ("django", "django-before"),
    "Django, `condition`": ("django", "django-condition"),
    "flask-smorest": ("flask", "flask-smorest"),
    "Flask, `make_conditional`": ("flask", "werkzeug"),
    "fastapi-etag": ("fastapi", "fastapi-etag"),
    "fastapi-etag, `weak=False`": ("fastapi", "fastapi-etag-strong"),
    "fastapi-cache2": ("fastapi", "fastapi-cache2"),
    "fastapi-cachex": ("fastapi", "fastapi-cachex"),
    "asgi-etags": ("fastapi", "asgi-etags"),
    "etag-middleware": ("fastapi", "etag-middleware"),
    "aiohttp-etag": ("aiohttp", "aiohttp-etag"),
    "Tornado": ("tornado", "tornado"),
    "Flask, files": ("flask", "flask-files"),
    "Falcon, files": ("flask", "falcon-files"),
    "Starlette, files": ("fastapi", "starlette"),
    "Litestar, files": ("fastapi", "litestar"),
    "aiohttp, files": ("aiohttp", "aiohttp-files"),
    "whitenoise": ("flask", "whitenoise"),
}

# MARK: The trials

class Response:
    """A response, or the end of a connection without one."""
    def __init__(self, received):
        self.status, self.headers, self.content, self.is_cut = None, {}, b"", False
        if received is not None:
            self.status, self.headers = received.status, received.headers
            try:
                self.content = received.read()
            except http.client.IncompleteRead as error:
                self.content, self.is_cut = error.partial, True
        if self.content and self.headers["Content-Encoding"] == "gzip":
            self.content = gzip.decompress(self.content)
        self.tag = self.headers.get("ETag")

    def __str__(self):
        return "no response" if self.status is None else f"{self.status}, cut" if self.is_cut else f"{self.status}"

    def naming(self, tag, plain=None):
        """The status. Of a 304, also whether it names the tag."""
        if self.status != 304 or self.tag == tag:
            return f"{self}"
        return f"{self}, without the tag" if self.tag is None else f"{self}, with the tag of the plain one" if self.tag == plain \
            else f"{self}, with another tag"


class Service:
    """A library of a service that runs."""
    def __init__(self, port, name=""):
        self.port, self.name = port, name

    def ask(self, method="GET", last="item", accepts="identity", **headers):
        """Sends a request with an encoding that the client accepts, and other headers."""
        headers = {name.replace("_", "-"): text for name, text in {"Accept_Encoding": accepts, **headers}.items()}
        if method == "PUT":
            headers["Content-Type"] = "application/json"
        connection = http.client.HTTPConnection(HOST, self.port, timeout=20)
        try:
            path = f"/{self.name}/{last}" if self.name else "/"
            connection.request(method, path, json.dumps({"version": 0, "text": "item"}) if method == "PUT" else None, headers)
            return Response(connection.getresponse())
        except http.client.RemoteDisconnected:
            return Response(None)
        finally:
            connection.close()

    def put(self, tag):
        """What a write with a condition gets, in words."""
        before = self.ask(last="version").content
        response = self.ask("PUT", **({"If_Match": tag} if tag else {}))
        is_done = self.ask(last="version").content != before
        if response.status == 200:
            return "carried out" if is_done else f"{response}, not carried out"
        return f"{response}, but carried out" if is_done else f"{response}"


def form(tag):
    if tag is None:
        return "none"
    opaque = tag.removeprefix("W/")
    kind = "weak" if tag.startswith("W/") else "strong"
    return kind if re.fullmatch('"[^"]*"', opaque) else f"{'`W/…`' if kind == 'weak' else '`…`'}, no quotes"


def other_form(tag):
    """A tag that the weak comparison takes for the same; of a tag without quotes, the one with quotes."""
    if not tag.removeprefix("W/").startswith('"'):
        return f'W/"{tag.removeprefix("W/")}"' if tag.startswith("W/") else f'"{tag}"'
    return tag[2:] if tag.startswith("W/") else f"W/{tag}"


def asked(service, tag):
    """The status of a response to a client that has the tag."""
    return f"{service.ask(If_None_Match=tag)}"


def read(service, twin):
    """The cells about reads. The twin is the same service in another process."""
    first, second = service.ask(), twin.ask()
    tag = first.tag
    assert first.status == second.status == 200, f"{service.name}: {first} {first.content[:500]}"
    if tag is None:
        return ["none"] + ["–"] * 7
    row = [form(tag), service.ask(If_None_Match=tag).naming(tag)]
    row += [asked(service, value) for value in (other_form(tag), f'"other", {tag}', "*")]
    assert first.content == second.content, "the processes have two items"
    is_same = tag == second.tag and tag == service.ask().tag
    service.ask("POST", "change")
    changed = service.ask()
    until = time.monotonic() + 6 * STORED
    while changed.content == first.content and time.monotonic() < until:
        time.sleep(STORED / 2)
        changed = service.ask()
    assert changed.content != first.content, f"{service.name} has the old content"
    after = asked(service, tag)
    if changed.tag == tag:
        for _ in range(int(1 / LATER)):
            service.ask("POST", "change")
        changed = service.ask()
        row.append("no" if changed.tag == tag else "not within a second")
    else:
        row.append("yes")
    return row + [after, "yes" if is_same else "no"]


def compressed(service):
    """The cells about compressed responses."""
    plain, small = service.ask(), service.ask(accepts="gzip")
    if small.headers["Content-Encoding"] != "gzip":
        return ["not compressed", "–", "–"]
    if small.tag is None:
        return ["none", "–", "–"]
    assert small.content == plain.content, "the compressed item is another one"
    kind = "the same" if small.tag == plain.tag else "its weak form" if small.tag == f"W/{plain.tag}" else "another"
    # Django adds a random number of bytes to what it compresses. With one of a hundred, the tag is that of before.
    answers = [service.ask(accepts="gzip", If_None_Match=small.tag) for _ in range(3)]
    answer = next((answer for answer in answers if answer.status != 304), answers[0])
    return [kind, answer.naming(small.tag, plain.tag), asked(service, small.tag)]


def written(service, library):
    """The cells about writes."""
    if library.endswith("files") or library == "whitenoise":
        return ["–"] * 6

    def tag(**more):
        return service.ask(**more).tag
    return [service.put(tag()), service.put('"wrong"'), service.put(None), service.put("*"), service.put(other_form(tag())),
            service.put(tag(accepts="gzip"))]


HEADS = {
    "tags": ["library", "tag", "304 to the tag", "with or without `W/`", "in a list", "`*`", "tag changes with the content",
             "to the old tag after a change", "same tag in another process"],
    "compressed": ["library", "tag of a compressed response", "to this tag, compressed", "to this tag, plain"],
    "conditions": ["library", "the tag", "another tag", "no tag", "`*`", "with or without `W/`", "the tag of a compressed response"],
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
def started(name, work, number):
    """Runs the services of a framework. Gives their port."""
    port, log = free_port(), os.path.join(work, f"{name}-{number}.log")
    with open(log, "wb") as output:
        process = subprocess.Popen([sys.executable, os.path.abspath(__file__), "serve", name, str(port), work],
                                   stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        until = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < until:
            with contextlib.suppress(OSError):
                if Service(port).ask().status == 200:
                    break
            time.sleep(0.1)
        else:
            with open(log, errors="replace") as text:
                raise RuntimeError(f"{name} does not respond:\n{text.read()[-3000:]}")
        yield port
    finally:
        process.terminate()
        process.wait()


def rows_of(framework, work):
    """The rows of the libraries of a framework."""
    with started(framework, work, 1) as port, started(framework, work, 2) as twin:
        rows = {}
        for library, (service, name) in LIBRARIES.items():
            if service == framework:
                one, two = Service(port, name), Service(twin, name)
                rows[library] = {"tags": read(one, two), "compressed": compressed(one),
                                 "conditions": written(one, library)}
        return rows


def main(names):
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(int(os.environ.get("AT_ONCE", 2))) as pool:
        rows = {library: row for found in pool.map(lambda name: rows_of(name, work), names) for library, row in found.items()}
    for title in HEADS:
        table(title, [[library, *rows[library][title]] for library in LIBRARIES
                      if library in rows and not all(cell == "–" for cell in rows[library][title])])


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if sys.argv[1:2] == ["serve"]:
        SERVICES[sys.argv[2]](int(sys.argv[3]), sys.argv[4])
    else:
        main(sys.argv[1:] or list(SERVICES))
