#!/usr/bin/env bash
# `Sunset` and `Deprecation` name another hour than the service was configured with, or are no date of HTTP at all.
#
# Expected: `Sunset` is a date of HTTP in GMT (RFC 8594 section 3), converted from the configured instant, and `Deprecation` is a date
# of structured fields, `@1705269600` (RFC 9745 section 2.1).
# Seen: fastapi-lifecycle writes the local clock of an instant with an offset as if it were GMT: midnight at +09:00 becomes midnight in
# GMT, nine hours late, and at -08:00 eight hours early. `Deprecation` is a date of HTTP, the form of an early draft.
# deprecated-decorator-flask sends the text that it was given: `2091-09-01`, which a parser of HTTP dates refuses.
# Who is hurt: a client that plans by `Sunset` moves too late or hears of no day. Python's own parser of HTTP dates finds none in the
# second form.
# Errand: reads all three forms of `Deprecation` and both of `Sunset`. It cannot know of a wrong hour.
# Seen on 2026-11-29.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages fastapi-lifecycle==0.1.0 fastapi==0.165.0 httpx==0.28.1 deprecated-decorator-flask==0.1.0 Flask==3.1.3

cat >"$work/dates.py" <<'PYTHON'
import email.utils
import fastapi
import fastapi.testclient
import fastapi_lifecycle
import flask
import deprecated_decorator_flask

application = fastapi.FastAPI()
fastapi_lifecycle.setup_versioning(application)

for path, offset in (("utc", "Z"), ("east", "+09:00"), ("west", "-08:00")):
    async def endpoint():
        return {}
    day = {"deprecated_at": f"2024-01-15T00:00:00{offset}", "sunset_at": f"2091-06-15T00:00:00{offset}"}
    application.get(f"/{path}")(fastapi_lifecycle.deprecated(day)(endpoint))

client = fastapi.testclient.TestClient(application)
for path in ("utc", "east", "west"):
    headers = client.get(f"/{path}").headers
    print(f"fastapi-lifecycle, {path}: {headers['Deprecation']} · {headers['Sunset']}")

pages = flask.Flask("pages")

@pages.route("/old")
@deprecated_decorator_flask.deprecated(message="Use the new one.", sunset="2091-09-01")
def old():
    return {}

sunset = pages.test_client().get("/old").headers["Sunset"]
print(f"deprecated-decorator-flask: {sunset} · as a date of HTTP: {email.utils.parsedate_to_datetime(sunset) if email.utils.parsedate(sunset) else None}")
PYTHON
python "$work/dates.py" >"$work/seen"
compare "$work/seen" <<'SEEN'
fastapi-lifecycle, utc: Mon, 15 Jan 2024 00:00:00 GMT · Fri, 15 Jun 2091 00:00:00 GMT
fastapi-lifecycle, east: Mon, 15 Jan 2024 00:00:00 GMT · Fri, 15 Jun 2091 00:00:00 GMT
fastapi-lifecycle, west: Mon, 15 Jan 2024 00:00:00 GMT · Fri, 15 Jun 2091 00:00:00 GMT
deprecated-decorator-flask: 2091-09-01 · as a date of HTTP: None
SEEN
