#!/usr/bin/env bash
# A recording says 200 where the client saw 502, and has other bytes than were sent.
#
# Expected: a HAR file of a recording proxy has the statuses and bodies that the client sent and received, or names an error.
# Seen: if a response breaks off, the client gets a 502 of mitmproxy. Its HAR file has 200, the length of the service, an empty body
# and no error, so it looks like an empty success. The body of a DELETE is left out. A binary upload is a text without `encoding:
# base64`, of which another number of bytes comes back, and a packed one is stored unpacked beside `Content-Encoding: gzip`. A
# connection that was closed before a response is right: status 0 and `_error`.
# Who is hurt: who replays recorded traffic in a test or checks a contract with it. The fault that one wants to reproduce is not in
# the recording, each empty 200 is reported as a violation of the contract, and an upload is replayed damaged.
# Errand: `errand replay` should take an entry as broken off whose `content.size` is smaller than the `Content-Length` in the
# response, and should compare no request body that is packed, binary, or of a DELETE.
# Seen on 2026-11-30 with mitmproxy 11.0.2 of Python 3.11, and in the same way with 12.3.1 of Python 3.13.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages mitmproxy==11.0.2

cat >"$work/service.py" <<'PYTHON'
import http.server
import sys

class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.close_connection = True
        if self.path == "/cut":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"[1, 2,")

    def do_POST(self):
        text = str(len(self.rfile.read(int(self.headers.get("Content-Length", 0))))).encode()
        self.send_response(201)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_DELETE = do_POST

    def log_message(self, *_):
        pass

http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Service).serve_forever()
PYTHON
cat >"$work/client.py" <<'PYTHON'
import gzip
import http.client
import json
import sys

port = int(sys.argv[1])
photo = b"photo " * 60 + bytes(range(256)) * 4
packed = gzip.compress(b'{"amount": 5}', mtime=0)

def send(method, path, body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path, body, {key.replace("_", "-"): value for key, value in headers.items()})
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return {"status": response.status, "sent": len(body or b""), "arrived": text if response.status == 201 else ""}

seen = {
    "GET /cut": send("GET", "/cut"),
    "GET /closed": send("GET", "/closed"),
    "DELETE /order": send("DELETE", "/order", b'{"why": "late"}', Content_Type="application/json"),
    "POST /photo": send("POST", "/photo", photo, Content_Type="application/octet-stream"),
    "POST /packed": send("POST", "/packed", packed, Content_Type="application/json", Content_Encoding="gzip"),
}
json.dump(seen, open("client.json", "w"))
PYTHON
cat >"$work/read.py" <<'PYTHON'
import json
import urllib.parse

seen = json.load(open("client.json"))
for entry in json.load(open("recording.har"))["log"]["entries"]:
    request, response = entry["request"], entry["response"]
    name = request["method"] + " " + urllib.parse.urlsplit(request["url"]).path
    client = seen[name]
    text = f"{name}: the client saw {client['status']}, the file has {response['status']}"
    text += f" of {response['content'].get('size', 0)} bytes, error {response.get('_error')}"
    if client["sent"]:
        body = request.get("postData")
        stored = "no body"
        if body is not None:
            stored = f"{len(body['text'].encode(errors='surrogatepass'))} bytes of encoding {body.get('encoding')}"
        text += f"; sent {client['sent']} bytes, the file has {stored}"
        if any(header["name"].lower() == "content-encoding" for header in request["headers"]):
            text += " beside Content-Encoding: gzip"
    print(text)
PYTHON

cd "$work"
origin=$(free_port) port=$(free_port)
start "$origin" python service.py "$origin"
start "$port" mitmdump --quiet --set confdir="$work/mitmproxy" --mode "reverse:http://127.0.0.1:$origin" --listen-host 127.0.0.1 \
  --listen-port "$port" --set hardump="$work/recording.har"
python client.py "$port"
kill -INT "$server"
wait "$server" || true
python read.py >seen

compare seen <<'RECORDED'
GET /cut: the client saw 502, the file has 200 of 0 bytes, error None
GET /closed: the client saw 502, the file has 0 of 0 bytes, error server closed connection
DELETE /order: the client saw 201, the file has 201 of 2 bytes, error None; sent 15 bytes, the file has no body
POST /photo: the client saw 201, the file has 201 of 4 bytes, error None; sent 1384 bytes, the file has 1896 bytes of encoding None
POST /packed: the client saw 201, the file has 201 of 2 bytes, error None; sent 33 bytes, the file has 13 bytes of encoding None beside Content-Encoding: gzip
RECORDED
