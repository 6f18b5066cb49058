#!/usr/bin/env bash
# A request body without a length arrives empty, and the server responds with 200.
#
# Expected: a server that accepts `Transfer-Encoding: chunked` hands the body to its application (RFC 9112 section 7.1), or refuses
# the request with 411.
# Seen: Django and Falcon look for `Content-Length` only. On gunicorn, Granian and cheroot, which decode the chunks and set no
# length, both read zero bytes and succeed. Bottle decodes the chunks a second time on these servers and responds with 400. On
# waitress, which adds the length, all four read the body. Flask reads it everywhere.
# Who is hurt: an upload of a file or of a stream whose length is not known, or that is compressed while it is sent, stores an empty
# file, and the client reports a success. A proxy that collects the body first (nginx by default) hides this
# until it is configured not to.
# Errand: sends a length wherever it knows one. A body of unknown length and a streamed body with `compression: gzip` are chunked.
# The contract's author can ask for a checksum in the response, or give streams a length.
# Seen on 2026-11-28.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages Django==5.2.19 falcon==4.4.0 bottle==0.13.4 Flask==3.1.3 gunicorn==27.0.1 granian==2.8.9 cheroot==11.1.2 waitress==3.0.2

cat >"$work/shop.py" <<'PYTHON'
import os

framework = os.environ["FRAMEWORK"]
if framework == "Django":
    from django.conf import settings
    settings.configure(SECRET_KEY="finding", ALLOWED_HOSTS=["*"], ROOT_URLCONF="shop")
    import django
    django.setup()
    from django.core.wsgi import get_wsgi_application
    from django.http import HttpResponse
    from django.urls import path
    urlpatterns = [path("", lambda request: HttpResponse(f"{len(request.body)} bytes"))]
    application = get_wsgi_application()
elif framework == "Falcon":
    import falcon

    class Upload:
        def on_put(self, request, response):
            response.text = f"{len(request.bounded_stream.read())} bytes"

    application = falcon.App()
    application.add_route("/", Upload())
elif framework == "Bottle":
    import bottle
    application = bottle.Bottle()

    @application.put("/")
    def upload():
        return f"{len(bottle.request.body.read())} bytes"
else:
    import flask
    application = flask.Flask("shop")

    @application.put("/")
    def upload():
        return f"{len(flask.request.get_data())} bytes"
PYTHON
cat >"$work/upload.py" <<'PYTHON'
import http.client
import sys

connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=10)
connection.request("PUT", "/", body=iter([b"seven", b"teen bytes.."]), encode_chunked=True, headers={"Transfer-Encoding": "chunked"})
response = connection.getresponse()
text = response.read().decode()
print(response.status, text if response.status == 200 else "refused")
PYTHON

cd "$work"
for name in Django Falcon Bottle Flask; do
  for host in gunicorn granian cheroot waitress; do
    port=$(free_port)
    case $host in
      gunicorn) command=(gunicorn --bind "127.0.0.1:$port" shop:application) ;;
      granian) command=(granian --interface wsgi --host 127.0.0.1 --port "$port" shop:application) ;;
      cheroot) command=(cheroot --bind "127.0.0.1:$port" shop:application) ;;
      waitress) command=(waitress-serve --listen "127.0.0.1:$port" shop:application) ;;
    esac
    FRAMEWORK=$name start "$port" "${command[@]}"
    echo "$name on $host: $(python upload.py "$port")"
    stop "$server"
  done
done >seen

compare seen <<'RECORDED'
Django on gunicorn: 200 0 bytes
Django on granian: 200 0 bytes
Django on cheroot: 200 0 bytes
Django on waitress: 200 17 bytes
Falcon on gunicorn: 200 0 bytes
Falcon on granian: 200 0 bytes
Falcon on cheroot: 200 0 bytes
Falcon on waitress: 200 17 bytes
Bottle on gunicorn: 400 refused
Bottle on granian: 400 refused
Bottle on cheroot: 400 refused
Bottle on waitress: 200 17 bytes
Flask on gunicorn: 200 17 bytes
Flask on granian: 200 17 bytes
Flask on cheroot: 200 17 bytes
Flask on waitress: 200 17 bytes
RECORDED
