#!/usr/bin/env bash
# Eight file servers send the rest of another file although `If-Range` forbids it.
#
# Expected: where `If-Range` names a validator that is no longer the current one, the server ignores `Range` and sends the whole
# file with 200 (RFC 9110 section 13.1.5).
# Seen: aiohttp evaluates a date in `If-Range`, but no tag. Tornado, Sanic, Falcon, Bottle, whitenoise, CherryPy and Twisted evaluate
# neither, and respond with 206 and the bytes of the new file. Bottle's tag has no quotation marks. Starlette, Werkzeug and
# Pyramid do it right.
# Who is hurt: a client that trusts 206 joins the beginning of one file to the end of another one.
# Errand: trusts no 206. The rest must repeat the tag, or the date or the total length, otherwise the whole file is requested again.
# Behind these servers a loop over chunks therefore ends as `malformed` (`.changed`), where a correct server would have said 200.
# Seen on 2026-11-28.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages aiohttp==3.14.5 tornado==6.6.1 sanic==25.12.1 falcon==4.4.0 bottle==0.13.4 whitenoise==6.12.0 CherryPy==18.10.0 \
  Twisted==26.10.0 starlette==1.10.0 uvicorn==0.54.0 Flask==3.1.3 Werkzeug==3.1.9 pyramid==2.1 waitress==3.0.2

mkdir "$work/files"
cat >"$work/server.py" <<'PYTHON'
import sys

name, port, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
host = "127.0.0.1"

def serve(application):
    import waitress
    waitress.serve(application, listen=f"{host}:{port}")

if name == "aiohttp":
    from aiohttp import web
    application = web.Application()
    application.router.add_static("/", folder)
    web.run_app(application, host=host, port=port, print=None)
elif name == "Tornado":
    import tornado.ioloop
    import tornado.web
    tornado.web.Application([("/(.*)", tornado.web.StaticFileHandler, {"path": folder})]).listen(port, host)
    tornado.ioloop.IOLoop.current().start()
elif name == "Sanic":
    import sanic
    application = sanic.Sanic("files")
    application.static("/", folder, use_content_range=True)
    application.run(host, port, single_process=True, access_log=False)
elif name == "Falcon":
    import falcon
    application = falcon.App()
    application.add_static_route("/", folder)
    serve(application)
elif name == "Bottle":
    import bottle
    application = bottle.Bottle()
    application.get("/<path:path>", callback=lambda path: bottle.static_file(path, folder))
    serve(application)
elif name == "whitenoise":
    from whitenoise import WhiteNoise
    serve(WhiteNoise(None, root=folder, autorefresh=True))
elif name == "CherryPy":
    import cherrypy
    cherrypy.config.update({"server.socket_host": host, "server.socket_port": port, "environment": "production"})
    cherrypy.quickstart(type("Root", (), {})(), "/", {"/": {"tools.staticdir.on": True, "tools.staticdir.dir": folder}})
elif name == "Twisted":
    from twisted.internet import reactor
    from twisted.web import server, static
    reactor.listenTCP(port, server.Site(static.File(folder)), interface=host)
    reactor.run()
elif name == "Starlette":
    import uvicorn
    from starlette.staticfiles import StaticFiles
    uvicorn.run(StaticFiles(directory=folder), host=host, port=port)
elif name == "Werkzeug":
    import flask
    application = flask.Flask("files")
    application.add_url_rule("/film", view_func=lambda: flask.send_file(folder + "/film"))
    serve(application)
elif name == "Pyramid":
    from pyramid.config import Configurator
    configurator = Configurator()
    configurator.add_static_view("/", folder)
    serve(configurator.make_wsgi_app())
PYTHON
cat >"$work/client.py" <<'PYTHON'
import http.client
import os
import sys
import time

port, file = int(sys.argv[1]), sys.argv[2]

def get(**headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/film", headers={name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    return response, response.read().decode()

def write(text, hours_ago):
    with open(file + ".new", "w") as new:
        new.write(text)
    moment = int(time.time()) - hours_ago * 3600
    os.utime(file + ".new", (moment, moment))
    os.replace(file + ".new", file)

write("old old old old ", 2)
old, _ = get()
write("new new new new another length ", 1)
seen = []
for kind, name in (("tag", "ETag"), ("date", "Last-Modified")):
    validator = old.headers[name]
    if validator is None:
        seen.append(f"no {kind}")
        continue
    response, _ = get(Range="bytes=8-", If_Range=validator)
    seen.append(f"{kind} {response.status}")
print(", ".join(seen))
PYTHON

for name in aiohttp Tornado Sanic Falcon Bottle whitenoise CherryPy Twisted Starlette Werkzeug Pyramid; do
  echo "old old old old " >"$work/files/film"
  port=$(free_port)
  start "$port" python "$work/server.py" "$name" "$port" "$work/files"
  echo "$name: $(python "$work/client.py" "$port" "$work/files/film")"
  stop "$server"
done >"$work/seen"

compare "$work/seen" <<'RECORDED'
aiohttp: tag 206, date 200
Tornado: tag 206, date 206
Sanic: no tag, date 206
Falcon: tag 206, date 206
Bottle: tag 206, date 206
whitenoise: tag 206, date 206
CherryPy: no tag, date 206
Twisted: no tag, date 206
Starlette: tag 200, date 200
Werkzeug: tag 200, date 200
Pyramid: no tag, date 200
RECORDED
