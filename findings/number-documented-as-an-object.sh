#!/usr/bin/env bash
# The OpenAPI document says that an amount is an object of 55 members, and that each number has 32 bits.
#
# Expected: a field of the type `int` is an `integer` without a format or with `int64`, a `Decimal` a number or a text, a tuple an
# array.
# Seen: Sanic Extensions documents each `int` as `int32`, and sends 5000000000. It takes each type that it does not know for a class
# with members, and lists the methods of Python's classes as properties: a `Decimal` is an object with `adjusted`, `as_integer_ratio`
# and 53 more, and a tuple one with `count` and `index`. In the response, the amount is a number, and the tuple an array.
# Quart-Schema documents the same class as it sends it.
# Who is hurt: a client that is generated from the document fails to decode each response with an amount or a position, from the
# first one on. With `int32`, it works until the first number above 2147483647, and then fails for the new orders alone.
# Errand: import could read `int32` as 64 bits, since no service is hurt by it, and could mark an object for review whose members are
# all objects without members. `errand replay` shows the difference from recorded traffic.
# Seen on 2026-11-30.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages sanic==25.12.1 sanic-ext==25.12.0 sanic-routing==23.12.0 quart-schema==0.25.0 Quart==0.22.0 pydantic==2.14.4

cat >"$work/shop.py" <<'PYTHON'
import dataclasses
import decimal
import sys

name, port = sys.argv[1], int(sys.argv[2])

@dataclasses.dataclass
class Order:
    number: int
    amount: decimal.Decimal
    place: tuple[float, float]

order = Order(5_000_000_000, decimal.Decimal("12.50"), (52.5, 13.4))

if name == "sanic-ext":
    import sanic
    import sanic_ext
    application = sanic.Sanic("shop")

    @application.get("/order")
    @sanic_ext.openapi.response(200, {"application/json": Order})
    async def show(request):
        return sanic.json(vars(order))

    if __name__ == "__main__":
        application.run("127.0.0.1", port, single_process=True, motd=False, access_log=False)
else:
    import quart
    import quart_schema
    application = quart.Quart("shop")
    quart_schema.QuartSchema(application)

    @application.get("/order")
    @quart_schema.validate_response(Order)
    async def show():
        return order

    application.run("127.0.0.1", port)
PYTHON
cat >"$work/client.py" <<'PYTHON'
import json
import sys
import urllib.request

name, base = sys.argv[1:]
document = json.load(urllib.request.urlopen(base + ("/docs/openapi.json" if name == "sanic-ext" else "/openapi.json")))
order = json.load(urllib.request.urlopen(base + "/order"))
schema = document["paths"]["/order"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
for field, said in schema["properties"].items():
    members = list(said.get("properties", {}))
    text = said["type"] + (" " + said["format"] if "format" in said else "")
    text += f" of {len(members)} members ({', '.join(members[:2])})" if members else ""
    print(f"{name}, {field}: {text} in the document, {json.dumps(order[field])} in the response")
PYTHON

cd "$work"
for name in sanic-ext quart-schema; do
  port=$(free_port)
  start "$port" python shop.py "$name" "$port"
  python client.py "$name" "http://127.0.0.1:$port"
  stop "$server"
done >seen

compare seen <<'RECORDED'
sanic-ext, number: integer int32 in the document, 5000000000 in the response
sanic-ext, amount: object of 55 members (adjusted, as_integer_ratio) in the document, 12.5 in the response
sanic-ext, place: object of 2 members (count, index) in the document, [52.5, 13.4] in the response
quart-schema, amount: string in the document, "12.50" in the response
quart-schema, number: integer in the document, 5000000000 in the response
quart-schema, place: array in the document, [52.5, 13.4] in the response
RECORDED
