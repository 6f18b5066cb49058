#!/usr/bin/env bash
# A walk through all pages of unpaid and paid orders ends without the unpaid ones, and says so nowhere.
#
# Expected: a list by pages has each row on one page, also if the field that it is sorted by is null in some of them. If the server
# cannot go on, it says 4xx or 5xx.
# Seen: a cursor of Django REST framework, django-ninja, django-ninja-cursor-pagination and fastapi-pagination compares the field
# with the one of the last row, which is never true of null. Sorted by `-paid`, the rows without a date are lost: `next` is null
# after the last page with a date. fastapi-pagination also loses rows of one value that would stand on two pages, and its `total`
# counts them all. django-cursor-pagination gets every row.
# Who is hurt: a client that copies a list page by page, for a search or an export. It has 14 of 20 orders and no error, and an order
# appears when it is paid.
# Errand: follows `next` until it is null, and can see nothing else. Where the response has a total, a contract could name it, so
# that a walk that ends with fewer rows fails. A contract's author asks for an order by a field that is unique and never null.
# Seen on 2026-11-30.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages djangorestframework==3.18.3 django-ninja-cursor-pagination==0.1.0 django-ninja==1.7.1 django-cursor-pagination==0.3.0 \
  Django==5.2.19 fastapi-pagination==0.16.1 sqlakeyset==2.0.1787969905 SQLAlchemy==2.1.9 fastapi==0.165.0 uvicorn==0.54.0

cat >"$work/django_shop.py" <<'PYTHON'
import logging
import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
from django.conf import settings
port, folder = int(sys.argv[1]), sys.argv[2]
logging.disable(logging.CRITICAL)
settings.configure(
    SECRET_KEY="finding", ALLOWED_HOSTS=["*"], ROOT_URLCONF="__main__", INSTALLED_APPS=["rest_framework"], USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{folder}/django"}},
    REST_FRAMEWORK={"DEFAULT_AUTHENTICATION_CLASSES": [], "UNAUTHENTICATED_USER": None})
django.setup()
import cursor_pagination
import ninja
import ninja.pagination
import ninja_cursor_pagination
from django.core.wsgi import get_wsgi_application
from django.db import connection, models
from django.http import JsonResponse
from django.urls import path
from rest_framework import generics, pagination, serializers

class Order(models.Model):
    paid = models.DateField(null=True)

    class Meta:
        app_label = "shop"

with connection.schema_editor() as editor:
    editor.create_model(Order)
for number in range(1, 21):
    Order.objects.create(id=number, paid=None if number % 3 == 0 else f"2026-01-{number // 4 + 1:02}")

class Serializer(serializers.ModelSerializer):
    class Meta:
        model = Order
        fields = ["id", "paid"]

class Cursor(pagination.CursorPagination):
    page_size = 6
    ordering = "-paid"

class Orders(generics.ListAPIView):
    serializer_class = Serializer
    queryset = Order.objects.all()
    pagination_class = Cursor

class Schema(ninja.Schema):
    id: int

service = ninja.NinjaAPI()

@service.get("/package", response=list[Schema])
@ninja.pagination.paginate(ninja_cursor_pagination.CursorPagination)
def package(request):
    return Order.objects.order_by("-paid", "-id")

@service.get("/own", response=list[Schema])
@ninja.pagination.paginate(ninja.pagination.CursorPagination, ordering=("-paid",), page_size=6)
def own(request):
    return Order.objects.all()

def plain(request):
    paginator = cursor_pagination.CursorPaginator(Order.objects.all(), ordering=("-paid", "-id"))
    page = paginator.page(first=6, after=request.GET.get("after"))
    following = f"/plain?after={paginator.cursor(page[-1])}" if page.has_next else None
    return JsonResponse({"results": [{"id": order.id} for order in page], "next": following})

class Handler(WSGIRequestHandler):
    def log_message(self, *arguments):
        pass

urlpatterns = [path("rest", Orders.as_view()), path("ninja/", service.urls), path("plain", plain)]
make_server("127.0.0.1", port, get_wsgi_application(), handler_class=Handler).serve_forever()
PYTHON
cat >"$work/fastapi_shop.py" <<'PYTHON'
import datetime
import sys
import typing

import fastapi
import fastapi_pagination
import fastapi_pagination.cursor
import fastapi_pagination.ext.sqlalchemy
import pydantic
import sqlalchemy
import sqlalchemy.orm
import uvicorn

class Base(sqlalchemy.orm.DeclarativeBase):
    pass

class Order(Base):
    __tablename__ = "orders"
    id: sqlalchemy.orm.Mapped[int] = sqlalchemy.orm.mapped_column(primary_key=True)
    paid: sqlalchemy.orm.Mapped[typing.Optional[datetime.date]]
    shop: sqlalchemy.orm.Mapped[str]

class Shown(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(from_attributes=True)
    id: int

engine = sqlalchemy.create_engine(f"sqlite:///{sys.argv[2]}/fastapi")
Base.metadata.create_all(engine)
with sqlalchemy.orm.Session(engine) as session:
    for number in range(1, 21):
        paid = None if number % 3 == 0 else datetime.date(2026, 1, number // 4 + 1)
        session.add(Order(id=number, paid=paid, shop=f"shop {number // 4}"))
    session.commit()
application = fastapi.FastAPI()

def page(*ordering):
    with sqlalchemy.orm.Session(engine) as session:
        return fastapi_pagination.ext.sqlalchemy.paginate(session, sqlalchemy.select(Order).order_by(*ordering))

@application.get("/paid", response_model=fastapi_pagination.cursor.CursorPage[Shown])
def paid():
    return page(Order.paid.desc(), Order.id)

@application.get("/shop", response_model=fastapi_pagination.cursor.CursorPage[Shown])
def shop():
    return page(Order.shop)

fastapi_pagination.add_pagination(application)
uvicorn.run(application, host="127.0.0.1", port=int(sys.argv[1]), log_level="critical")
PYTHON
cat >"$work/client.py" <<'PYTHON'
import json
import sys
import urllib.parse
import urllib.request

name, base, path = sys.argv[1:]
url, seen, pages, total = base + path, [], 0, None
while url:
    with urllib.request.urlopen(url) as response:
        page = json.load(response)
    pages += 1
    seen += [row["id"] for row in page.get("results", page.get("items"))]
    total = page.get("total", total)
    cursor = page.get("next_page")
    following = page.get("next") or (path + "&cursor=" + urllib.parse.quote(cursor) if cursor else None)
    url = urllib.parse.urljoin(base, following) if following else None
text = f", total {total}" if total else ""
print(f"{name}: {len(set(seen))} of 20 orders on {pages} pages without an error{text}")
PYTHON

cd "$work"
port=$(free_port)
start "$port" python django_shop.py "$port" "$work"
{
  python client.py "Django REST framework by -paid" "http://127.0.0.1:$port" "/rest"
  python client.py "django-ninja-cursor-pagination by -paid and -id" "http://127.0.0.1:$port" "/ninja/package?limit=6"
  python client.py "django-ninja by -paid" "http://127.0.0.1:$port" "/ninja/own"
  python client.py "django-cursor-pagination by -paid and -id" "http://127.0.0.1:$port" "/plain"
} >seen
stop "$server"
port=$(free_port)
start "$port" python fastapi_shop.py "$port" "$work"
{
  python client.py "fastapi-pagination by -paid and id" "http://127.0.0.1:$port" "/paid?size=6"
  python client.py "fastapi-pagination by shop" "http://127.0.0.1:$port" "/shop?size=6"
} >>seen

compare seen <<'RECORDED'
Django REST framework by -paid: 14 of 20 orders on 3 pages without an error
django-ninja-cursor-pagination by -paid and -id: 14 of 20 orders on 3 pages without an error
django-ninja by -paid: 14 of 20 orders on 3 pages without an error
django-cursor-pagination by -paid and -id: 20 of 20 orders on 4 pages without an error
fastapi-pagination by -paid and id: 14 of 20 orders on 3 pages without an error, total 20
fastapi-pagination by shop: 17 of 20 orders on 3 pages without an error, total 20
RECORDED
