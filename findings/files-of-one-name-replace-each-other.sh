#!/usr/bin/env bash
# Of two uploaded files with one name, Robyn keeps the second, and of no file the field it came in.
#
# Expected: the files of a multipart body are told apart by the name of their field and by their order (RFC 7578 section 4.3);
# the file name is a hint and need not be unique (section 4.2).
# Seen: Robyn gives the handler a map from file names to bytes. The name of the field is lost. Two photos called `photo.jpg` arrive
# as one. Of two values of one text field, the second remains.
# Who is hurt: cameras and share sheets give every photo the same name. The upload succeeds, and one photo is gone.
# Errand: sends the name that the app gives to a `FilePart`. Behind such a server, an app gives each file of a request its own name,
# and a contract has no list of values in a multipart body.
# Seen on 2026-11-28.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages robyn==0.88.0

cat >"$work/server.py" <<'PYTHON'
import json
import sys
import robyn

application = robyn.Robyn(__file__)

@application.post("/photos")
def photos(request):
    files = {name: bytes(content).decode() for name, content in sorted(request.files.items())}
    return json.dumps({"files": files, "fields": dict(request.form_data)})

application.start(host="127.0.0.1", port=int(sys.argv[1]))
PYTHON
cat >"$work/client.py" <<'PYTHON'
import http.client
import sys

parts = [('name="front"; filename="photo.jpg"', "first"), ('name="back"; filename="photo.jpg"', "second"),
         ('name="tag"', "sea"), ('name="tag"', "sun")]
body = "".join(f"--cut\r\nContent-Disposition: form-data; {head}\r\n\r\n{text}\r\n" for head, text in parts) + "--cut--\r\n"
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=10)
connection.request("POST", "/photos", body=body, headers={"Content-Type": "multipart/form-data; boundary=cut"})
response = connection.getresponse()
print(response.status, response.read().decode())
PYTHON

cd "$work"
port=$(free_port)
start "$port" python server.py "$port"
python client.py "$port" >seen

compare seen <<'RECORDED'
200 {"files": {"photo.jpg": "second"}, "fields": {"tag": "sun"}}
RECORDED
