#!/usr/bin/env bash
# A check for breaking changes says "compatible" to a required field, a token, and a response of another type.
#
# Expected: a tool that compares two OpenAPI documents, made to fail a build on a breaking change, fails on what breaks clients: a
# member of a request that is required now, a member of a response that is gone or has another type, a new status of success, a
# token.
# Seen: API-Diff-Sentinel looks at paths, methods and new parameters alone: it ends with 0 for ten of twelve changes, and says
# COMPATIBLE. ApiGuard and SchemaWatch pass seven and six, api-schema-diff two. breakwatch calls most of them risky and ends with 0,
# and calls an array that became an object safe. A token that each request needs now passes four of the six. SpecShift reports all.
# Who is hurt: the owner of a service, whose build is green, and each client that was made from the document before.
# Errand: whether a new document fits a contract should be found by importing it again, since a contract names the members and the
# statuses that a client uses. The verdict of another tool in a pipeline is no proof of it.
# Seen on 2026-11-30.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages api-diff-sentinel==1.0.2 kryptorious-apiguard==1.0.1 schemawatch==0.1.4 \
  api-schema-diff==1.0.4 breakwatch==0.1.0 specshift==1.5.0

cat >"$work/documents.py" <<'PYTHON'
import copy
import json

def content(schema):
    return {"content": {"application/json": {"schema": schema}}}

order = {"$ref": "#/components/schemas/Order"}
page = {"name": "page", "in": "query", "schema": {"type": "integer"}}
document = {
    "openapi": "3.0.3",
    "info": {"title": "Shop", "version": "1"},
    "paths": {"/orders": {
        "get": {"operationId": "list", "parameters": [page],
                "responses": {"200": {"description": "All.", **content({"type": "array", "items": order})}}},
        "post": {"operationId": "create", "requestBody": {"required": True, **content({"$ref": "#/components/schemas/New"})},
                 "responses": {"201": {"description": "Created.", **content(order)}}},
    }},
    "components": {"schemas": {
        "Order": {"type": "object", "required": ["id", "state"],
                  "properties": {"id": {"type": "integer"}, "state": {"type": "string"}, "total": {"type": "number"}}},
        "New": {"type": "object", "required": ["amount"],
                "properties": {"amount": {"type": "number"}, "note": {"type": "string"}}},
    }},
}

def write(name, change):
    changed = copy.deepcopy(document)
    change(changed, changed["paths"]["/orders"], changed["components"]["schemas"])
    with open(f"{name}.json", "w") as file:
        json.dump(changed, file)

def token(document, orders, schemas):
    document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"token": []}]

def listed(orders):
    return orders["get"]["responses"]["200"]["content"]["application/json"]

tenant = {"name": "tenant", "in": "header", "required": True, "schema": {"type": "string"}}
write("same", lambda document, orders, schemas: None)
write("removed-method", lambda document, orders, schemas: orders.pop("post"))
write("new-parameter", lambda document, orders, schemas: orders["get"]["parameters"].append(tenant))
write("required-parameter", lambda document, orders, schemas: orders["get"]["parameters"][0].update(required=True))
write("required-member", lambda document, orders, schemas: schemas["New"]["required"].append("note"))
write("number-to-text-sent", lambda document, orders, schemas: schemas["New"]["properties"].update(amount={"type": "string"}))
write("number-to-text-received", lambda document, orders, schemas: schemas["Order"]["properties"].update(id={"type": "string"}))
write("member-removed", lambda document, orders, schemas: schemas["Order"]["properties"].pop("total"))
write("member-optional", lambda document, orders, schemas: schemas["Order"]["required"].remove("state"))
write("array-to-object", lambda document, orders, schemas: listed(orders).update(
    schema={"type": "object", "properties": {"items": {"type": "array", "items": order}}}))
write("other-status", lambda document, orders, schemas: orders["post"].update(
    responses={"202": orders["post"]["responses"]["201"]}))
write("form-for-json", lambda document, orders, schemas: orders["post"]["requestBody"].update(
    content={"application/x-www-form-urlencoded": orders["post"]["requestBody"]["content"]["application/json"]}))
write("token", token)
PYTHON

cd "$work"
python documents.py
changes=(removed-method new-parameter required-parameter required-member number-to-text-sent number-to-text-received member-removed
  member-optional array-to-object other-status form-for-json token)
compatible() { # TOOL CHANGE: whether the tool ends with 0
  case $1 in
    api-diff-sentinel) api-diff --fail-on-breaking same.json "$2.json" ;;
    apiguard) apiguard diff same.json "$2.json" ;;
    schemawatch) schemawatch same.json "$2.json" ;;
    api-schema-diff) api-schema-diff same.json "$2.json" ;;
    breakwatch) breakwatch diff same.json "$2.json" ;;
    specshift) specshift diff same.json "$2.json" ;;
  esac >output 2>&1
}

for name in api-diff-sentinel apiguard schemawatch api-schema-diff breakwatch specshift; do
  compatible "$name" same || { cat output >&2; exit 1; }
  passed=()
  for change in "${changes[@]}"; do
    if compatible "$name" "$change"; then passed+=("$change"); fi
  done
  echo "$name lets ${#passed[@]} of ${#changes[@]} pass: ${passed[*]:-none}"
done >seen

compare seen <<'RECORDED'
api-diff-sentinel lets 10 of 12 pass: required-parameter required-member number-to-text-sent number-to-text-received member-removed member-optional array-to-object other-status form-for-json token
apiguard lets 7 of 12 pass: required-parameter required-member number-to-text-received member-removed member-optional form-for-json token
schemawatch lets 6 of 12 pass: new-parameter required-parameter member-optional array-to-object form-for-json token
api-schema-diff lets 2 of 12 pass: member-optional token
breakwatch lets 8 of 12 pass: new-parameter required-parameter required-member number-to-text-sent member-removed member-optional array-to-object form-for-json
specshift lets 0 of 12 pass: none
RECORDED
