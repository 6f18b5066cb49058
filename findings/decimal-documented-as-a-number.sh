#!/usr/bin/env bash
# The OpenAPI document says `number`, and the server sends the amount as a text.
#
# Expected: a field that the document gives as `type: number` is a JSON number.
# Seen: APIFlask and flask-smorest (both through marshmallow's `Decimal`) and flask-restx (`Fixed`, `Arbitrary`) document a number
# and send `"12.50"`. Tiny amounts come as `"1E-9"`. flask-restx also documents `date-time` for a field that it sends as
# `Fri, 02 Jan 2026 03:04:05 -0000`.
# Who is hurt: a client that is generated from the document fails to decode every response that contains an amount of money.
# FastAPI, Litestar, django-ninja and Django REST framework document such fields as texts, and send texts.
# Errand: a `decimal` field reads a number, and with `coerce` a text as well. Import could write `coerce` for numbers in documents of
# these three. `errand replay` shows the difference from recorded traffic.
# Seen on 2026-11-28.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages APIFlask==3.1.2 flask-smorest==0.47.0 flask-restx==1.3.2 marshmallow==4.4.0 Flask==3.1.3

cat >"$work/shop.py" <<'PYTHON'
import datetime
import decimal
import json
import marshmallow

amount = decimal.Decimal("12.50")

def show(name, document, part, response, fields):
    schema = document[part] if part == "definitions" else document["components"]["schemas"]
    for field in fields:
        said = schema["Price"]["properties"][field]
        kind = said["type"] + (" " + said["format"] if "format" in said else "")
        print(f"{name}: {kind} in the document, {json.dumps(response[field])} in the response")

class Price(marshmallow.Schema):
    amount = marshmallow.fields.Decimal()

import apiflask
application = apiflask.APIFlask("shop")

@application.get("/price")
@application.output(Price)
def price():
    return {"amount": amount}

client = application.test_client()
show("APIFlask", client.get("/openapi.json").json, "components", client.get("/price").json, ["amount"])

import flask
import flask_smorest
application = flask.Flask("shop")
application.config.update(API_TITLE="Shop", API_VERSION="1", OPENAPI_VERSION="3.0.3", OPENAPI_URL_PREFIX="/",
                          OPENAPI_JSON_PATH="openapi.json")
blueprint = flask_smorest.Blueprint("shop", "shop")

@blueprint.route("/price")
@blueprint.response(200, Price)
def price():
    return {"amount": amount}

flask_smorest.Api(application).register_blueprint(blueprint)
client = application.test_client()
show("flask-smorest", client.get("/openapi.json").json, "components", client.get("/price").json, ["amount"])

import flask_restx
application = flask.Flask("shop")
service = flask_restx.Api(application)
model = service.model("Price", {
    "amount": flask_restx.fields.Fixed(decimals=2),
    "fee": flask_restx.fields.Arbitrary(),
    "changed": flask_restx.fields.DateTime(dt_format="rfc822"),
})

@service.route("/price")
class Resource(flask_restx.Resource):
    @service.marshal_with(model)
    def get(self):
        return {"amount": amount, "fee": decimal.Decimal("1E-9"), "changed": datetime.datetime(2026, 1, 2, 3, 4, 5)}

client = application.test_client()
show("flask-restx", client.get("/swagger.json").json, "definitions", client.get("/price").json, ["amount", "fee", "changed"])
PYTHON

python "$work/shop.py" >"$work/seen"

compare "$work/seen" <<'RECORDED'
APIFlask: number in the document, "12.50" in the response
flask-smorest: number in the document, "12.50" in the response
flask-restx: number in the document, "12.50" in the response
flask-restx: number in the document, "1E-9" in the response
flask-restx: string date-time in the document, "Fri, 02 Jan 2026 03:04:05 -0000" in the response
RECORDED
