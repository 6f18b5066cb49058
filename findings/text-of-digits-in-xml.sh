#!/usr/bin/env bash
# A text of digits loses its zeros in an XML body, a version is refused, and so is a name that reads as a number.
#
# Expected: a field that the service declares as text gets the text of the element. Digits of a postal code stay as they are, as they
# do with the same field in JSON.
# Seen: the XML parser of djangorestframework-xml guesses a type before the declaration of the field is known. `01234` arrives as
# `1234`, and `1_0` as `10`. A text that reads as a decimal number is refused with 400, "Not a valid string.": the version `1.10`,
# and the given name `Nan`. With JSON, the same service takes each of them unchanged; pydantic-xml does so with XML, too.
# Who is hurt: a client that sends XML gets 201 for another postal code than it sent, and 400 for a name that is valid. Nothing in
# the request can prevent that, since XML has no quotes.
# Errand: sends text as it is, which is right for every other server, and shows the 400 as the contract declares it. Where such a
# service takes JSON as well, its contract says JSON.
# Seen on 2026-11-29.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages djangorestframework-xml==2.0.0 djangorestframework==3.18.3 Django==5.2.19 pydantic-xml==2.22.0

cat >"$work/shop.py" <<'PYTHON'
import json
import logging
import django
from django.conf import settings

settings.configure(
    SECRET_KEY="k" * 40, ALLOWED_HOSTS=["*"], ROOT_URLCONF="__main__", LOGGING_CONFIG=None,
    REST_FRAMEWORK={"DEFAULT_AUTHENTICATION_CLASSES": [], "UNAUTHENTICATED_USER": None})
django.setup()

from django.test import Client
from django.urls import path
from pydantic_xml import BaseXmlModel, element
from rest_framework.parsers import JSONParser
from rest_framework.response import Response
from rest_framework.serializers import CharField, Serializer
from rest_framework.views import APIView
from rest_framework_xml.parsers import XMLParser

class Address(Serializer):
    text = CharField()

class Addresses(APIView):
    parser_classes = [XMLParser, JSONParser]

    def post(self, request):
        address = Address(data=request.data)
        return Response(address.data if address.is_valid() else address.errors, 201 if address.is_valid() else 400)

class Model(BaseXmlModel, tag="root"):
    text: str = element()

urlpatterns = [path("addresses", Addresses.as_view())]
logging.disable()
client = Client()
for text in ("Ulm", "01234", "1_0", "1.10", "Nan"):
    document = f"<root><text>{text}</text></root>"
    for kind, body in (("xml", document), ("json", json.dumps({"text": text}))):
        response = client.post("/addresses", body, "application/" + kind, headers={"Accept": "application/json"})
        print(f"{text} as {kind}: {response.status_code} {response.json()['text']}")
    print(f"{text} with pydantic-xml: {Model.from_xml(document).text}")
PYTHON

cd "$work"
python shop.py >seen

compare seen <<'RECORDED'
Ulm as xml: 201 Ulm
Ulm as json: 201 Ulm
Ulm with pydantic-xml: Ulm
01234 as xml: 201 1234
01234 as json: 201 01234
01234 with pydantic-xml: 01234
1_0 as xml: 201 10
1_0 as json: 201 1_0
1_0 with pydantic-xml: 1_0
1.10 as xml: 400 ['Not a valid string.']
1.10 as json: 201 1.10
1.10 with pydantic-xml: 1.10
Nan as xml: 400 ['Not a valid string.']
Nan as json: 201 Nan
Nan with pydantic-xml: Nan
RECORDED
