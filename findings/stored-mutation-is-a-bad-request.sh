#!/usr/bin/env bash
# A mutation that stored an order is 400, because a field of its response has failed.
#
# Expected: 400 of a GraphQL server means that the query was refused, and nothing was carried out. A field that fails after the
# mutation is told with 200, `data` and `errors`. A query by GET is carried out, or refused with 405.
# Seen: if a field fails that may not be null, `data` as a whole becomes null. Ariadne then responds with 400, as to a syntax error.
# Strawberry responds with 200 and `"data": null` to both, also where the client accepts `application/graphql-response+json`, so a
# query that it has not understood looks like an order that was stored. With both, the `path` of the error is all that shows that
# something was carried out. A query by GET is 200 in Ariadne with the page of an explorer, although the client accepts JSON alone.
# graphene-django 3.2.3, which cannot be installed beside them, says 400 to a syntax error and 200 to a field that failed.
# Who is hurt: a client that takes 400 as a proof that nothing was bought, and lets its user buy again; with Strawberry, one that
# takes an error without data for a refusal.
# Errand: takes a 400 of a POST as a proof that a command was not carried out. A contract for such a service declares an error for
# 400 with `applied: maybe`, and one for the member `errors` of a 200.
# Seen on 2026-11-30.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages ariadne==1.1.1 strawberry-graphql==0.341.2 graphql-core==3.3.2 fastapi==0.165.0 starlette==1.10.0 uvicorn==0.54.0

cat >"$work/shop.py" <<'PYTHON'
import logging
import sys

name, port = sys.argv[1], int(sys.argv[2])
logging.disable(logging.CRITICAL)
orders = []

def buy():
    orders.append("order")
    return len(orders)

def fail():
    raise RuntimeError("no rate")

if name == "Ariadne":
    import ariadne
    import ariadne.asgi
    mutation, query, order = ariadne.MutationType(), ariadne.QueryType(), ariadne.ObjectType("Order")
    mutation.set_field("buy", lambda *_: {"id": buy()})
    query.set_field("stored", lambda *_: len(orders))
    order.set_field("total", lambda *_: fail())
    schema = "type Query { stored: Int! } type Order { id: Int! total: Int! } type Mutation { buy: Order! }"
    application = ariadne.asgi.GraphQL(ariadne.make_executable_schema(schema, mutation, query, order))
else:
    import fastapi
    import strawberry
    import strawberry.fastapi

    @strawberry.type
    class Order:
        id: int

        @strawberry.field
        def total(self) -> int:
            return fail()

    @strawberry.type
    class Query:
        @strawberry.field
        def stored(self) -> int:
            return len(orders)

    @strawberry.type
    class Mutation:
        @strawberry.mutation
        def buy(self) -> Order:
            return Order(id=buy())

    application = fastapi.FastAPI()
    application.include_router(strawberry.fastapi.GraphQLRouter(strawberry.Schema(Query, Mutation)), prefix="/graphql")

import uvicorn
uvicorn.run(application, host="127.0.0.1", port=port, log_level="critical")
PYTHON
cat >"$work/client.py" <<'PYTHON'
import http.client
import json
import sys
import urllib.parse

name, port = sys.argv[1], int(sys.argv[2])

def send(method, query, accept="application/json"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    target, body, headers = "/graphql" if name == "Strawberry" else "/", None, {"Accept": accept}
    if method == "GET":
        target += "?" + urllib.parse.urlencode({"query": query})
    else:
        body = json.dumps({"query": query})
        headers["Content-Type"] = "application/json"
    connection.request(method, target, body, headers)
    response = connection.getresponse()
    text = response.read().decode()
    kind = response.headers["Content-Type"].split(";")[0]
    connection.close()
    return response.status, kind, json.loads(text) if "json" in kind else {}

def stored():
    return send("POST", "{ stored }")[2]["data"]["stored"]

queries = {"a field failed": "mutation { buy { id total } }", "a syntax error": "mutation { buy { id"}
for accept in ("application/json", "application/graphql-response+json"):
    for what, query in queries.items():
        before = stored()
        status, kind, body = send("POST", query, accept)
        data = json.dumps(body["data"]) if "data" in body else "none"
        path = "with" if "path" in body["errors"][0] else "without"
        print(f"{name}, {accept}, {what}: {status}, data {data}, errors {path} a path; orders stored: {stored() - before}")
print(f"{name}, a query by GET:", *send("GET", "{ stored }"))
PYTHON

for name in Ariadne Strawberry; do
  port=$(free_port)
  start "$port" python "$work/shop.py" "$name" "$port"
  python "$work/client.py" "$name" "$port"
  stop "$server"
done >"$work/seen"

compare "$work/seen" <<'RECORDED'
Ariadne, application/json, a field failed: 400, data null, errors with a path; orders stored: 1
Ariadne, application/json, a syntax error: 400, data none, errors without a path; orders stored: 0
Ariadne, application/graphql-response+json, a field failed: 400, data null, errors with a path; orders stored: 1
Ariadne, application/graphql-response+json, a syntax error: 400, data none, errors without a path; orders stored: 0
Ariadne, a query by GET: 200 text/html {}
Strawberry, application/json, a field failed: 200, data null, errors with a path; orders stored: 1
Strawberry, application/json, a syntax error: 200, data null, errors without a path; orders stored: 0
Strawberry, application/graphql-response+json, a field failed: 200, data null, errors with a path; orders stored: 1
Strawberry, application/graphql-response+json, a syntax error: 200, data null, errors without a path; orders stored: 0
Strawberry, a query by GET: 200 application/json {'data': {'stored': 2}}
RECORDED
