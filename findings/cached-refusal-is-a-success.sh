#!/usr/bin/env bash
# A cache turns a 503 into 200 with the body of the error, and a 204 or a redirect into JSON about itself.
#
# Expected: a cache responds with the status, the type and the headers of the response that it stored (RFC 9111 section 3), and does not
# store a 503 or a 404 that names no lifetime (section 3, RFC 9110 section 15.1).
# Seen: fastapi-cache2, fastapi-cacher and fastapi-cache-pro store what the handler returns. From the second request on, a `JSONResponse`
# with 503 or 404 is 200 with the body of the error, without its `Retry-After`, for the whole time of the cache. With the first two, a
# 204, a redirect and a CSV file are 200 and a JSON object with the members of Python's response, such as `raw_headers`, and an image is
# 500 each time. All lose the handler's headers. fastapi-cachex and fastapi-cachekit do it right.
# Who is hurt: a client that is asked to wait, and then gets a success that it cannot read, or reads as an empty value. A client that
# counts pages with `X-Total` loses the number with the second request. An order that was created meanwhile is "no such order".
# Errand: a body without the required members is `malformed`, and is not asked for again; with optional ones alone, it is a success without
# values. A contract for such a service can name the error by its body (`when: {body: …}`), whatever the status is.
# Seen on 2026-12-01.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages fastapi==0.165.0 starlette==1.10.0 uvicorn==0.54.0 fastapi-cache2==0.2.2 fastapi-cacher==0.3.3 fastapi-cache-pro==0.1.0 \
  fastapi-cachex==0.5.1 fastapi-cachekit==0.2.1 APScheduler==3.11.3 Jinja2==3.1.6

cat >"$work/shop.py" <<'PYTHON'
import logging
import sys

name, port = sys.argv[1], int(sys.argv[2])
logging.disable(logging.CRITICAL)
import fastapi
import uvicorn
from fastapi.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
application = fastapi.FastAPI()

if name == "fastapi-cache2":
    from fastapi_cache import FastAPICache
    from fastapi_cache.backends.inmemory import InMemoryBackend
    from fastapi_cache.decorator import cache
    FastAPICache.init(InMemoryBackend())
    cached = cache(expire=60)
elif name == "fastapi-cacher":
    from fastapi_cacher import Cache
    cached = Cache().cached(timeout=60)
elif name == "fastapi-cache-pro":
    from fastapi_cache_pro import cache, setup_cache
    setup_cache()
    cached = cache(ttl=60)
elif name == "fastapi-cachex":
    from fastapi_cachex import BackendProxy, cache
    from fastapi_cachex.backends import MemoryBackend
    BackendProxy.set(MemoryBackend())
    cached = cache(ttl=60)
else:
    from fast_cache import InMemoryBackend, cache
    cache.init_app(app=application, backend=InMemoryBackend(), default_expire=60)
    cached = cache.cached(expire=60)

@application.get("/busy")
@cached
async def busy(request: fastapi.Request, response: Response):
    return JSONResponse({"error": "busy"}, 503, {"Retry-After": "1"})

@application.get("/order")
@cached
async def order(request: fastapi.Request, response: Response):
    return JSONResponse({"error": "no such order"}, 404)

@application.get("/nothing")
@cached
async def nothing(request: fastapi.Request, response: Response):
    return Response(status_code=204)

@application.get("/moved")
@cached
async def moved(request: fastapi.Request, response: Response):
    return RedirectResponse("/order")

@application.get("/table")
@cached
async def table(request: fastapi.Request, response: Response):
    return Response("amount\n12\n", media_type="text/csv")

@application.get("/image")
@cached
async def image(request: fastapi.Request, response: Response):
    return Response(b"\x89PNG\xff", media_type="image/png")

@application.get("/list")
@cached
async def list(request: fastapi.Request, response: Response):
    return JSONResponse([1, 2], headers={"X-Total": "7"})

uvicorn.run(application, host="127.0.0.1", port=port, log_level="critical")
PYTHON
cat >"$work/client.py" <<'PYTHON'
import http.client
import sys

name, port = sys.argv[1], int(sys.argv[2])

def get(path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    seen = [str(response.status), (response.headers["Content-Type"] or "").partition(";")[0]]
    seen += [f"{header}: {response.headers[header]}" for header in ("Retry-After", "Location", "X-Total") if response.headers[header]]
    text = body.decode(errors="replace")
    seen.append("the members of a response" if "raw_headers" in text else repr(text) if text.isascii() else f"{len(body)} bytes")
    return " ".join(part for part in seen if part)

for path in ("/busy", "/order", "/nothing", "/moved", "/table", "/image", "/list"):
    first, second = get(path), get(path)
    if first != second or first.startswith("500"):
        print(f"{name}, {path}: {first}, and then {second}")
    else:
        print(f"{name}, {path}: {first}, and then the same")
PYTHON

for name in fastapi-cache2 fastapi-cacher fastapi-cache-pro fastapi-cachex fastapi-cachekit; do
  port=$(free_port)
  start "$port" python "$work/shop.py" "$name" "$port"
  python "$work/client.py" "$name" "$port"
  stop "$server"
done >"$work/seen"

compare "$work/seen" <<'RECORDED'
fastapi-cache2, /busy: 503 application/json Retry-After: 1 '{"error":"busy"}', and then 200 application/json '{"error":"busy"}'
fastapi-cache2, /order: 404 application/json '{"error":"no such order"}', and then 200 application/json '{"error":"no such order"}'
fastapi-cache2, /nothing: 204 '', and then 200 application/json the members of a response
fastapi-cache2, /moved: 307 Location: /order '', and then 200 application/json the members of a response
fastapi-cache2, /table: 200 text/csv 'amount\n12\n', and then 200 application/json the members of a response
fastapi-cache2, /image: 500 text/plain 'Internal Server Error', and then 500 text/plain 'Internal Server Error'
fastapi-cache2, /list: 200 application/json X-Total: 7 '[1,2]', and then 200 application/json '[1,2]'
fastapi-cacher, /busy: 503 application/json Retry-After: 1 '{"error":"busy"}', and then 200 application/json '{"error":"busy"}'
fastapi-cacher, /order: 404 application/json '{"error":"no such order"}', and then 200 application/json '{"error":"no such order"}'
fastapi-cacher, /nothing: 204 '', and then 200 application/json the members of a response
fastapi-cacher, /moved: 307 Location: /order '', and then 200 application/json the members of a response
fastapi-cacher, /table: 200 text/csv 'amount\n12\n', and then 200 application/json the members of a response
fastapi-cacher, /image: 500 text/plain 'Internal Server Error', and then 500 text/plain 'Internal Server Error'
fastapi-cacher, /list: 200 application/json X-Total: 7 '[1,2]', and then 200 application/json '[1,2]'
fastapi-cache-pro, /busy: 503 application/json Retry-After: 1 '{"error":"busy"}', and then 200 application/json '{"error":"busy"}'
fastapi-cache-pro, /order: 404 application/json '{"error":"no such order"}', and then 200 application/json '{"error":"no such order"}'
fastapi-cache-pro, /nothing: 204 '', and then the same
fastapi-cache-pro, /moved: 307 Location: /order '', and then the same
fastapi-cache-pro, /table: 200 text/csv 'amount\n12\n', and then the same
fastapi-cache-pro, /image: 200 image/png 5 bytes, and then the same
fastapi-cache-pro, /list: 200 application/json X-Total: 7 '[1,2]', and then 200 application/json '[1,2]'
fastapi-cachex, /busy: 503 application/json Retry-After: 1 '{"error":"busy"}', and then the same
fastapi-cachex, /order: 404 application/json '{"error":"no such order"}', and then the same
fastapi-cachex, /nothing: 204 '', and then the same
fastapi-cachex, /moved: 307 Location: /order '', and then the same
fastapi-cachex, /table: 200 text/csv 'amount\n12\n', and then the same
fastapi-cachex, /image: 200 image/png 5 bytes, and then the same
fastapi-cachex, /list: 200 application/json X-Total: 7 '[1,2]', and then the same
fastapi-cachekit, /busy: 503 application/json Retry-After: 1 '{"error":"busy"}', and then the same
fastapi-cachekit, /order: 404 application/json '{"error":"no such order"}', and then the same
fastapi-cachekit, /nothing: 204 '', and then the same
fastapi-cachekit, /moved: 307 Location: /order '', and then the same
fastapi-cachekit, /table: 200 text/csv 'amount\n12\n', and then the same
fastapi-cachekit, /image: 200 image/png 5 bytes, and then the same
fastapi-cachekit, /list: 200 application/json X-Total: 7 '[1,2]', and then the same
RECORDED
