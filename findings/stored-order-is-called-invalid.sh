#!/usr/bin/env bash
# An order is stored, and the response says that the request was invalid.
#
# Expected: an exception of a handler that has begun is a fault of the server, so its response is 500 (RFC 9110 section 15.6.1).
# Seen: Ravyn and BlackSheep validate the body of a request with Pydantic, and turn each ValidationError into 422 or 400, also one that
# the handler raises when it builds its response. The order is stored by then. The body names a member of the response, which is not in
# the request. FastAPI, Litestar, Lilya, Quart-Schema and aiohttp-pydantic respond with 500.
# Who is hurt: a response model often refuses what an old row has: a missing name, a status of another version. The client takes 4xx as
# "not carried out", the user corrects an input that was valid, and sends a second order. A form shows an error at a member that it
# does not have.
# Errand: takes each 4xx but 408 as a proof that a POST was not carried out, so the command ends as `rejected` and `applied: never`. A
# contract for such a service declares an error for the status with `applied: maybe`.
# Seen on 2026-11-30.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages ravyn==0.4.3 blacksheep==2.6.4 fastapi==0.165.0 litestar==2.25.0 lilya==0.29.0 quart-schema==0.25.0 Quart==0.22.0 \
  aiohttp-pydantic==2.6.0 aiohttp==3.14.5 uvicorn==0.54.0 pydantic==2.12.5

cat >"$work/orders.py" <<'PYTHON'
import logging
import sys
import pydantic

name, port = sys.argv[1], int(sys.argv[2])
logging.disable(logging.CRITICAL)
orders = []

class NewOrder(pydantic.BaseModel):
    amount: int

class Order(pydantic.BaseModel):
    number: int
    customer: str

def store(amount):
    """Stores an order. The customer of today has no name, which the model of the response requires."""
    orders.append(amount)
    return Order(number=len(orders), customer=None).model_dump()

if name == "Ravyn":
    from ravyn import Gateway, Ravyn, get, post

    @post("/orders")
    async def create(data: NewOrder) -> dict:
        return store(data.amount)

    @get("/count")
    async def count() -> str:
        return str(len(orders))

    application = Ravyn(routes=[Gateway(handler=create), Gateway(handler=count)])
elif name == "BlackSheep":
    from blacksheep import Application, text
    application = Application()

    @application.router.post("/orders")
    async def create(data: NewOrder):
        return store(data.amount)

    @application.router.get("/count")
    async def count():
        return text(str(len(orders)))
elif name == "FastAPI":
    from fastapi import FastAPI
    application = FastAPI()

    @application.post("/orders")
    async def create(data: NewOrder):
        return store(data.amount)

    @application.get("/count")
    async def count():
        return len(orders)
elif name == "Litestar":
    from litestar import Litestar, get, post

    @post("/orders")
    async def create(data: NewOrder) -> dict:
        return store(data.amount)

    @get("/count")
    async def count() -> int:
        return len(orders)

    application = Litestar([create, count])
elif name == "Lilya":
    from lilya.apps import Lilya
    from lilya.responses import PlainText
    from lilya.routing import Path

    async def create(request):
        return store(NewOrder(**await request.json()).amount)

    async def count():
        return PlainText(str(len(orders)))

    application = Lilya(routes=[Path("/orders", create, methods=["POST"]), Path("/count", count)])
elif name == "Quart-Schema":
    from quart import Quart
    from quart_schema import QuartSchema, validate_request
    application = Quart("shop")
    QuartSchema(application)

    @application.post("/orders")
    @validate_request(NewOrder)
    async def create(data):
        return store(data.amount)

    @application.get("/count")
    async def count():
        return str(len(orders))
else:
    from aiohttp import web
    from aiohttp_pydantic import PydanticView

    class Orders(PydanticView):
        async def post(self, data: NewOrder):
            return web.json_response(store(data.amount))

    async def count(request):
        return web.Response(text=str(len(orders)))

    application = web.Application()
    application.router.add_view("/orders", Orders)
    application.router.add_get("/count", count)
    web.run_app(application, host="127.0.0.1", port=port, print=None)
    sys.exit()

import uvicorn
uvicorn.run(application, host="127.0.0.1", port=port, log_level="critical")
PYTHON

cd "$work"
for name in Ravyn BlackSheep FastAPI Litestar Lilya Quart-Schema aiohttp-pydantic; do
  port=$(free_port)
  start "$port" python orders.py "$name" "$port"
  status=$(curl --silent --output body --write-out '%{http_code}' --header 'Content-Type: application/json' --data '{"amount": 5}' \
    "http://127.0.0.1:$port/orders")
  stored=$(curl --silent "http://127.0.0.1:$port/count" | tr -d '"')
  names=$(grep -q '"customer"' body && echo 'names `customer`' || echo 'names no member')
  echo "$name: $status, $names; orders stored: $stored"
  stop "$server"
done >seen

compare seen <<'RECORDED'
Ravyn: 422, names `customer`; orders stored: 1
BlackSheep: 400, names `customer`; orders stored: 1
FastAPI: 500, names no member; orders stored: 1
Litestar: 500, names no member; orders stored: 1
Lilya: 500, names no member; orders stored: 1
Quart-Schema: 500, names no member; orders stored: 1
aiohttp-pydantic: 500, names no member; orders stored: 1
RECORDED
