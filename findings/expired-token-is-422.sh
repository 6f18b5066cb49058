#!/usr/bin/env bash
# An expired access token gets 422 instead of 401, and so does one that was signed with the key before the last.
#
# Expected: a request whose token is expired or otherwise invalid gets 401 with `WWW-Authenticate` (RFC 6750 section 3.1).
# Seen: AuthX and async-fastapi-jwt-auth respond to an expired token with 422, the status of a body that fails validation.
# Flask-JWT-Extended responds with 401 to an expired token, and with 422 to a token with another signature, also at the endpoint
# that refreshes: after a change of the server's key, each client has such a token. None of them sends `WWW-Authenticate`.
# Who is hurt: a client that refreshes its token after 401 never does so, and the user sees "invalid input". After a change of the
# key, the refresh fails with 422 as well, so nothing tells the app to ask for a login.
# Errand: takes 422 for a refusal of the command. A contract has to declare an error of the category `requiresLogout` for what the body
# says (`error_type: TokenExpiredError`, `msg: Signature verification failed`), since 422 is also the status of invalid input, and
# the same error at the endpoint that refreshes, where only 400, 401 and such errors end the session.
# Seen on 2026-11-28.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages authx==1.7.1 async-fastapi-jwt-auth==0.6.6 fastapi==0.165.0 Flask-JWT-Extended==4.7.4 Flask==3.1.3 PyJWT==2.15.1 \
  httpx==0.28.1

cat >"$work/tokens.py" <<'PYTHON'
import time
import fastapi
import fastapi.responses
import fastapi.testclient
import jwt

key, former = "k" * 40, "f" * 40

def show(name, good, send):
    claims = jwt.decode(good, options={"verify_signature": False})
    now = int(time.time())
    old = {**claims, "iat": now - 7200, "nbf": now - 7200, "exp": now - 3600}
    cases = {"none": None, "good": good, "expired": jwt.encode(old, key), "former key": jwt.encode(claims, former)}
    for case, token in cases.items():
        response = send({"Authorization": f"Bearer {token}"} if token else {})
        challenge = "" if response.status_code == 200 else f", WWW-Authenticate {response.headers.get('WWW-Authenticate')}"
        print(f"{name}, {case}: {response.status_code}{challenge}")

import authx
service = authx.AuthX(config=authx.AuthXConfig(JWT_SECRET_KEY=key, JWT_TOKEN_LOCATION=["headers"]))
application = fastapi.FastAPI()
service.handle_errors(application)

@application.get("/orders", dependencies=[fastapi.Depends(service.access_token_required)])
def orders():
    return []

client = fastapi.testclient.TestClient(application)
show("AuthX", service.create_access_token("ann"), lambda headers: client.get("/orders", headers=headers))

import async_fastapi_jwt_auth
from async_fastapi_jwt_auth.auth_jwt import AuthJWTBearer
from async_fastapi_jwt_auth.exceptions import AuthJWTException

@async_fastapi_jwt_auth.AuthJWT.load_config
def settings():
    return [("authjwt_secret_key", key)]

application = fastapi.FastAPI()
bearer = AuthJWTBearer()

@application.exception_handler(AuthJWTException)
def refused(request, error):
    return fastapi.responses.JSONResponse({"detail": error.message}, error.status_code)

@application.get("/orders")
async def orders(token=fastapi.Depends(bearer)):
    await token.jwt_required()
    return []

@application.post("/login")
async def login(token=fastapi.Depends(bearer)):
    return await token.create_access_token("ann")

client = fastapi.testclient.TestClient(application)
show("async-fastapi-jwt-auth", client.post("/login").json(), lambda headers: client.get("/orders", headers=headers))

import flask
import flask_jwt_extended
application = flask.Flask("shop")
application.config["JWT_SECRET_KEY"] = key
flask_jwt_extended.JWTManager(application)

@application.get("/orders")
@flask_jwt_extended.jwt_required()
def orders():
    return []

@application.post("/refresh")
@flask_jwt_extended.jwt_required(refresh=True)
def refresh():
    return {"token": flask_jwt_extended.create_access_token("ann")}

with application.app_context():
    access, renewal = flask_jwt_extended.create_access_token("ann"), flask_jwt_extended.create_refresh_token("ann")
client = application.test_client()
show("Flask-JWT-Extended", access, lambda headers: client.get("/orders", headers=headers))
show("Flask-JWT-Extended, refresh", renewal, lambda headers: client.post("/refresh", headers=headers))
PYTHON

python "$work/tokens.py" >"$work/seen"

compare "$work/seen" <<'RECORDED'
AuthX, none: 401, WWW-Authenticate None
AuthX, good: 200
AuthX, expired: 422, WWW-Authenticate None
AuthX, former key: 422, WWW-Authenticate None
async-fastapi-jwt-auth, none: 401, WWW-Authenticate None
async-fastapi-jwt-auth, good: 200
async-fastapi-jwt-auth, expired: 422, WWW-Authenticate None
async-fastapi-jwt-auth, former key: 422, WWW-Authenticate None
Flask-JWT-Extended, none: 401, WWW-Authenticate None
Flask-JWT-Extended, good: 200
Flask-JWT-Extended, expired: 401, WWW-Authenticate None
Flask-JWT-Extended, former key: 422, WWW-Authenticate None
Flask-JWT-Extended, refresh, none: 401, WWW-Authenticate None
Flask-JWT-Extended, refresh, good: 200
Flask-JWT-Extended, refresh, expired: 401, WWW-Authenticate None
Flask-JWT-Extended, refresh, former key: 422, WWW-Authenticate None
RECORDED
