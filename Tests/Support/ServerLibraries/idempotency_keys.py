"""What libraries that honor idempotency keys do with a second request.

    python idempotency_keys.py                          runs a service with each library on loopback and prints the measured tables
    python idempotency_keys.py serve NAME PORT [short]  runs one of them; `short` gives it short times where it has a setting for them
    python idempotency_keys.py hold                     runs all of them, and before each a gateway that loses the first response to each
                                                        trial whose X-Case is `lost`. It prints their ports, and stops at the end of the
                                                        standard input.

Each service has `POST /orders` and `POST /others`. The header X-Case says what the handler does when it runs for the first time for an
X-Trial: it succeeds, responds with a status, raises, or takes long. When it runs again, it succeeds. `GET /counts?trial=…` says how
often it ran for a trial, how many orders it carried out, and the times of the library in seconds.
"""
import asyncio
import collections
import concurrent.futures
import contextlib
import datetime
import http.client
import inspect
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
import urllib.parse
import uuid

HOST = "127.0.0.1"
SLOW = 4
# The short times: how long a success is remembered, and how long a request that does not end holds its key.
SHORT, SHORT_LOCK = 2, 1
OWN = {"Location": "/orders/1", "ETag": '"1"', "X-Own": "own"}

# MARK: What the services have in common

LOCK = threading.Lock()
RAN, DONE, TIMES = collections.Counter(), collections.Counter(), {}


def begun(headers):
    """Counts a run of the handler. Returns how long it takes, and the response: status, headers, value, media type."""
    case, trial = headers.get("X-Case", "ok"), headers.get("X-Trial", "")
    with LOCK:
        RAN[trial] += 1
        is_first = RAN[trial] == 1
    if is_first and case == "raises":
        raise RuntimeError("no order")
    if is_first and case in ("400", "429", "500", "503"):
        return 0, (int(case), {"Retry-After": "1"} if case in ("429", "503") else {}, {"error": "no order"}, "application/json")
    others = {"text": (200, {}, "done", "text/plain"), "empty": (204, {}, None, None)}
    return SLOW if case == "slow" else 0, others.get(case, (201, OWN, {"id": 1}, "application/json"))


def ended(headers, response):
    """Counts an order that was carried out."""
    if response[0] < 300:
        with LOCK:
            DONE[headers.get("X-Trial", "")] += 1


def counts(query):
    trial = urllib.parse.parse_qs(query).get("trial", [""])[0]
    return json.dumps({"ran": RAN[trial], "done": DONE[trial], "times": TIMES}).encode()


def fastapi(port, middleware, **options):
    import uvicorn
    from fastapi import FastAPI, Request
    from starlette.responses import Response
    app = FastAPI()
    app.add_middleware(middleware, **options)

    @app.post("/orders")
    @app.post("/others")
    async def order(request: Request):
        delay, response = begun(request.headers)
        await asyncio.sleep(delay)
        ended(request.headers, response)
        status, headers, value, media = response
        body = b"" if value is None else value.encode() if media == "text/plain" else json.dumps(value).encode()
        return Response(body, status, headers, media)

    @app.get("/counts")
    async def counted(request: Request):
        return Response(counts(request.url.query), media_type="application/json")
    uvicorn.run(app, host=HOST, port=port, log_level="critical")


def django(port, middleware=(), apps=(), decorate=lambda post: post, base=object, **settings):
    """A service with Django REST framework. All requests are of one user, unless their token is `none`."""
    import django
    import waitress
    from django.conf import settings as django_settings
    with tempfile.TemporaryDirectory() as work:
        django_settings.configure(
            DEBUG=False, SECRET_KEY="keys", ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, USE_TZ=True, MIDDLEWARE=list(middleware),
            INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework", *apps],
            DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(work, "db")}},
            LOGGING_CONFIG=None, REST_FRAMEWORK={"UNAUTHENTICATED_USER": None}, **settings)
        django.setup()
        from django.contrib.auth.models import User
        from django.core.management import call_command
        from django.core.wsgi import get_wsgi_application
        from django.http import HttpResponse
        from django.urls import path
        from rest_framework.authentication import BaseAuthentication
        from rest_framework.response import Response
        from rest_framework.views import APIView
        call_command("migrate", verbosity=0, run_syncdb=True)
        user = User.objects.create(username="ada")

        class Token(BaseAuthentication):
            def authenticate(self, request):
                return None if request.headers.get("Authorization") == "Bearer none" else (user, None)

        class Orders(*([] if base is object else [base()]), APIView):
            authentication_classes = [Token]

            def post(self, request):
                delay, response = begun(request.headers)
                time.sleep(delay)
                ended(request.headers, response)
                status, headers, value, media = response
                return Response(value, status, headers=headers, content_type=media if media == "text/plain" else None)
        Orders.post = decorate(Orders.post)
        global urlpatterns
        urlpatterns = [path("orders", Orders.as_view()), path("others", Orders.as_view()), path(
            "counts", lambda request: HttpResponse(counts(request.META["QUERY_STRING"]), content_type="application/json"))]
        waitress.serve(get_wsgi_application(), host=HOST, port=port, threads=8)


def default(function, name):
    return inspect.signature(function).parameters[name].default


# MARK: The services

def asgi_idempotency_header(port, short):
    from idempotency_header_middleware import IdempotencyHeaderMiddleware
    from idempotency_header_middleware.backends import MemoryBackend
    backend = MemoryBackend(expiry=SHORT) if short else MemoryBackend()
    TIMES.update(remembers=backend.expiry)
    fastapi(port, IdempotencyHeaderMiddleware, backend=backend)


def django_idempotency_key(port, short):
    django(port, ["idempotency_key.middleware.IdempotencyKeyMiddleware"])


def djangorestframework_idempotency_key(port, short):
    # The time of the lock has no default.
    def decorate(post):
        from rest_framework_idempotency_key.decorators import simple_idempotency_key_method
        return simple_idempotency_key_method(post)
    django(port, ["rest_framework_idempotency_key.middleware.IdempotencyKeyMiddleware"], ["rest_framework_idempotency_key"], decorate,
           IDEMPOTENCY_KEY_LOCK_TIMEOUT=SHORT_LOCK if short else 60)


def drf_idempotency(port, short):
    settings = {"BACKEND": "drf_idempotency.backends.database.DatabaseBackend"}
    from drf_idempotency.settings import DEFAULTS
    TIMES.update(remembers=DEFAULTS["TTL_SECONDS"], lock=DEFAULTS["LOCK_TTL_SECONDS"])
    if short:
        settings.update(TTL_SECONDS=SHORT, LOCK_TTL_SECONDS=SHORT_LOCK)
    django(port, ["drf_idempotency.middleware.IdempotencyMiddleware"], ["drf_idempotency"], IDEMPOTENCY=settings)


def drf_idempotencykey(port, short):
    def base():
        from drf_idempotencykey.mixins import DrfIdempotencyKeyMixin
        return DrfIdempotencyKeyMixin
    TIMES.update(remembers=3_600)
    django(port, [], ["drf_idempotencykey"], base=base, **({"IDEMPOTENCY_KEY_EXPIRATION_MINUTES": SHORT / 60} if short else {}))


def drf_idem(port, short):
    from drf_idem.settings import DEFAULTS
    TIMES.update(remembers=DEFAULTS["TTL"])
    memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    django(port, ["drf_idem.middleware.IdempotencyMiddleware"], ["drf_idem"], CACHES={
        "default": memory, "drf_idem": {**memory, "LOCATION": "keys"}}, DRF_IDEM={"TTL": SHORT} if short else {})


def fastapi_idempotency(port, short):
    from fastapi_idempotency import IdempotencyMiddleware
    TIMES.update(remembers=default(IdempotencyMiddleware.__init__, "key_window").total_seconds(),
                 lock=default(IdempotencyMiddleware.__init__, "lease_seconds"))
    times = {"key_window": datetime.timedelta(seconds=SHORT), "lease_seconds": SHORT_LOCK, "heartbeat_seconds": SHORT_LOCK / 3}
    fastapi(port, IdempotencyMiddleware, **(times if short else {}))


def fastapi_idempotency_key(port, short):
    from fastapi_idempotency_key import IdempotencyMiddleware
    TIMES.update(remembers=default(IdempotencyMiddleware.__init__, "default_ttl"))
    TIMES.update(lock=TIMES["remembers"])
    fastapi(port, IdempotencyMiddleware, **({"default_ttl": SHORT} if short else {}))


def fastidempotent(port, short):
    from fastidempotent import IdempotencyConfig, IdempotencyMiddleware, MemoryBackend
    TIMES.update(remembers=default(MemoryBackend.__init__, "ttl"), lock=IdempotencyConfig().lock_timeout)
    backend = MemoryBackend(ttl=SHORT) if short else MemoryBackend()
    fastapi(port, IdempotencyMiddleware, backend=backend, **({"config": IdempotencyConfig(lock_timeout=SHORT_LOCK)} if short else {}))


SERVICES = {
    "asgi-idempotency-header": asgi_idempotency_header,
    "django-idempotency-key": django_idempotency_key,
    "djangorestframework-idempotency-key": djangorestframework_idempotency_key,
    "drf-idempotency": drf_idempotency,
    "drf-idempotencykey": drf_idempotencykey,
    "drf-idem": drf_idem,
    "fastapi-idempotency": fastapi_idempotency,
    "fastapi-idempotency-key": fastapi_idempotency_key,
    "fastidempotent": fastidempotent,
}
HEADER = {"drf-idem": "X-Request-ID"}
# The services whose library has a setting for the time of a lock.
LOCKS = {"djangorestframework-idempotency-key", "drf-idempotency", "fastapi-idempotency", "fastapi-idempotency-key", "fastidempotent"}

# MARK: The trials

BODY = b'{"product": 7}'
MARKS = ["Idempotent-Replayed", "Idempotency-Replayed", "X-Idempotent-Replayed", "Cached-From-Idempotency-Key"]


class Service:
    """A service that runs, and its trials."""
    def __init__(self, name, port):
        self.name, self.port, self.number = name, port, 0

    def ask(self, case="ok", trial="", key=None, path="/orders", body=BODY, token="one", address=HOST, method="POST", timeout=30):
        connection = http.client.HTTPConnection(HOST, self.port, timeout, source_address=(address, 0))
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}", "X-Case": case, "X-Trial": trial}
        if key:
            headers[HEADER.get(self.name, "Idempotency-Key")] = key
        try:
            connection.request(method, path, None if method == "GET" else body, headers)
            response = connection.getresponse()
            response.content = response.read()
            return response
        finally:
            connection.close()

    def counted(self, trial=""):
        return json.loads(self.ask(path=f"/counts?trial={trial}", method="GET").content)

    def new_trial(self):
        self.number += 1
        return f"t{self.number}", str(uuid.uuid4())

    def twice(self, case="ok", first={}, **other):
        """Sends a request twice with one key. Returns the responses, and how often the handler ran."""
        trial, key = self.new_trial()
        responses = [self.ask(case, trial, key, **first), self.ask(case, trial, key, **{**first, **other})]
        return *responses, self.counted(trial)["ran"]

    def verdict(self, first, second, ran):
        """What a second request got, in words."""
        is_same = content(first) == content(second)
        if is_same and first.status == second.status:
            return "first response" if ran == 1 else "runs, first response" if is_copy(second) else "runs"
        after = f", `Retry-After: {second.headers['Retry-After']}`" if second.headers["Retry-After"] else ""
        return "runs" if ran > 1 else f"{second.status} with the first body" if is_same and first.content else f"{second.status}{after}"


def content(response):
    """The body. JSON that was written anew is the same."""
    is_json = response.content and "json" in response.headers.get("Content-Type", "")
    return json.loads(response.content) if is_json else response.content


def is_copy(response):
    """Whether a success has lost the handler's headers."""
    return all(response.headers[name] is None for name in OWN)


def bound(service):
    """What a key is bound to. A second request differs in one thing."""
    others = [{}, {"body": b'{"product": 8}'}, {"body": b'{"product":  7}'}, {"path": "/others"}, {"path": "/orders?note=1"},
              {"token": "two"}, {"address": "127.0.0.2"}]
    anonymous = service.twice(first={"token": "none"})
    return [service.verdict(*service.twice(**other)) for other in others] + [service.verdict(*anonymous)]


def stored(service):
    """What is stored. The handler succeeds when it runs again."""
    def cell(case):
        first, second, ran = service.twice(case)
        is_first = (first.status, content(first)) == (second.status, content(second))
        if ran > 1:
            return "runs again" + (", first response" if is_first and first.status >= 400 else "")
        if first.status >= 400 and not is_first:
            return service.verdict(first, second, ran)
        return "stored" + (", as 409" if not is_first else "") + (
            ", `Retry-After` lost" if first.headers["Retry-After"] and not second.headers["Retry-After"] else "")
    return [cell(case) for case in ("400", "429", "500", "503", "raises", "text", "empty")]


def repeated(service):
    """What a repeat looks like, and what happens to a second request before the first one has ended."""
    first, second, ran = service.twice()
    mark = next((f"`{name}: {'the key' if name == MARKS[3] else second.headers[name]}`" for name in MARKS
                 if second.headers[name] and second.headers[name] != "false"), "no")
    lost = "lost" if is_copy(second) else "kept"
    if is_copy(first):
        lost += ", in the first response too"

    trial, key = service.new_trial()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        running = pool.submit(service.ask, "slow", trial, key)
        time.sleep(0.5)
        begin = time.monotonic()
        during = service.ask("slow", trial, key)
        waited = time.monotonic() - begin
        first = running.result()
    ran = service.counted(trial)["ran"]
    late = "waits, then the first response" if waited > 1 else "first response"
    text = "both run" if ran > 1 else f"{during.status}" if during.status >= 400 else late
    if during.headers["Retry-After"]:
        text += f", `Retry-After: {during.headers['Retry-After']}`"

    trial, key = service.new_trial()
    with contextlib.suppress(TimeoutError):
        service.ask("slow", trial, key, timeout=0.5)
    at_once = service.ask("slow", trial, key)
    time.sleep(SLOW + 0.5)
    later = service.ask("slow", trial, key)
    ran = service.counted(trial)["ran"]
    left = "runs again" if ran > 1 else f"{at_once.status}, later {'the response' if later.status == 201 else later.status}" \
        if at_once.status >= 400 else "waits, then the response"

    trial, _ = service.new_trial()
    bare = [service.ask(trial=trial), service.ask(trial=trial)]
    ran = service.counted(trial)["ran"]
    keyless = f"{bare[0].status}" if bare[0].status >= 400 else "runs" if ran == 2 else "one of two equal requests runs"
    forms = {}
    for form in ("order-7", '"' + str(uuid.uuid4()) + '"'):
        trial, _ = service.new_trial()
        status = service.ask(trial=trial, key=form).status
        forms[form[0]] = "accepted" if status == 201 else f"{status}"
    return [mark, lost, text, left, keyless, forms["o"], forms['"']]


def said(seconds):
    if seconds is None:
        return "no time"
    return next((f"{seconds / size:g} {unit}" for unit, size in (("h", 3_600), ("min", 60)) if seconds >= size and seconds % size == 0),
                f"{seconds:g} s")


def timed(service, times):
    """What happens after the times of the library; the service has short ones."""
    trial, key = service.new_trial()
    service.ask("ok", trial, key)
    time.sleep(SHORT + 0.7)
    second = service.ask("ok", trial, key)
    after = "–" if "remembers" not in times else "runs again" if service.counted(trial)["ran"] > 1 else f"{second.status}"
    if after == "409" and service.ask("ok", trial, key).status == 409:
        after = "409 from then on"
    trial, key = service.new_trial()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        running = pool.submit(service.ask, "slow", trial, key)
        time.sleep(SHORT_LOCK + 0.7)
        during = service.ask("ok", trial, key)
        running.result()
    lock = "runs a second time" if service.counted(trial)["done"] > 1 else f"{during.status}" if during.status >= 400 else "waits"
    return [said(times.get("remembers")), after] + ([said(times.get("lock")), lock] if service.name in LOCKS else ["–", "–"])


HEADS = {
    "bound": ["library", "equal request", "other body", "one blank more", "other path", "other query", "other token", "other address",
              "equal request without a login"],
    "stored": ["library", "400", "429", "500", "503", "the handler raises", "`text/plain`", "204"],
    "repeats": ["library", "a repeat is marked", "`Location`, `ETag`, others", "second request during the first",
                "client gave up, asks again at once", "two equal requests without a key", "key `order-7`", "key in quotes"],
    "times": ["library", "remembers a success for", "after that time", "a request holds its key for", "second request after that time"],
}


def table(name, rows):
    print(f"<!-- table: {name} -->")
    for row in [HEADS[name], ["---"] * len(HEADS[name]), *rows]:
        print("| " + " | ".join(row) + " |")
    print("<!-- end -->")


# MARK: The gateway

def request_of(stream):
    """The header of a request, its fields and its body; None at the end of a connection."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = stream.read(1)
        if not byte:
            return None
        head += byte
    fields = dict(line.split(": ", 1) for line in head.decode("latin-1").split("\r\n")[1:] if line)
    fields = {name.lower(): value for name, value in fields.items()}
    return head, fields, stream.read(int(fields.get("content-length", 0)))


def passes_on(connection, service, lost):
    """Passes one request on, and its response, unless it is the first one to a trial that loses its response."""
    with connection, contextlib.suppress(OSError), connection.makefile("rb") as stream:
        found = request_of(stream)
        if found is None:
            return
        head, fields, body = found
        trial = fields.get("x-trial")
        with LOCK:
            is_lost = fields.get("x-case") == "lost" and trial not in lost
            lost.add(trial)
        with socket.create_connection((HOST, service)) as behind:
            # The service closes the connection after its response.
            head = re.sub(rb"\r\nconnection: [^\r]*", b"", head, flags=re.I)
            behind.sendall(head[:-2] + b"Connection: close\r\n\r\n" + body)
            response = b"".join(iter(lambda: behind.recv(65_536), b""))
        if not is_lost:
            connection.sendall(response)


def gateway(service):
    """Runs a gateway on a thread. Returns its port."""
    server, lost = socket.create_server((HOST, 0), backlog=64), set()

    def accept():
        while True:
            threading.Thread(target=passes_on, args=(server.accept()[0], service, lost), daemon=True).start()
    threading.Thread(target=accept, daemon=True).start()
    return server.getsockname()[1]


# MARK: The processes

def free_port():
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def started(name, work, *more):
    """Runs a service."""
    port, log = free_port(), os.path.join(work, "-".join([name, *more]) + ".log")
    with open(log, "wb") as output:
        process = subprocess.Popen([sys.executable, os.path.abspath(__file__), "serve", name, str(port), *more],
                                   stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    service = Service(name, port)
    try:
        until = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < until:
            with contextlib.suppress(OSError):
                if service.ask(path="/counts", method="GET").status == 200:
                    break
            time.sleep(0.1)
        else:
            with open(log, errors="replace") as text:
                raise RuntimeError(f"{name} does not respond:\n{text.read()[-3000:]}")
        yield service
    finally:
        process.terminate()
        process.wait()


def rows_of(name, work):
    with started(name, work) as service:
        rows = {"bound": bound(service), "stored": stored(service), "repeats": repeated(service)}
        times = service.counted()["times"]
    with started(name, work, "short") as service:
        rows["times"] = timed(service, times)
    return {title: [name, *row] for title, row in rows.items()}


def hold():
    with tempfile.TemporaryDirectory() as work, contextlib.ExitStack() as stack, concurrent.futures.ThreadPoolExecutor(4) as pool:
        services = list(pool.map(lambda name: stack.enter_context(started(name, work)), SERVICES))
        for service in services:
            service.ask()
        print(json.dumps({service.name: {"service": service.port, "gateway": gateway(service.port)} for service in services}), flush=True)
        sys.stdin.read()


def main(names):
    # A library at a time waits for most of its trials, so several run at once.
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(int(os.environ.get("AT_ONCE", 9))) as pool:
        rows = list(pool.map(lambda name: rows_of(name, work), names))
    for title in HEADS:
        table(title, [row[title] for row in rows])


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if sys.argv[1:2] == ["serve"]:
        SERVICES[sys.argv[2]](int(sys.argv[3]), sys.argv[4:] == ["short"])
    elif sys.argv[1:] == ["hold"]:
        hold()
    else:
        main(sys.argv[1:] or list(SERVICES))
