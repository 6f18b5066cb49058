#!/usr/bin/env bash
# Litestar documents a time of day as a duration, and bytes in one way that it sends in two.
#
# Expected: `datetime.time` is documented with `format: time`; a text that holds bytes says how (`contentEncoding`).
# Seen: Litestar documents `format: duration` and sends `03:04:05`. For bytes it documents `type: string`, and sends Base64 from a
# dataclass and the text itself from a Pydantic model: the same document for two encodings.
# Who is hurt: a client that is generated from the document reads 03:04:05 as a duration and fails, and cannot know how to read
# bytes.
# Errand: import should take `format: duration` of a Litestar document as a text, or mark it for review.
# Seen on 2026-11-28.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages litestar==2.25.0 pydantic==2.14.4 httpx==0.28.1

cat >"$work/shop.py" <<'PYTHON'
import dataclasses
import datetime
import json
import logging
import litestar
import litestar.testing
import pydantic

logging.disable(logging.INFO)

@dataclasses.dataclass
class Plain:
    opens: datetime.time
    seal: bytes

class Checked(pydantic.BaseModel):
    opens: datetime.time
    seal: bytes

values = {"opens": datetime.time(3, 4, 5), "seal": b"wax"}

@litestar.get("/plain")
async def plain() -> Plain:
    return Plain(**values)

@litestar.get("/checked")
async def checked() -> Checked:
    return Checked(**values)

with litestar.testing.TestClient(litestar.Litestar([plain, checked])) as client:
    schemas = client.get("/schema/openapi.json").json()["components"]["schemas"]
    for path, name in (("/plain", "Plain"), ("/checked", "Checked")):
        response = client.get(path).json()
        for field in values:
            said = {key: value for key, value in schemas[name]["properties"][field].items() if key in ("type", "format")}
            print(f"{name}: {json.dumps(said)} in the document, {json.dumps(response[field])} in the response")
PYTHON

python "$work/shop.py" >"$work/seen"

compare "$work/seen" <<'RECORDED'
Plain: {"type": "string", "format": "duration"} in the document, "03:04:05" in the response
Plain: {"type": "string"} in the document, "d2F4" in the response
Checked: {"type": "string", "format": "duration"} in the document, "03:04:05" in the response
Checked: {"type": "string"} in the document, "wax" in the response
RECORDED
