#!/usr/bin/env bash
# A method of JSON-RPC stores an order and fails, and the error says that the parameters are invalid.
#
# Expected: -32602, "Invalid params", means that the method was not called with these parameters, and an exception inside of the method is
# -32603 or a code of the server (JSON-RPC 2.0 section 5.1).
# Seen: Flask-JSONRPC, django-modern-rpc and jsonrpclib-pelix call the method and take each TypeError for parameters that do not fit, also
# one that the method raises after it has stored the order. Flask-JSONRPC responds with HTTP 400 as well. A ValueError is -32603 or
# -32000 there. jsonrpcserver, json-rpc, tinyrpc, ajsonrpc and aiohttp-rpc tell the two apart.
# Who is hurt: a TypeError is what Python raises where a value is None. The client reports that the user entered something invalid, and
# the user sends the order again. A client that repeats what was certainly not carried out stores two.
# Errand: takes a code, and a status 400 of a POST, as a proof that a command was not carried out. A contract for such a service declares
# the error of -32602 with `applied: maybe`.
# Seen on 2026-11-30.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages Flask-JSONRPC==4.0.0 django-modern-rpc==2.1.0 jsonrpclib-pelix==1.2.0 jsonrpcserver==5.0.9 json-rpc==1.15.0 tinyrpc==1.1.7 \
  ajsonrpc==1.2.0 aiohttp-rpc==2.0.0 Flask==3.1.3 Django==5.2.19 aiohttp==3.14.5

cat >"$work/orders.py" <<'PYTHON'
import asyncio
import json
import logging

logging.disable(logging.CRITICAL)
orders = []

def order(amount):
    """Stores an order, and fails after that in one of two ways."""
    orders.append(amount)
    return amount + None if amount == 5 else int("twelve")

def flask_jsonrpc(text):
    import flask
    import flask_jsonrpc
    application = flask.Flask("shop")
    service = flask_jsonrpc.JSONRPC(application, "/")

    @service.method("order")
    def typed_order(amount: int) -> int:
        return order(amount)

    response = application.test_client().post("/", data=text, content_type="application/json")
    return response.status_code, response.json

def django_modern_rpc(text):
    import django
    import django.test
    import django.urls
    from django.conf import settings
    if not settings.configured:
        settings.configure(SECRET_KEY="finding", ALLOWED_HOSTS=["*"], ROOT_URLCONF="__main__")
        django.setup()
        import modernrpc.server
        service = modernrpc.server.RpcServer()
        service.register_procedure(order)
        urlpatterns.append(django.urls.path("rpc", service.view))
    response = django.test.Client().post("/rpc", text, "application/json")
    return response.status_code, response.json()

def jsonrpclib_pelix(text):
    from jsonrpclib.SimpleJSONRPCServer import SimpleJSONRPCDispatcher
    dispatcher = SimpleJSONRPCDispatcher()
    dispatcher.register_function(order)
    return None, json.loads(dispatcher._marshaled_dispatch(text))

def jsonrpcserver(text):
    from jsonrpcserver import Success, dispatch
    return None, json.loads(dispatch(text, methods={"order": lambda amount: Success(order(amount))}))

def json_rpc(text):
    from jsonrpc import JSONRPCResponseManager
    return None, JSONRPCResponseManager.handle(text, {"order": order}).data

def tinyrpc(text):
    from tinyrpc.dispatch import RPCDispatcher
    from tinyrpc.protocols.jsonrpc import JSONRPCProtocol
    dispatcher = RPCDispatcher()
    dispatcher.add_method(order)
    return None, json.loads(dispatcher.dispatch(JSONRPCProtocol().parse_request(text)).serialize())

def ajsonrpc(text):
    from ajsonrpc.dispatcher import Dispatcher
    from ajsonrpc.manager import AsyncJSONRPCResponseManager
    dispatcher = Dispatcher()
    dispatcher["order"] = order
    return None, json.loads(asyncio.run(AsyncJSONRPCResponseManager(dispatcher=dispatcher).get_payload_for_payload(text)))

def aiohttp_rpc(text):
    import aiohttp_rpc
    from aiohttp import test_utils, web

    async def send():
        service = aiohttp_rpc.JSONRPCServer()
        service.add_method(aiohttp_rpc.JSONRPCMethod(order))
        application = web.Application()
        application.router.add_post("/", service.handle_http_request)
        async with test_utils.TestClient(test_utils.TestServer(application)) as client:
            response = await client.post("/", data=text, headers={"Content-Type": "application/json"})
            return response.status, await response.json()

    return asyncio.run(send())

urlpatterns = []
for send in (flask_jsonrpc, django_modern_rpc, jsonrpclib_pelix, jsonrpcserver, json_rpc, tinyrpc, ajsonrpc, aiohttp_rpc):
    for kind, parameters in (("a parameter is missing", {}), ("TypeError", {"amount": 5}), ("ValueError", {"amount": 6})):
        orders.clear()
        status, response = send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "order", "params": parameters}))
        over = f"HTTP {status}, " if status else ""
        print(f"{send.__name__}, {kind}: {over}{response['error']['code']}; orders stored: {len(orders)}")
PYTHON

python "$work/orders.py" >"$work/seen"

compare "$work/seen" <<'RECORDED'
flask_jsonrpc, a parameter is missing: HTTP 400, -32602; orders stored: 0
flask_jsonrpc, TypeError: HTTP 400, -32602; orders stored: 1
flask_jsonrpc, ValueError: HTTP 500, -32000; orders stored: 1
django_modern_rpc, a parameter is missing: HTTP 200, -32602; orders stored: 0
django_modern_rpc, TypeError: HTTP 200, -32602; orders stored: 1
django_modern_rpc, ValueError: HTTP 200, -32603; orders stored: 1
jsonrpclib_pelix, a parameter is missing: -32602; orders stored: 0
jsonrpclib_pelix, TypeError: -32602; orders stored: 1
jsonrpclib_pelix, ValueError: -32603; orders stored: 1
jsonrpcserver, a parameter is missing: -32602; orders stored: 0
jsonrpcserver, TypeError: -32603; orders stored: 1
jsonrpcserver, ValueError: -32603; orders stored: 1
json_rpc, a parameter is missing: -32602; orders stored: 0
json_rpc, TypeError: -32000; orders stored: 1
json_rpc, ValueError: -32000; orders stored: 1
tinyrpc, a parameter is missing: -32602; orders stored: 0
tinyrpc, TypeError: -32000; orders stored: 1
tinyrpc, ValueError: -32000; orders stored: 1
ajsonrpc, a parameter is missing: -32602; orders stored: 0
ajsonrpc, TypeError: -32000; orders stored: 1
ajsonrpc, ValueError: -32000; orders stored: 1
aiohttp_rpc, a parameter is missing: HTTP 200, -32602; orders stored: 0
aiohttp_rpc, TypeError: HTTP 200, -32603; orders stored: 1
aiohttp_rpc, ValueError: HTTP 200, -32603; orders stored: 1
RECORDED
