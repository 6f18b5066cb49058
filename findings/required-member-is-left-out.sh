#!/usr/bin/env bash
# A member that the OpenAPI document requires is missing from a response, or is null.
#
# Expected: what a schema lists under `required` is in each response, and is null only where the schema allows null.
# Seen: drf-spectacular lists each read-only field as required. Django REST framework leaves a read-only field out if its source leads
# through an empty relation, as `customer.name` does for an order without a customer. flask-smorest and APIFlask document what
# marshmallow requires of a request. A response leaves out an attribute that the object does not have, and sends None as null.
# flask-restx sends null, and with `skip_none` it leaves the member out. The documents of FastAPI 0.165.0 and django-ninja 1.7.1 do not
# require what their `exclude_none` leaves out.
# Who is hurt: a client that is generated from the document fails to decode a whole list, as soon as one order has no
# customer. No test with complete data finds it.
# Errand: import takes `required` at its word, and such a response is `malformed`. For a document of these four, read-only members of a
# response are better optional in the contract. `errand replay` shows the difference if the recording has such an order.
# Seen on 2026-11-30.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages Django==5.2.19 djangorestframework==3.18.3 drf-spectacular==0.30.0 APIFlask==3.1.2 flask-smorest==0.47.0 flask-restx==1.3.2 \
  marshmallow==4.4.0 Flask==3.1.3

cat >"$work/shop.py" <<'PYTHON'
import json

def show(name, schema, response):
    for member in schema["required"]:
        kind = schema["properties"][member]["type"]
        if member not in response:
            print(f"{name}: {member} is a required {kind}, and is left out")
        elif response[member] is None:
            print(f"{name}: {member} is a required {kind}, and is null")
        else:
            print(f"{name}: {member} is a required {kind}, and is {json.dumps(response[member])}")

import django
from django.conf import settings
settings.configure(
    SECRET_KEY="finding", ALLOWED_HOSTS=["*"], ROOT_URLCONF="__main__",
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework", "drf_spectacular"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    REST_FRAMEWORK={"DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema", "DEFAULT_AUTHENTICATION_CLASSES": [],
                    "UNAUTHENTICATED_USER": None})
django.setup()
from django.db import connection, models
from django.test import Client
from django.urls import path
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework import generics, serializers

class Customer(models.Model):
    name = models.CharField(max_length=20)

    class Meta:
        app_label = "shop"

class Order(models.Model):
    customer = models.ForeignKey(Customer, null=True, on_delete=models.SET_NULL)

    class Meta:
        app_label = "shop"

class OrderSerializer(serializers.ModelSerializer):
    customer_name = serializers.CharField(source="customer.name", read_only=True)

    class Meta:
        model = Order
        fields = ["id", "customer_name"]

class Orders(generics.ListAPIView):
    queryset = Order.objects.order_by("id")
    serializer_class = OrderSerializer

urlpatterns = [path("orders", Orders.as_view()), path("document", SpectacularJSONAPIView.as_view())]
with connection.schema_editor() as editor:
    editor.create_model(Customer)
    editor.create_model(Order)
Order.objects.create(customer=Customer.objects.create(name="Ann"))
Order.objects.create(customer=None)
client = Client()
schema = client.get("/document").json()["components"]["schemas"]["Order"]
for number, order in enumerate(client.get("/orders").json(), 1):
    show(f"drf-spectacular, order {number}", schema, order)

import apiflask
import flask
import flask_restx
import flask_smorest
import marshmallow

class Row:
    """A ticket as a database may have it: without a note, and of a time before tickets had a kind."""
    id = 1
    note = None

class Ticket(marshmallow.Schema):
    id = marshmallow.fields.Integer(required=True)
    note = marshmallow.fields.String(required=True)
    kind = marshmallow.fields.String(required=True)

application = apiflask.APIFlask("shop")

@application.get("/ticket")
@application.output(Ticket)
def ticket():
    return Row()

client = application.test_client()
show("APIFlask", client.get("/openapi.json").json["components"]["schemas"]["Ticket"], client.get("/ticket").json)

application = flask.Flask("shop")
application.config.update(API_TITLE="Shop", API_VERSION="1", OPENAPI_VERSION="3.1.0", OPENAPI_URL_PREFIX="/",
                          OPENAPI_JSON_PATH="openapi.json")
blueprint = flask_smorest.Blueprint("shop", "shop")

@blueprint.route("/ticket")
@blueprint.response(200, Ticket)
def ticket():
    return Row()

flask_smorest.Api(application).register_blueprint(blueprint)
client = application.test_client()
show("flask-smorest", client.get("/openapi.json").json["components"]["schemas"]["Ticket"], client.get("/ticket").json)

application = flask.Flask("shop")
service = flask_restx.Api(application)
model = service.model("Ticket", {
    "id": flask_restx.fields.Integer(required=True),
    "note": flask_restx.fields.String(required=True),
    "kind": flask_restx.fields.String(required=True),
})

@service.route("/ticket")
class Whole(flask_restx.Resource):
    @service.marshal_with(model)
    def get(self):
        return Row()

@service.route("/short")
class Short(flask_restx.Resource):
    @service.marshal_with(model, skip_none=True)
    def get(self):
        return Row()

client = application.test_client()
schema = client.get("/swagger.json").json["definitions"]["Ticket"]
show("flask-restx", schema, client.get("/ticket").json)
show("flask-restx, skip_none", schema, client.get("/short").json)
PYTHON

python "$work/shop.py" >"$work/seen"

compare "$work/seen" <<'RECORDED'
drf-spectacular, order 1: customer_name is a required string, and is "Ann"
drf-spectacular, order 1: id is a required integer, and is 1
drf-spectacular, order 2: customer_name is a required string, and is left out
drf-spectacular, order 2: id is a required integer, and is 2
APIFlask: id is a required integer, and is 1
APIFlask: kind is a required string, and is left out
APIFlask: note is a required string, and is null
flask-smorest: id is a required integer, and is 1
flask-smorest: kind is a required string, and is left out
flask-smorest: note is a required string, and is null
flask-restx: id is a required integer, and is 1
flask-restx: kind is a required string, and is null
flask-restx: note is a required string, and is null
flask-restx, skip_none: id is a required integer, and is 1
flask-restx, skip_none: kind is a required string, and is left out
flask-restx, skip_none: note is a required string, and is left out
RECORDED
