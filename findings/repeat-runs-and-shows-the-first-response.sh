#!/usr/bin/env bash
# A repeat with the same idempotency key is carried out a second time, and shows the response of the first.
#
# Expected: a package for idempotency keys carries a command out once, and responds to the repeat with what it has stored.
# Seen: drf-idem runs the handler first, and looks the key up afterwards. Two attempts store two orders, and the client sees the first
# one twice. If the first attempt ended with 503, the second stores an order, and its response is the 503 of the first. Its page says that
# the business logic of a duplicate is not executed. Its default header is `X-Request-ID`; here it has the setting for
# `Idempotency-Key`. idemkit stores the responses 200, 201 and 202 only, so a repeat of a command that ended with 204 runs again.
# Who is hurt: a client that repeats a payment after a timeout, as the key allows it, pays twice, and no response says so. After a
# 503, it pays with each attempt and tells the user that nothing was done.
# Errand: `effect: keyed` repeats a command because the service promises to carry it out once, and cannot see that it does not. With such
# a service, the contract says `effect: once`, so a timeout ends as `unconfirmed`. `confirm` then reads whether the order exists.
# Seen on 2026-11-30.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages drf-idem==0.1.1 Django==5.2.19 djangorestframework==3.18.3 idemkit==1.0.2 fastapi==0.165.0 uvicorn==0.54.0

cat >"$work/orders.py" <<'PYTHON'
import logging
import sys

name, port = sys.argv[1], int(sys.argv[2])
orders = []
requests = []

def carry_out(kind):
    """The status of an attempt, and the order that it has stored."""
    requests.append(kind)
    if kind == "busy" and requests.count(kind) == 1:
        return 503, None
    orders.append(kind)
    return (204, None) if kind == "empty" else (201, {"order": orders.count(kind)})

if name == "drf-idem":
    from wsgiref.simple_server import WSGIRequestHandler, make_server

    import django
    from django.conf import settings
    memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    settings.configure(
        SECRET_KEY="finding", ALLOWED_HOSTS=["*"], ROOT_URLCONF="__main__", INSTALLED_APPS=["rest_framework", "drf_idem"],
        CACHES={"default": memory, "drf_idem": memory}, MIDDLEWARE=["drf_idem.middleware.IdempotencyMiddleware"],
        DRF_IDEM={"HEADER": "HTTP_IDEMPOTENCY_KEY"},
        REST_FRAMEWORK={"DEFAULT_AUTHENTICATION_CLASSES": [], "UNAUTHENTICATED_USER": None})
    django.setup()
    from django.core.wsgi import get_wsgi_application
    from django.urls import path
    from rest_framework.decorators import api_view
    from rest_framework.response import Response

    @api_view(["POST"])
    def post(request, kind):
        status, order = carry_out(kind)
        return Response(order, status)

    @api_view(["GET"])
    def stored(request):
        return Response(orders)

    class Handler(WSGIRequestHandler):
        def log_message(self, *arguments):
            pass

    urlpatterns = [path("orders", stored), path("orders/<kind>", post)]
    make_server("127.0.0.1", port, get_wsgi_application(), handler_class=Handler).serve_forever()
else:
    import uvicorn
    from fastapi import FastAPI, Response
    from fastapi.responses import JSONResponse
    from idemkit import IdempotencyMiddleware, InMemoryBackend
    logging.disable(logging.CRITICAL)
    application = FastAPI()
    application.add_middleware(IdempotencyMiddleware, backend=InMemoryBackend())

    @application.post("/orders/{kind}")
    async def post(kind: str):
        status, order = carry_out(kind)
        return JSONResponse(order, status) if order else Response(status_code=status)

    @application.get("/orders")
    async def stored():
        return orders

    uvicorn.run(application, host="127.0.0.1", port=port, log_level="critical")
PYTHON

for name in drf-idem idemkit; do
  port=$(free_port)
  start "$port" python "$work/orders.py" "$name" "$port"
  for kind in paid busy empty; do
    printf '%s, %s, two attempts with one key:' "$name" "$kind"
    for _ in 1 2; do
      curl --silent --request POST --header "Idempotency-Key: 7d1f9a2e-$kind" --header 'Content-Type: application/json' --data '{"amount": 5}' \
        --write-out ' %{http_code}' --output "$work/body" "http://127.0.0.1:$port/orders/$kind"
      [ ! -s "$work/body" ] || printf ' %s' "$(tr -d ' ' <"$work/body")"
      : >"$work/body"
    done
    echo "; orders stored: $(curl --silent "http://127.0.0.1:$port/orders" | grep -o "\"$kind\"" | wc -l)"
  done
  stop "$server"
done >"$work/seen"

compare "$work/seen" <<'RECORDED'
drf-idem, paid, two attempts with one key: 201 {"order":1} 201 {"order":1}; orders stored: 2
drf-idem, busy, two attempts with one key: 503 503; orders stored: 1
drf-idem, empty, two attempts with one key: 204 204; orders stored: 2
idemkit, paid, two attempts with one key: 201 {"order":1} 201 {"order":1}; orders stored: 1
idemkit, busy, two attempts with one key: 503 201 {"order":1}; orders stored: 1
idemkit, empty, two attempts with one key: 204 204; orders stored: 2
RECORDED
