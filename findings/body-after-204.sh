#!/usr/bin/env bash
# A body that a handler returns with 204 is sent, and a client reads it as the next response.
#
# Expected: a response with 204 ends after its headers (RFC 9110 section 15.3.5). A server drops what a handler returns besides.
# Seen: a handler that deletes and returns `{"deleted": true}` with 204 is a common mistake. cheroot and, behind Quart and
# BlackSheep, uvicorn with httptools send these bytes after the 204, on a connection that stays open. A client takes them for the
# beginning of its next response. uvicorn with h11 closes the connection after the 204, and so does waitress. gevent responds with
# 500, although the handler has done its work; so do Tornado and Litestar. gunicorn, Granian and Hypercorn drop the bytes.
# Who is hurt: the DELETE succeeds, and the next request on that connection fails with a response that cannot be read. After it,
# a POST may have been carried out, and the client cannot know. A 500 for a delete that was carried out makes the client repeat it.
# Errand: a transport must close a connection on which bytes arrive that no request has asked for, before it sends the next request.
# A failure on such a connection counts as one on a kept connection that was stale.
# Seen on 2026-11-28.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages Django==5.2.19 Quart==0.22.0 blacksheep==2.6.4 gunicorn==27.0.1 cheroot==11.1.2 gevent==26.9.0 waitress==3.0.2 \
  granian==2.8.9 uvicorn==0.54.0 httptools==0.9.0 Hypercorn==0.18.0

cat >"$work/shop.py" <<'PYTHON'
import os
import sys

framework = os.environ["FRAMEWORK"]
if framework == "Django":
    from django.conf import settings
    if not settings.configured:
        settings.configure(SECRET_KEY="finding", ALLOWED_HOSTS=["*"], ROOT_URLCONF="shop")
    import django
    django.setup()
    from django.core.wsgi import get_wsgi_application
    from django.http import JsonResponse
    from django.urls import path
    urlpatterns = [path("", lambda request: JsonResponse({"deleted": True}, status=204 if request.method == "DELETE" else 200))]
    application = get_wsgi_application()
elif framework == "Quart":
    import quart
    application = quart.Quart("shop")

    @application.route("/", methods=["GET", "DELETE"])
    async def item():
        return {"deleted": True}, 204 if quart.request.method == "DELETE" else 200
else:
    import blacksheep
    application = blacksheep.Application()

    @application.router.delete("/")
    async def delete():
        return blacksheep.json({"deleted": True}, 204)

    @application.router.get("/")
    async def get():
        return blacksheep.json({})
PYTHON
cat >"$work/client.py" <<'PYTHON'
import socket
import sys

connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=10)
stream = connection.makefile("rb")

def status_line(method):
    connection.sendall(f"{method} / HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return stream.readline().decode()

first = status_line("DELETE").split()[1]
while stream.readline() != b"\r\n":
    pass
try:
    second = status_line("GET")
except ConnectionError:
    second = ""
if first != "204" or not second:
    print(first, "and closes")
else:
    print(first, "then", second.split()[1] if second.startswith("HTTP/") else f"a status line that begins with {second[:11]}")
PYTHON
cat >"$work/gevent_server.py" <<'PYTHON'
import sys
import shop
from gevent.pywsgi import WSGIServer

WSGIServer(("127.0.0.1", int(sys.argv[1])), shop.application, log=None, error_log=None).serve_forever()
PYTHON

cd "$work"
for pair in Django/cheroot Django/gevent Django/gunicorn Django/waitress Django/granian Quart/httptools Quart/h11 Quart/hypercorn \
  BlackSheep/httptools BlackSheep/h11; do
  port=$(free_port)
  export FRAMEWORK=${pair%/*}
  case ${pair#*/} in
    cheroot) command=(cheroot --bind "127.0.0.1:$port" shop:application) ;;
    gevent) command=(python gevent_server.py "$port") ;;
    gunicorn) command=(gunicorn --worker-class gthread --bind "127.0.0.1:$port" shop:application) ;;
    waitress) command=(waitress-serve --listen "127.0.0.1:$port" shop:application) ;;
    granian) command=(granian --interface wsgi --host 127.0.0.1 --port "$port" shop:application) ;;
    hypercorn) command=(hypercorn --bind "127.0.0.1:$port" shop:application) ;;
    *) command=(uvicorn --http "${pair#*/}" --port "$port" shop:application) ;;
  esac
  start "$port" "${command[@]}"
  echo "$pair: $(python client.py "$port")"
  stop "$server"
done >seen

compare seen <<'RECORDED'
Django/cheroot: 204 then a status line that begins with {"deleted":
Django/gevent: 500 and closes
Django/gunicorn: 204 then 200
Django/waitress: 204 and closes
Django/granian: 204 then 200
Quart/httptools: 204 then a status line that begins with {"deleted":
Quart/h11: 204 and closes
Quart/hypercorn: 204 then 200
BlackSheep/httptools: 204 then a status line that begins with {"deleted":
BlackSheep/h11: 204 and closes
RECORDED
