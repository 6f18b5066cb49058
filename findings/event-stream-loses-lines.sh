#!/usr/bin/env bash
# A text of several lines loses all but its first one on the way through an event stream.
#
# Expected: a text with line ends becomes one `data:` line for each of its lines, and the client joins them.
# Seen: microdot and Lilya write the text behind one `data:`. The client takes the second line for a field with an unknown name and
# drops it. BlackSheep writes the two characters `\` and `n` in place of the line end, so the client shows them. FastAPI and Robyn do it
# right.
# Who is hurt: answers of language models and log lines arrive cut off, and no error says so.
# Errand: reads what the standard says, so the lines are gone before it could notice. The contract's author should have the server send
# JSON, in which a line end is `\n`.
# Seen on 2026-11-28.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages microdot==2.7.0 lilya==0.29.0 blacksheep==2.6.4 fastapi==0.165.0 robyn==0.88.0 uvicorn==0.54.0

cat >"$work/feed.py" <<'PYTHON'
import os
import sys

name = os.environ["LIBRARY"]
port = int(os.environ["PORT"])
text = "first line\nsecond line"

if name == "microdot":
    import microdot
    import microdot.sse
    application = microdot.Microdot()

    @application.get("/")
    @microdot.sse.with_sse
    async def feed(request, events):
        await events.send(text)

    application.run(host="127.0.0.1", port=port)
elif name == "Robyn":
    import robyn
    application = robyn.Robyn(__file__)

    @application.get("/")
    def feed(request):
        return robyn.SSEResponse(event for event in [robyn.SSEMessage(text)])

    application.start(host="127.0.0.1", port=port)
else:
    if name == "Lilya":
        from lilya.apps import Lilya
        from lilya.responses import EventStreamResponse
        from lilya.routing import Path

        async def events():
            yield {"data": text}

        async def feed(request):
            return EventStreamResponse(events())

        application = Lilya(routes=[Path("/", feed)])
    elif name == "BlackSheep":
        import blacksheep
        from blacksheep.server.sse import ServerSentEventsResponse, TextServerSentEvent

        application = blacksheep.Application()

        async def events():
            yield TextServerSentEvent(text)

        @application.router.get("/")
        async def feed():
            return ServerSentEventsResponse(events)
    elif name == "FastAPI":
        import fastapi
        from collections.abc import Iterable
        from fastapi.sse import EventSourceResponse, ServerSentEvent

        application = fastapi.FastAPI()

        @application.get("/", response_class=EventSourceResponse)
        def feed() -> Iterable[ServerSentEvent]:
            yield ServerSentEvent(raw_data=text)

    import uvicorn
    uvicorn.run(application, host="127.0.0.1", port=port)
PYTHON
cat >"$work/client.py" <<'PYTHON'
import http.client
import sys

connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=10)
connection.request("GET", "/", headers={"Accept": "text/event-stream"})
response = connection.getresponse()
data = []
while line := response.readline():
    field, _, value = line.decode().rstrip("\r\n").partition(":")
    value = value.removeprefix(" ")
    if field == "data":
        data.append(value)
    elif field == "" and data:
        break
print(repr("\n".join(data)))
PYTHON

cd "$work"
for library in microdot Lilya BlackSheep FastAPI Robyn; do
  port=$(free_port)
  LIBRARY=$library PORT=$port start "$port" python feed.py
  echo "$library: $(python client.py "$port")"
  stop "$server"
done >seen

compare seen <<'RECORDED'
microdot: 'first line'
Lilya: 'first line'
BlackSheep: 'first line\\nsecond line'
FastAPI: 'first line\nsecond line'
Robyn: 'first line\nsecond line'
RECORDED
