#!/usr/bin/env bash
# A JSON body whose type ends in +json arrives as nothing, and the response is 200.
#
# Expected: a body of `application/merge-patch+json` (RFC 7396) or `application/vnd.api+json` is JSON (RFC 6839 section 3.1). A
# framework reads it as such, or refuses it with 415 (RFC 9110 section 15.5.16).
# Seen: `request.json` of Bottle and Microdot is None for these types, and that of a body of `application/json` is the object. Lilya's
# `request.data()` gives the text in place of the object. A handler that applies what it has got to a record changes nothing, and
# responds with 200. Flask and aiohttp read both types; Falcon and Django REST framework refuse both.
# Who is hurt: a client whose document declares a PATCH with merge-patch+json. The user saves a change, sees that it was saved, and
# finds the old value later.
# Errand: sends the type that the contract names. For such a service, the contract leaves `contentType` out, so that the body is
# `application/json`. A response that repeats the record shows the loss; a 204 does not.
# Seen on 2026-11-29.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages bottle==0.13.4 microdot==2.7.0 lilya==0.29.0 Flask==3.1.3 Werkzeug==3.1.9 aiohttp==3.14.5 uvicorn==0.54.0

cat >"$work/records.py" <<'PYTHON'
import sys
from wsgiref.simple_server import make_server

name, port = sys.argv[1], int(sys.argv[2])

def changed(change):
    """The record after a change, which is whatever the framework has made of the body."""
    return {"name": "Ada"} | change if isinstance(change, dict) else {"name": "Ada", "got": type(change).__name__}

if name == "bottle":
    import bottle
    application = bottle.Bottle()

    @application.route("/record", method="PATCH")
    def patch():
        return changed(bottle.request.json)

    make_server("127.0.0.1", port, application).serve_forever()
elif name == "flask":
    import flask
    application = flask.Flask(__name__)

    @application.patch("/record")
    def patch():
        return changed(flask.request.json)

    make_server("127.0.0.1", port, application).serve_forever()
elif name == "microdot":
    from microdot import Microdot
    application = Microdot()

    @application.patch("/record")
    async def patch(request):
        return changed(request.json)

    application.run(host="127.0.0.1", port=port)
elif name == "lilya":
    import uvicorn
    from lilya.apps import Lilya
    from lilya.requests import Request
    from lilya.routing import Path

    async def patch(request: Request):
        return changed(await request.data())

    uvicorn.run(Lilya(routes=[Path("/record", patch, methods=["PATCH"])]), host="127.0.0.1", port=port, log_level="critical")
elif name == "aiohttp":
    from aiohttp import web

    async def patch(request):
        return web.json_response(changed(await request.json()))

    application = web.Application()
    application.router.add_patch("/record", patch)
    web.run_app(application, host="127.0.0.1", port=port, print=None)
PYTHON

for name in bottle microdot lilya flask aiohttp; do
  port=$(free_port)
  start "$port" python "$work/records.py" "$name" "$port"
  for type in application/json application/merge-patch+json application/vnd.api+json; do
    curl --silent --request PATCH --header "Content-Type: $type" --data '{"name": "Grace"}' \
      --write-out '\n%{http_code}' "http://127.0.0.1:$port/record" | tr -d ' "' | tr -s '\n' ' ' | sed "s|^|$name, $type: |; s| *\$||"
    echo
  done
  stop "$server"
done >"$work/seen"

compare "$work/seen" <<'RECORDED'
bottle, application/json: {name:Grace} 200
bottle, application/merge-patch+json: {name:Ada,got:NoneType} 200
bottle, application/vnd.api+json: {name:Ada,got:NoneType} 200
microdot, application/json: {name:Grace} 200
microdot, application/merge-patch+json: {name:Ada,got:NoneType} 200
microdot, application/vnd.api+json: {name:Ada,got:NoneType} 200
lilya, application/json: {name:Grace} 200
lilya, application/merge-patch+json: {name:Ada,got:str} 200
lilya, application/vnd.api+json: {name:Ada,got:str} 200
flask, application/json: {name:Grace} 200
flask, application/merge-patch+json: {name:Grace} 200
flask, application/vnd.api+json: {name:Grace} 200
aiohttp, application/json: {name:Grace} 200
aiohttp, application/merge-patch+json: {name:Grace} 200
aiohttp, application/vnd.api+json: {name:Grace} 200
RECORDED
