#!/usr/bin/env bash
# A limiter asks for 4,000 seconds where it means four, and two others let a client that waits as asked be refused again.
#
# Expected: `Retry-After` is a number of seconds (RFC 9110 section 10.2.3), and a client that waits so long is served. A client that
# stays below the limit is never refused.
# Seen: act-ratelimit writes the milliseconds that are left into `Retry-After`. fastapi-throttle and flask-ratelimit-simple round down, so
# a client that waits as asked comes a moment too early; the second refusal asks for nothing, or for 0 seconds. fastapi-simple-rate-limiter
# counts up as long as no pause is longer than the window: with a limit of 3 requests in 2 seconds, a client that sends one each 1.5
# seconds is refused each time after three.
# Who is hurt: a client that honors the header waits for 16 hours where a minute is meant, or gives up. With 0 seconds, a client
# spends all of its attempts within a moment.
# Errand: with `rateLimit: {reset: Retry-After, unit: milliseconds}`, a contract says what the number means. Without it, a number above
# 3,600 ends the command at once, and a smaller one holds all commands to the endpoint for so long. Retries have a pause that grows, also
# where the header says 0.
# Seen on 2026-11-30.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages act-ratelimit==1.0.0 'fakeredis[lua]==2.41.0' fastapi-throttle==0.1.8 fastapi-simple-rate-limiter==0.0.7 fastapi==0.115.14 \
  uvicorn==0.54.0 flask-ratelimit-simple==1.0.3 Flask==3.1.3

cat >"$work/shop.py" <<'PYTHON'
import logging
import sys

name, port = sys.argv[1], int(sys.argv[2])
logging.disable(logging.CRITICAL)

if name == "flask-ratelimit-simple":
    import flask
    import flask_ratelimit_simple
    application = flask.Flask("shop")

    @application.get("/orders")
    @flask_ratelimit_simple.rate_limit("orders", limit=2, period=4)
    def orders():
        return []

    application.run("127.0.0.1", port)
    sys.exit()

import contextlib
import fastapi
import uvicorn

@contextlib.asynccontextmanager
async def lifespan(application):
    if name == "act-ratelimit":
        import act_ratelimit
        import act_ratelimit.backends
        import fakeredis
        await act_ratelimit.ACTRatelimit.init(act_ratelimit.backends.RedisBackend(fakeredis.FakeAsyncRedis(decode_responses=True)))
    yield

application = fastapi.FastAPI(lifespan=lifespan)
if name == "act-ratelimit":
    import act_ratelimit.depends

    @application.get("/orders", dependencies=[fastapi.Depends(act_ratelimit.depends.RateLimiter(times=2, seconds=4))])
    async def orders():
        return []
elif name == "fastapi-throttle":
    import fastapi_throttle

    @application.get("/orders", dependencies=[fastapi.Depends(fastapi_throttle.RateLimiter(times=2, seconds=4))])
    async def orders():
        return []
else:
    import fastapi_simple_rate_limiter

    @application.get("/orders")
    @fastapi_simple_rate_limiter.rate_limiter(limit=3, seconds=2)
    async def orders(request: fastapi.Request):
        return []

uvicorn.run(application, host="127.0.0.1", port=port, log_level="critical")
PYTHON
cat >"$work/client.py" <<'PYTHON'
import http.client
import sys
import time

name, port = sys.argv[1], int(sys.argv[2])

def get():
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/orders")
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status, response.headers.get("Retry-After")

def text(status, pause):
    if status != 429:
        return str(status)
    if pause is None:
        return "429 without a pause"
    return f"429, {int(pause)} s" if int(pause) < 100 else f"429, about {round(int(pause), -3)} s"

if name == "fastapi-simple-rate-limiter":
    seen = []
    for _ in range(8):
        seen.append(str(get()[0]))
        time.sleep(1.5)
    print(f"{name}, 3 in 2 s, one each 1.5 s: {' '.join(seen)}")
else:
    seen = [get(), get(), get()]
    asked = min(int(seen[-1][1]), 4)
    time.sleep(asked + 0.1)
    after = get()
    time.sleep(1)
    print(f"{name}, 2 in 4 s: {'; '.join(text(*one) for one in seen)}; after {asked} s: {text(*after)}; a second later: {text(*get())}")
PYTHON

cd "$work"
for name in act-ratelimit fastapi-throttle flask-ratelimit-simple fastapi-simple-rate-limiter; do
  port=$(free_port)
  start "$port" python shop.py "$name" "$port"
  python client.py "$name" "$port"
  stop "$server"
done >seen

compare seen <<'RECORDED'
act-ratelimit, 2 in 4 s: 200; 200; 429, about 4000 s; after 4 s: 200; a second later: 200
fastapi-throttle, 2 in 4 s: 200; 200; 429, 3 s; after 3 s: 429 without a pause; a second later: 200
flask-ratelimit-simple, 2 in 4 s: 200; 200; 429, 3 s; after 3 s: 429, 0 s; a second later: 200
fastapi-simple-rate-limiter, 3 in 2 s, one each 1.5 s: 200 200 200 429 200 200 200 429
RECORDED
