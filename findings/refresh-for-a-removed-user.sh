#!/usr/bin/env bash
# The refresh for a user who was removed responds with 200, or with 500, and never with 401.
#
# Expected: a refresh for a user who no longer exists is refused with 400 or 401, so that the client ends the session (RFC 6749
# section 5.2).
# Seen: django-ninja-jwt does not look at the user when it refreshes. It responds with 200 and new tokens, and each request with such
# a token gets 401, "User not found"; so does it for a user who was deactivated. djangorestframework-simplejwt refuses the refresh of
# a deactivated user with 401, but responds with 500 for one who was removed.
# Who is hurt: a client that refreshes after 401 and repeats the request goes round in a circle for as long as it is used: 401,
# refresh, 401. With 500 it waits for a server that seems to be broken. The app never hears that the session is over.
# Errand: if the request with a new token gets 401 as well, the session has to end and the app is asked for a login; a refresh that
# succeeded is no proof of a session. A refresh with 500 is a fault of the server, and is all that a client can know.
# Seen on 2026-11-28.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages django-ninja-jwt==5.4.5 django-ninja==1.7.1 django-ninja-extra==0.31.7 djangorestframework-simplejwt==5.5.1 \
  djangorestframework==3.18.3 Django==5.2.19 PyJWT==2.15.1

cat >"$work/shop.py" <<'PYTHON'
import logging
import django
from django.conf import settings

key = "k" * 40
settings.configure(
    SECRET_KEY=key, ALLOWED_HOSTS=["*"], ROOT_URLCONF="__main__", LOGGING_CONFIG=None,
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework", "ninja_extra", "ninja_jwt"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}})
django.setup()

from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client
from django.urls import path
from ninja_extra import NinjaExtraAPI
from ninja_jwt.authentication import JWTAuth
from ninja_jwt.controller import NinjaJWTDefaultController
from rest_framework.decorators import api_view, authentication_classes, permission_classes
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework_simplejwt.authentication import JWTAuthentication
from rest_framework_simplejwt.views import token_obtain_pair, token_refresh

api = NinjaExtraAPI()
api.register_controllers(NinjaJWTDefaultController)

@api.get("/orders", auth=JWTAuth())
def ninja_orders(request):
    return []

@api_view(["GET"])
@authentication_classes([JWTAuthentication])
@permission_classes([IsAuthenticated])
def orders(request):
    return Response([])

urlpatterns = [path("ninja/", api.urls), path("rest/token/pair", token_obtain_pair), path("rest/token/refresh", token_refresh),
               path("rest/orders", orders)]

logging.disable()
call_command("migrate", verbosity=0)
client = Client(raise_request_exception=False)
for name, place in (("django-ninja-jwt", "/ninja"), ("simplejwt", "/rest")):
    for fate in ("deactivated", "removed"):
        user = get_user_model().objects.create_user(f"{name}.{fate}", password="secret")
        tokens = client.post(place + "/token/pair", {"username": user.username, "password": "secret"}, "application/json").json()
        if fate == "removed":
            user.delete()
        else:
            user.is_active = False
            user.save()
        seen = []
        for _ in range(3):
            seen.append(client.get(place + "/orders", headers={"Authorization": "Bearer " + tokens["access"]}).status_code)
            response = client.post(place + "/token/refresh", {"refresh": tokens["refresh"]}, "application/json")
            seen.append(f"refresh {response.status_code}")
            if response.status_code != 200:
                break
            tokens["access"] = response.json()["access"]
        print(f"{name}, {fate}: {', '.join(map(str, seen))}")
PYTHON

cd "$work"
python shop.py >seen

compare seen <<'RECORDED'
django-ninja-jwt, deactivated: 401, refresh 200, 401, refresh 200, 401, refresh 200
django-ninja-jwt, removed: 401, refresh 200, 401, refresh 200, 401, refresh 200
simplejwt, deactivated: 401, refresh 401
simplejwt, removed: 401, refresh 500
RECORDED
