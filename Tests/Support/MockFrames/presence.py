# A client of `contracts/presence.contract.yaml` that knows nothing of Errand, for `scripts/check mock`: on the connections of the package
# `websockets`, it logs in, presents the session again, gets replies, elements, an event and failures, and resumes after a cut.
#
#   presence.py URL PAGE    the URL of the connection, and of the page in the browser
import itertools
import json
import sys
import urllib.request

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

NUMBERS = itertools.count(1)


def opened(url, failures=None):
    headers = {"Errand-Mock": failures} if failures else {}
    return connect(url, subprotocols=["presence.v1"], additional_headers=headers)


def send(connection, kind, data=None):
    number = str(next(NUMBERS))
    connection.send(json.dumps({"type": kind, "id": number} | ({} if data is None else {"data": data})))
    return number


def ask(connection, kind, data=None):
    number = send(connection, kind, data)
    frame = json.loads(connection.recv(timeout=30))
    assert frame["id"] == number, frame
    return frame


def follow(connection, since=None):
    number = send(connection, "room.follow", {"room": 1} | ({} if since is None else {"since": since}))
    places = []
    while True:
        try:
            frame = json.loads(connection.recv(timeout=30))
        except ConnectionClosed:
            return places, "cut"
        assert frame["id"] == number, frame
        if frame["type"] == "room.closed":
            return places, "closed"
        places.append(frame["data"]["seq"])


def main():
    url, page = sys.argv[1:]
    with opened(url, "follow=cut-inside") as connection:
        assert connection.subprotocol == "presence.v1"
        refused = ask(connection, "info.query", {"of": 7})
        assert refused["type"] == "error" and refused["data"]["code"] == "session_expired", refused
        token = ask(connection, "login", {"user": "ada", "password": "lovelace"})["data"]["token"]
        assert ask(connection, "info.query", {"of": 7})["data"]["status"] in ["online", "away", "busy", "offline"]
        before = follow(connection)
    assert before[1] == "cut" and before[0], before
    with opened(url, "poke=muted, sendMessage=maintenance") as connection:
        assert ask(connection, "attach", {"token": token})["type"] == "attach"
        after = follow(connection, before[0][-1])
        assert after[1] == "closed" and before[0] + after[0] == [1, 2, 3, 4, 5], (before, after)
        event = urllib.request.Request(
            page + "event", data=b'{"name": "notice"}', headers={"Content-Type": "application/json"})
        urllib.request.urlopen(event).close()
        assert json.loads(connection.recv(timeout=30))["type"] == "notice"
        assert ask(connection, "poke", {"user": 7})["data"]["code"] == "muted"
        assert ask(connection, "dance")["type"] == "error"
        connection.ping().wait(timeout=30)
        send(connection, "message.send", {"room": 1, "text": "Hi", "key": "k"})
        try:
            sys.exit(f"this came in place of a close frame: {connection.recv(timeout=30)}")
        except ConnectionClosed as closed:
            assert closed.rcvd.code in (1012, 1013), closed
    try:
        opened(url, "handshake=unavailable")
        sys.exit("the handshake was not refused")
    except InvalidStatus as refused:
        assert refused.response.status_code == 503, refused


main()
