#!/usr/bin/env bash
# An expired token is a redirect to a login page, and a download of a file ends with 200 and that page.
#
# Expected: where an endpoint takes nothing but tokens, a request with an expired one gets 401, whatever it accepts (RFC 6750
# section 3.1).
# Seen: with `auth_token_required`, Flask-Security responds with 401 only if the request accepts JSON best or has a body of JSON. If it
# accepts `*/*`, an image or an event stream, the response is 302 to `/login?next=…`, and the page there is 200. So it is for an upload of
# bytes. Behind Django's LoginRequiredMiddleware, which knows logins of browsers only, django-ninja never sees a token: also a valid one, of
# a request for JSON, is sent to `/accounts/login/`. Django REST framework excepts its views, and responds with 401.
# Who is hurt: a client that follows redirects stores the login page as the photo, and tells the user that it was downloaded. A
# stream of events ends at once, or is opened again and again. Nothing says that the token has to be renewed, as long as no request
# for JSON is made.
# Errand: a download asks for `*/*`, and an endpoint of bytes for nothing, so both follow the redirect, succeed with the page, and the
# session is not renewed. A contract for such a service declares an error for 302 of the category `requiresLogout`. A redirect that a
# row names is not followed.
# Seen on 2026-11-30.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages Flask-Security==5.9.2 Flask==3.1.3 Flask-SQLAlchemy==3.1.1 SQLAlchemy==2.0.44 argon2-cffi==25.1.0 requests==2.34.2 \
  Django==5.2.19 django-ninja==1.7.1 djangorestframework==3.18.3

cat >"$work/photos.py" <<'PYTHON'
import logging
import sys
import time

import flask
from flask_security import Security, SQLAlchemyUserDatastore, auth_token_required, hash_password
from flask_security.models import fsqla_v3
from flask_sqlalchemy import SQLAlchemy

logging.disable(logging.CRITICAL)
application = flask.Flask("photos")
application.config.update(
    SECRET_KEY="k" * 40, SECURITY_PASSWORD_SALT="s" * 40, SECURITY_TOKEN_MAX_AGE=1, SQLALCHEMY_DATABASE_URI="sqlite:///" + sys.argv[2])
database = SQLAlchemy(application)
fsqla_v3.FsModels.set_db_info(database)

class Role(database.Model, fsqla_v3.FsRoleMixin):
    pass

class User(database.Model, fsqla_v3.FsUserMixin):
    pass

users = SQLAlchemyUserDatastore(database, User, Role)
Security(application, users)

@application.route("/photo", methods=["GET", "PUT"])
@auth_token_required
def photo():
    return flask.Response(b"\x89PNG", content_type="image/png")

with application.app_context():
    database.create_all()
    user = users.create_user(email="ann@example.com", password=hash_password("a long password"))
    database.session.commit()
    with open(sys.argv[3], "w") as file:
        file.write(user.get_auth_token())
application.run("127.0.0.1", int(sys.argv[1]))
PYTHON
cat >"$work/middleware.py" <<'PYTHON'
import logging
import django
from django.conf import settings

settings.configure(
    SECRET_KEY="finding", ALLOWED_HOSTS=["*"], ROOT_URLCONF="__main__",
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "django.contrib.sessions", "rest_framework"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
                "django.contrib.auth.middleware.LoginRequiredMiddleware"])
django.setup()

from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import path
from ninja import NinjaAPI
from ninja.security import HttpBearer
from rest_framework.authentication import BaseAuthentication
from rest_framework.decorators import api_view, authentication_classes, permission_classes
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

class Bearer(HttpBearer):
    def authenticate(self, request, token):
        return "ann" if token == "valid" else None

class Token(BaseAuthentication):
    def authenticate(self, request):
        return (User(username="ann"), None) if request.headers["Authorization"] == "Bearer valid" else None

    def authenticate_header(self, request):
        return "Bearer"

api = NinjaAPI(auth=Bearer())

@api.get("/photos")
def ninja_photos(request):
    return []

@api_view(["GET"])
@authentication_classes([Token])
@permission_classes([IsAuthenticated])
def photos(request):
    return Response([])

urlpatterns = [path("ninja/", api.urls), path("rest/photos", photos)]
logging.disable()
call_command("migrate", verbosity=0)
client = Client()
for name, place in (("django-ninja", "/ninja/photos"), ("Django REST framework", "/rest/photos")):
    for token in ("valid", "expired"):
        response = client.get(place, headers={"Authorization": f"Bearer {token}", "Accept": "application/json"})
        to = f" to {response.headers['Location'].split('?')[0]}" if "Location" in response.headers else ""
        print(f"{name} behind LoginRequiredMiddleware, {token}: {response.status_code}{to}")
PYTHON
cat >"$work/client.py" <<'PYTHON'
import sys
import time
import requests

url = f"http://127.0.0.1:{sys.argv[1]}/photo"
with open(sys.argv[2]) as file:
    token = file.read()

def show(title, method="GET", body=None, **headers):
    response = requests.request(method, url, data=body, headers={"Authentication-Token": token, **headers})
    seen = [str(one.status_code) for one in [*response.history, response]]
    print(f"Flask-Security, {title}: {', then '.join(seen)} {response.headers['Content-Type'].split(';')[0]}")

show("valid", Accept="*/*")
time.sleep(2.5)
show("expired, Accept: application/json", Accept="application/json")
show("expired, Accept: */*", Accept="*/*")
show("expired, Accept: image/png", Accept="image/png")
show("expired, Accept: text/event-stream", Accept="text/event-stream")
show("expired, PUT of a photo", "PUT", b"\x89PNG", Accept="*/*", **{"Content-Type": "image/png"})
show("expired, PUT of JSON", "PUT", b"{}", Accept="*/*", **{"Content-Type": "application/json"})
PYTHON

cd "$work"
port=$(free_port)
start "$port" python photos.py "$port" "$work/users" "$work/token"
python client.py "$port" token >seen
python middleware.py >>seen

compare seen <<'RECORDED'
Flask-Security, valid: 200 image/png
Flask-Security, expired, Accept: application/json: 401 application/json
Flask-Security, expired, Accept: */*: 302, then 200 text/html
Flask-Security, expired, Accept: image/png: 302, then 200 text/html
Flask-Security, expired, Accept: text/event-stream: 302, then 200 text/html
Flask-Security, expired, PUT of a photo: 302, then 200 text/html
Flask-Security, expired, PUT of JSON: 401 application/json
django-ninja behind LoginRequiredMiddleware, valid: 302 to /accounts/login/
django-ninja behind LoginRequiredMiddleware, expired: 302 to /accounts/login/
Django REST framework behind LoginRequiredMiddleware, valid: 200
Django REST framework behind LoginRequiredMiddleware, expired: 401
RECORDED
