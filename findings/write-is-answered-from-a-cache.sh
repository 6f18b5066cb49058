#!/usr/bin/env bash
# A cache for views responds to the second order with the first one's 201, and to page two with page one.
#
# Expected: a cache of responses stores those of GET and HEAD (RFC 9111 section 2), a URL with another query has a response of its
# own, and what is served from the cache is what was stored.
# Seen: `cached` of Flask-Caching and `cache_response` of drf-extensions, with their default keys, store what a view responds to a POST
# as well: the second order gets the 201 of the first one, and is not carried out. Flask-Caching's key is the path alone, so where
# one view handles both methods, an order gets 200 and the list. Both respond to `?page=2` with page one, and to each user with the
# first one's list, and store a 503 for a minute. Falcon-Caching on Falcon 4 responds from its cache with 200 and no body.
# fastapi-cachex leaves writes, tokens and failures alone.
# Who is hurt: a client that places two orders has one, and two successes. A walk over pages gets the first page again and again, or
# the rows of somebody else. A client that waits as a 503 asks is refused until the cache forgets.
# Errand: the `id` of the second success repeats that of the first one, which nothing compares. A contract with pages of numbers ends
# a walk only at a page that is empty or short. Who has such a service asks its author for `query_string=True` and a key with the
# method and the token, or for a cache on reads alone.
# Seen on 2026-12-01.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages Flask==3.1.3 Flask-Caching==2.5.1 Django==5.2.19 djangorestframework==3.18.3 drf-extensions==0.8.0 falcon==4.4.0 \
  falcon-caching==1.1.0 waitress==3.0.2 fastapi==0.165.0 starlette==1.10.0 fastapi-cachex==0.5.1 uvicorn==0.54.0

cat >"$work/shop.py" <<'PYTHON'
import logging
import sys

name, port = sys.argv[1], int(sys.argv[2])
logging.disable(logging.CRITICAL)
orders = []
busy = []

def store():
    orders.append(1)
    return {"order": len(orders)}

def show(page, token):
    return {"page": page, "of": token}

def is_busy():
    busy.append(1)
    return len(busy) == 1

def serve(application):
    import waitress
    waitress.serve(application, host="127.0.0.1", port=port)

if name == "Flask-Caching":
    import flask
    import flask_caching
    application = flask.Flask("shop")
    cache = flask_caching.Cache(application, config={"CACHE_TYPE": "SimpleCache", "CACHE_DEFAULT_TIMEOUT": 60})

    @application.route("/both", methods=["GET", "POST"])
    @application.route("/orders", methods=["POST"])
    @cache.cached()
    def both():
        if flask.request.method == "POST":
            return store(), 201
        return show(flask.request.args.get("page"), flask.request.headers.get("Authorization"))

    @application.get("/state")
    @cache.cached()
    def state():
        return ({"error": "busy"}, 503, {"Retry-After": "1"}) if is_busy() else {}

    @application.get("/stored")
    def stored():
        return flask.jsonify(len(orders))

    serve(application)
elif name == "drf-extensions":
    import django
    from django.conf import settings
    settings.configure(
        SECRET_KEY="finding", ALLOWED_HOSTS=["*"], ROOT_URLCONF="__main__", INSTALLED_APPS=["rest_framework"], USE_TZ=True,
        REST_FRAMEWORK={"DEFAULT_AUTHENTICATION_CLASSES": [], "UNAUTHENTICATED_USER": None})
    django.setup()
    from django.core.wsgi import get_wsgi_application
    from django.urls import path
    from rest_framework.response import Response
    from rest_framework.views import APIView
    from rest_framework_extensions.cache.decorators import cache_response

    class Both(APIView):
        @cache_response(60)
        def get(self, request):
            return Response(show(request.GET.get("page"), request.headers.get("Authorization")))

        @cache_response(60)
        def post(self, request):
            return Response(store(), 201)

    class Orders(Both):
        pass

    class State(APIView):
        @cache_response(60)
        def get(self, request):
            return Response({"error": "busy"}, 503, headers={"Retry-After": "1"}) if is_busy() else Response({})

    class Stored(APIView):
        def get(self, request):
            return Response(len(orders))

    urlpatterns = [path("both", Both.as_view()), path("orders", Orders.as_view()), path("state", State.as_view()),
                   path("stored", Stored.as_view())]
    serve(get_wsgi_application())
elif name == "Falcon-Caching":
    import falcon
    import falcon_caching
    cache = falcon_caching.Cache(
        config={"CACHE_TYPE": "simple", "CACHE_EVICTION_STRATEGY": "time-based", "CACHE_DEFAULT_TIMEOUT": 60})

    class Both:
        @cache.cached(timeout=60)
        def on_get(self, request, response):
            response.media = show(request.get_param("page"), request.get_header("Authorization"))

        @cache.cached(timeout=60)
        def on_post(self, request, response):
            response.status, response.media = 201, store()

    class State:
        @cache.cached(timeout=60)
        def on_get(self, request, response):
            response.media = {}
            if is_busy():
                response.status = 503

    class Stored:
        def on_get(self, request, response):
            response.media = len(orders)

    application = falcon.App(middleware=[cache.middleware])
    for path, resource in (("/both", Both()), ("/orders", Both()), ("/state", State()), ("/stored", Stored())):
        application.add_route(path, resource)
    serve(application)
else:
    import fastapi
    import fastapi_cachex
    import uvicorn
    from fastapi_cachex.backends import MemoryBackend
    fastapi_cachex.BackendProxy.set(MemoryBackend())
    application = fastapi.FastAPI()
    cached = fastapi_cachex.cache(ttl=60)

    @application.get("/both")
    @cached
    async def both(page: str, authorization: str = fastapi.Header()):
        return show(page, authorization)

    @application.post("/both", status_code=201)
    @application.post("/orders", status_code=201)
    @cached
    async def post():
        return store()

    @application.get("/state")
    @cached
    async def state():
        return fastapi.responses.JSONResponse({"error": "busy"}, 503, {"Retry-After": "1"}) if is_busy() else {}

    @application.get("/stored")
    async def stored():
        return len(orders)

    uvicorn.run(application, host="127.0.0.1", port=port, log_level="critical")
PYTHON
cat >"$work/client.py" <<'PYTHON'
import json
import sys
import time
import urllib.error
import urllib.request

name, port = sys.argv[1], int(sys.argv[2])

def send(method, path, token="anna"):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", b"{}" if method == "POST" else None,
        {"Authorization": token, "Content-Type": "application/json"}, method=method)
    try:
        response = urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        response = error
    text = response.read()
    return f"{response.status} {json.dumps(json.loads(text)) if text else 'without a body'}"

first, second = send("POST", "/orders"), send("POST", "/orders")
print(f"{name}, two orders: {first}, {second}; stored: {send('GET', '/stored')[4:]}")
first = send("GET", "/both?page=1")
print(f"{name}, pages: {first}, then of page 2 {send('GET', '/both?page=2')}, and of page 1 for bert {send('GET', '/both?page=1', 'bert')}")
print(f"{name}, an order where the list is: {send('POST', '/both')}")
first = send("GET", "/state")
time.sleep(1.1)
print(f"{name}, busy: {first[:3]}, after the pause {send('GET', '/state')}")
PYTHON

for name in Flask-Caching drf-extensions Falcon-Caching fastapi-cachex; do
  port=$(free_port)
  start "$port" python "$work/shop.py" "$name" "$port"
  python "$work/client.py" "$name" "$port"
  stop "$server"
done >"$work/seen"

compare "$work/seen" <<'RECORDED'
Flask-Caching, two orders: 201 {"order": 1}, 201 {"order": 1}; stored: 1
Flask-Caching, pages: 200 {"of": "anna", "page": "1"}, then of page 2 200 {"of": "anna", "page": "1"}, and of page 1 for bert 200 {"of": "anna", "page": "1"}
Flask-Caching, an order where the list is: 200 {"of": "anna", "page": "1"}
Flask-Caching, busy: 503, after the pause 503 {"error": "busy"}
drf-extensions, two orders: 201 {"order": 1}, 201 {"order": 1}; stored: 1
drf-extensions, pages: 200 {"page": "1", "of": "anna"}, then of page 2 200 {"page": "1", "of": "anna"}, and of page 1 for bert 200 {"page": "1", "of": "anna"}
drf-extensions, an order where the list is: 201 {"order": 2}
drf-extensions, busy: 503, after the pause 503 {"error": "busy"}
Falcon-Caching, two orders: 201 {"order": 1}, 200 without a body; stored: 1
Falcon-Caching, pages: 200 {"page": "1", "of": "anna"}, then of page 2 200 without a body, and of page 1 for bert 200 without a body
Falcon-Caching, an order where the list is: 201 {"order": 2}
Falcon-Caching, busy: 503, after the pause 200 without a body
fastapi-cachex, two orders: 201 {"order": 1}, 201 {"order": 2}; stored: 2
fastapi-cachex, pages: 200 {"page": "1", "of": "anna"}, then of page 2 200 {"page": "2", "of": "anna"}, and of page 1 for bert 200 {"page": "1", "of": "bert"}
fastapi-cachex, an order where the list is: 201 {"order": 3}
fastapi-cachex, busy: 503, after the pause 200 {}
RECORDED
