#!/usr/bin/env bash
# An expired token is stored under the idempotency key, so the repeat with a new token gets the old 401 again.
#
# Expected: a package for idempotency keys stores what a command has done. A refusal before it (401, 429, 503) did nothing, so the
# same key is carried out as soon as the token is new, or the pause is over.
# Seen: fastapi-idempotency, ichido, asgi-idempotency-header, fastidempotent and drf-idempotency store each refusal below 500, and
# ichido, asgi-idempotency-header and fastidempotent the 503 as well. For an hour or a day, each repeat with the key is the refusal,
# with its `Retry-After` as well, except with asgi-idempotency-header, which keeps no header. fastapi-idempotency-key does it right.
# Who is hurt: a client that refreshes its token and repeats the command with its key, as it should. It gets 401 with a token that is
# a second old, and concludes that the session is over. A client that waits as asked is refused until it gives up, although the
# server is idle. A new key would be carried out, but a client must not make one as long as a command could have been carried out.
# Errand: since this finding, a command has a new key for its next attempt if no attempt was carried out and the refusal is a stored
# one: it says so (`Idempotent-Replayed: true`), or refuses the token. Otherwise the key stays. It does not know the mark of
# ichido, `x-ichido-status: replayed`. A command of an outbox keeps its key.
# Seen on 2026-11-30.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages fastapi-idempotency==0.1.1 ichido==0.1.0 fakeredis==2.41.0 asgi-idempotency-header==0.2.0 fastidempotent==0.1.0 \
  drf-idempotency==1.0.0 fastapi-idempotency-key==0.1.1 fastapi==0.165.0 starlette==1.10.0 uvicorn==0.54.0 Django==5.2.19 \
  djangorestframework==3.18.3

cat >"$work/orders.py" <<'PYTHON'
import logging
import sys

name, port, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
logging.disable(logging.CRITICAL)
orders = []
requests = []

def carry_out(kind, token):
    """The status of an attempt, and its header."""
    requests.append(kind)
    if token != "Bearer new":
        return 401, {"WWW-Authenticate": "Bearer"}
    if requests.count(kind) == 1 and kind in ("limited", "busy"):
        return {"limited": 429, "busy": 503}[kind], {"Retry-After": "1"}
    orders.append(kind)
    return 201, {}

if name == "drf-idempotency":
    from wsgiref.simple_server import WSGIRequestHandler, make_server

    import django
    from django.conf import settings
    settings.configure(
        SECRET_KEY="finding", ALLOWED_HOSTS=["*"], ROOT_URLCONF="__main__", INSTALLED_APPS=["rest_framework", "drf_idempotency"],
        MIDDLEWARE=["drf_idempotency.middleware.IdempotencyMiddleware"], USE_TZ=True,
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{folder}/keys-{port}"}},
        REST_FRAMEWORK={"DEFAULT_AUTHENTICATION_CLASSES": [], "UNAUTHENTICATED_USER": None})
    django.setup()
    from django.core.management import call_command
    from django.core.wsgi import get_wsgi_application
    from django.urls import path
    from rest_framework.decorators import api_view
    from rest_framework.response import Response
    call_command("migrate", verbosity=0)

    @api_view(["POST"])
    def post(request, kind):
        status, headers = carry_out(kind, request.headers.get("Authorization"))
        return Response({}, status, headers=headers)

    @api_view(["GET"])
    def stored(request):
        return Response(orders)

    class Handler(WSGIRequestHandler):
        def log_message(self, *arguments):
            pass

    urlpatterns = [path("orders", stored), path("orders/<kind>", post)]
    make_server("127.0.0.1", port, get_wsgi_application(), handler_class=Handler).serve_forever()

import fastapi
import uvicorn
application = fastapi.FastAPI()
if name == "fastapi-idempotency":
    import fastapi_idempotency
    application.add_middleware(fastapi_idempotency.IdempotencyMiddleware)
elif name == "ichido":
    import fakeredis
    import ichido
    store = ichido.RedisIdempotencyStore(fakeredis.FakeAsyncRedis(decode_responses=True))
    application.add_middleware(ichido.IchidoMiddleware, store=store)
elif name == "asgi-idempotency-header":
    import idempotency_header_middleware
    import idempotency_header_middleware.backends
    backend = idempotency_header_middleware.backends.MemoryBackend()
    application.add_middleware(idempotency_header_middleware.IdempotencyHeaderMiddleware, backend=backend)
elif name == "fastidempotent":
    import fastidempotent
    application.add_middleware(fastidempotent.IdempotencyMiddleware, backend=fastidempotent.MemoryBackend())
else:
    import fastapi_idempotency_key
    application.add_middleware(fastapi_idempotency_key.IdempotencyMiddleware)

@application.post("/orders/{kind}")
async def post(kind: str, authorization: str = fastapi.Header("")):
    status, headers = carry_out(kind, authorization)
    return fastapi.responses.JSONResponse({}, status, headers)

@application.get("/orders")
async def stored():
    return orders

uvicorn.run(application, host="127.0.0.1", port=port, log_level="critical")
PYTHON

attempt() { # KIND TOKEN KEY: the status
  curl --silent --request POST --header "Idempotency-Key: 7d1f9a2e-0000-4000-8000-00000000000$3" --header "Authorization: Bearer $2" \
    --header 'Content-Type: application/json' --data '{"amount": 5}' --write-out ' %{http_code}' --output "$work/body" \
    "http://127.0.0.1:$port/orders/$1"
}

for name in fastapi-idempotency ichido asgi-idempotency-header fastidempotent drf-idempotency fastapi-idempotency-key; do
  port=$(free_port)
  start "$port" python "$work/orders.py" "$name" "$port" "$work"
  printf '%s: old token%s, new token%s' "$name" "$(attempt token old 1)" "$(attempt token new 1)"
  printf '; limit%s' "$(attempt limited new 2)"
  sleep 1.1
  printf ', after the pause%s' "$(attempt limited new 2)"
  printf '; busy%s' "$(attempt busy new 3)"
  sleep 1.1
  printf ', after the pause%s' "$(attempt busy new 3)"
  echo "; orders stored: $(curl --silent "http://127.0.0.1:$port/orders" | grep -oE 'token|limited|busy' | wc -l)"
  stop "$server"
done >"$work/seen"

compare "$work/seen" <<'RECORDED'
fastapi-idempotency: old token 401, new token 401; limit 429, after the pause 429; busy 503, after the pause 201; orders stored: 1
ichido: old token 401, new token 401; limit 429, after the pause 429; busy 503, after the pause 503; orders stored: 0
asgi-idempotency-header: old token 401, new token 401; limit 429, after the pause 429; busy 503, after the pause 503; orders stored: 0
fastidempotent: old token 401, new token 401; limit 429, after the pause 429; busy 503, after the pause 503; orders stored: 0
drf-idempotency: old token 401, new token 401; limit 429, after the pause 429; busy 503, after the pause 201; orders stored: 1
fastapi-idempotency-key: old token 401, new token 201; limit 429, after the pause 201; busy 503, after the pause 201; orders stored: 3
RECORDED
