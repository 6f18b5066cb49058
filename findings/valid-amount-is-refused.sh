#!/usr/bin/env bash
# A service that takes amounts in whole cents refuses 0.07 and accepts 0.08.
#
# Expected: with `multipleOf: 0.01`, each amount with two digits behind the point is valid, and one with three is not (JSON Schema
# validation section 6.2.1).
# Seen: jsonschema divides in binary and compares the quotient with a whole number. So openapi-core, connexion, and Falcon with its
# `jsonschema.validate` refuse 159 of the 1,000 amounts up to 10.00, with 400. msgspec refuses 990 of them: in Litestar, each amount but
# for a few is 400. pydantic (FastAPI), fastjsonschema and jsonschema-rs accept all of them. All of them refuse 0.005.
# Who is hurt: a user who can pay 19.98 and not 19.99. The app says that the input is invalid, which it is not, and each retry ends in
# the same way. Tests with 1.50 or 12.00 pass.
# Errand: sends a `decimal` as its digits, so the service gets 0.07 and no neighbor of it. A document with such a schema is right; its
# server should take cents as an integer, or a text.
# Seen on 2026-12-01.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages jsonschema==4.26.0 openapi-core==0.23.1 openapi-schema-validator==0.8.1 Flask==3.1.3 connexion==3.3.0 falcon==4.4.0 \
  litestar==2.25.0 msgspec==0.23.0 fastapi==0.165.0 starlette==1.10.0 pydantic==2.14.4 uvicorn==0.54.0 a2wsgi==1.10.10 \
  fastjsonschema==2.22.3 jsonschema-rs==0.61.2

cat >"$work/shop.py" <<'PYTHON'
import json
import logging
import pathlib
import sys
import typing

name, port, folder = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
logging.disable(logging.CRITICAL)
schema = {"type": "object", "required": ["amount"], "properties": {"amount": {"type": "number", "multipleOf": 0.01}}}
document = {
    "openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": f"http://127.0.0.1:{port}"}],
    "paths": {"/orders": {"post": {
        "operationId": "shop.post", "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": {"201": {"description": "stored"}}}}}}

if name == "openapi-core":
    import flask
    import openapi_core
    from openapi_core.contrib.flask import FlaskOpenAPIRequest
    specification = openapi_core.OpenAPI.from_dict(document)
    wsgi = flask.Flask("shop")

    @wsgi.post("/orders")
    def post():
        try:
            specification.validate_request(FlaskOpenAPIRequest(flask.request))
        except openapi_core.exceptions.OpenAPIError:
            return {}, 400
        return {}, 201
elif name == "connexion":
    import connexion
    (folder / "shop.json").write_text(json.dumps(document))
    sys.modules["shop"] = sys.modules["__main__"]

    def post(body):
        return {}, 201

    application = connexion.AsyncApp("shop", specification_dir=folder)
    application.add_api("shop.json")
elif name == "Falcon":
    import falcon
    from falcon.media.validators import jsonschema

    class Orders:
        @jsonschema.validate(schema)
        def on_post(self, request, response):
            response.status = 201

    wsgi = falcon.App()
    wsgi.add_route("/orders", Orders())
elif name == "Litestar":
    import litestar
    import msgspec

    class Order(msgspec.Struct):
        amount: typing.Annotated[float, msgspec.Meta(multiple_of=0.01)]

    @litestar.post("/orders")
    async def post(data: Order) -> dict:
        return {}

    application = litestar.Litestar([post])
else:
    import fastapi
    import pydantic
    application = fastapi.FastAPI()

    class Order(pydantic.BaseModel):
        amount: float = pydantic.Field(multiple_of=0.01)

    @application.post("/orders", status_code=201)
    async def post(order: Order):
        return {}

if name in ("openapi-core", "Falcon"):
    import a2wsgi
    application = a2wsgi.WSGIMiddleware(wsgi)
import uvicorn
uvicorn.run(application, host="127.0.0.1", port=port, log_level="critical")
PYTHON
cat >"$work/client.py" <<'PYTHON'
import http.client
import sys

name, port = sys.argv[1], int(sys.argv[2])

def send(amount):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("POST", "/orders", '{"amount": %s}' % amount, {"Content-Type": "application/json"})
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status

amounts = [f"{cents // 100}.{cents % 100:02}" for cents in range(1, 1001)]
statuses = {amount: send(amount) for amount in amounts}
refused = [amount for amount in amounts if statuses[amount] != 201]
text = f", the first ones {', '.join(refused[:5])}, with {statuses[refused[0]]}" if refused else ""
print(f"{name} refuses {len(refused)} of 1000 amounts{text}; 0.005 is {send('0.005')}, 19.99 is {send('19.99')}")
PYTHON
cat >"$work/validators.py" <<'PYTHON'
import json
import fastjsonschema
import jsonschema
import jsonschema_rs
schema = {"type": "number", "multipleOf": 0.01}
compiled = fastjsonschema.compile(schema)

def is_valid(amount):
    try:
        compiled(amount)
        return True
    except fastjsonschema.JsonSchemaValueException:
        return False

validators = {"jsonschema": jsonschema.Draft202012Validator(schema).is_valid, "fastjsonschema": is_valid,
              "jsonschema-rs": jsonschema_rs.validator_for(schema).is_valid}
for name, validate in validators.items():
    amounts = [json.loads(f"{cents // 100}.{cents % 100:02}") for cents in range(1, 1001)]
    print(f"{name} refuses {sum(not validate(amount) for amount in amounts)} of 1000 amounts, and accepts 0.005: {validate(0.005)}")
PYTHON

cd "$work"
for name in openapi-core connexion Falcon Litestar FastAPI; do
  port=$(free_port)
  start "$port" python shop.py "$name" "$port" "$work"
  python client.py "$name" "$port"
  stop "$server"
done >seen
python validators.py >>seen

compare seen <<'RECORDED'
openapi-core refuses 159 of 1000 amounts, the first ones 0.07, 0.14, 0.28, 0.29, 0.47, with 400; 0.005 is 400, 19.99 is 400
connexion refuses 159 of 1000 amounts, the first ones 0.07, 0.14, 0.28, 0.29, 0.47, with 400; 0.005 is 400, 19.99 is 400
Falcon refuses 159 of 1000 amounts, the first ones 0.07, 0.14, 0.28, 0.29, 0.47, with 400; 0.005 is 400, 19.99 is 400
Litestar refuses 990 of 1000 amounts, the first ones 0.03, 0.05, 0.06, 0.07, 0.09, with 400; 0.005 is 400, 19.99 is 400
FastAPI refuses 0 of 1000 amounts; 0.005 is 422, 19.99 is 201
jsonschema refuses 159 of 1000 amounts, and accepts 0.005: False
fastjsonschema refuses 0 of 1000 amounts, and accepts 0.005: False
jsonschema-rs refuses 0 of 1000 amounts, and accepts 0.005: False
RECORDED
