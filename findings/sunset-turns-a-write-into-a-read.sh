#!/usr/bin/env bash
# An endpoint that is past its sunset redirects a POST with 301, so the payment arrives at its successor as a GET without a body.
#
# Expected: after the day of `Sunset` (RFC 8594), an endpoint with an alternative redirects with 308, which keeps the method, or
# responds with 410. The page of fastapi-deprecation says 308.
# Seen: fastapi-deprecation responds with 301 unless `alternative_status` is given. A client that does what browsers do (Fetch
# standard; RFC 9110 section 15.4.2 allows it) repeats the POST as a GET without a body. An endpoint that has both methods responds
# with 200. Without an alternative, the response is 410.
# Who is hurt: an app whose payments stop on the day of the sunset, and whose client reports each of them as a success.
# Errand: does not follow 301 of a POST. The command fails with the status, and an error for it can be declared.
# Seen on 2026-11-29.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages fastapi-deprecation==0.5.2 fastapi==0.165.0 httpx==0.28.1

cat >"$work/sunset.py" <<'PYTHON'
import asyncio
import fastapi
import fastapi_deprecation
import httpx

application = fastapi.FastAPI()
arrived = []

@application.post("/v1/payments")
@fastapi_deprecation.deprecated(sunset_date="2021-01-01", alternative="/v2/payments")
async def old():
    return {}

@application.post("/v1/orders")
@fastapi_deprecation.deprecated(sunset_date="2021-01-01")
async def gone():
    return {}

@application.api_route("/v2/payments", methods=["GET", "POST"])
async def new(request: fastapi.Request):
    arrived.append(f"{request.method} with {len(await request.body())} bytes")
    return {}

async def main():
    transport = httpx.ASGITransport(application)
    async with httpx.AsyncClient(transport=transport, base_url="http://service.example") as client:
        print("with an alternative:", (await client.post("/v1/payments", json={"amount": 3})).status_code)
        print("without one:", (await client.post("/v1/orders", json={"amount": 3})).status_code)
    async with httpx.AsyncClient(transport=transport, base_url="http://service.example", follow_redirects=True) as client:
        response = await client.post("/v1/payments", json={"amount": 3})
        print("followed:", response.status_code, "·", ", ".join(arrived))

asyncio.run(main())
PYTHON
python "$work/sunset.py" >"$work/seen"
compare "$work/seen" <<'SEEN'
with an alternative: 301
without one: 410
followed: 200 · GET with 0 bytes
SEEN
