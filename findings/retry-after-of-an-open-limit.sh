#!/usr/bin/env bash
# A rate limiter adds `Retry-After` to every response, so a service that was unavailable for a moment seems to ask for an hour.
#
# Expected: `Retry-After` is on the 429 that refuses a request, and a 503 without one asks for nothing (RFC 9110 section 10.2.3).
# Seen: with headers enabled, Flask-Limiter and slowapi set it on each response that a handler returns, to the seconds until the limit's
# window ends, also where 999 of 1,000 requests are left. A 503 says 3600.
# Who is hurt: a client that honors the header on a 503, as RFC 9110 has it, waits an hour or gives up where another attempt in 200 ms would
# have succeeded. urllib3 takes it so without any setting of its own.
# Errand: a `Retry-After` that is the end of a limit of which requests are left does not count, except on a 429.
# Seen on 2026-11-29.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages Flask-Limiter==4.1.1 Flask==3.1.3 slowapi==0.1.10 fastapi==0.165.0 httpx==0.28.1 limits==5.8.0 urllib3==2.6.1

cat >"$work/limited.py" <<'PYTHON'
import fastapi
import fastapi.testclient
import flask
import flask_limiter
import flask_limiter.util
import slowapi
import slowapi.util
import urllib3.util

def told(name, response):
    headers = {key.lower(): value for key, value in response.headers.items()}
    wait = int(headers["retry-after"])
    print(f"{name}: {response.status_code}, {headers['x-ratelimit-remaining']} of {headers['x-ratelimit-limit']} left, "
          f"Retry-After {'of an hour' if 3590 <= wait <= 3601 else wait}")
    again = urllib3.util.Retry(1).is_retry("GET", response.status_code, has_retry_after=True)
    if response.status_code == 503:
        print(f"  urllib3 sends it again after that time: {again}")

pages = flask.Flask("pages")
flask_limiter.Limiter(
    flask_limiter.util.get_remote_address, app=pages, default_limits=["1000 per hour"], headers_enabled=True,
    storage_uri="memory://")

@pages.get("/fine")
def fine():
    return {}

@pages.get("/busy")
def busy():
    return {}, 503

for path in ("/fine", "/busy"):
    told(f"Flask-Limiter {path}", pages.test_client().get(path))

application = fastapi.FastAPI()
limiter = slowapi.Limiter(key_func=slowapi.util.get_remote_address, headers_enabled=True)
application.state.limiter = limiter

for path, status in (("/fine", 200), ("/busy", 503)):
    def add(status):
        async def endpoint(request: fastapi.Request, response: fastapi.Response):
            response.status_code = status
            return {}
        endpoint.__name__ = f"endpoint{status}"
        return limiter.limit("1000/hour")(endpoint)
    application.get(path)(add(status))

client = fastapi.testclient.TestClient(application)
for path in ("/fine", "/busy"):
    told(f"slowapi {path}", client.get(path))
PYTHON
python "$work/limited.py" >"$work/seen"
compare "$work/seen" <<'SEEN'
Flask-Limiter /fine: 200, 999 of 1000 left, Retry-After of an hour
Flask-Limiter /busy: 503, 999 of 1000 left, Retry-After of an hour
  urllib3 sends it again after that time: True
slowapi /fine: 200, 999 of 1000 left, Retry-After of an hour
slowapi /busy: 503, 999 of 1000 left, Retry-After of an hour
  urllib3 sends it again after that time: True
SEEN
