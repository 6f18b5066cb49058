"""A service with one list of 25 books, in the styles of Django REST framework and django-ninja. Arguments: the port."""
import json
import sys

import django
from django.conf import settings
from django.core.management import call_command

settings.configure(
    DEBUG=False, SECRET_KEY="lists", ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, USE_TZ=True,
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework", "drf_spectacular"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    REST_FRAMEWORK={"DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
                    "DEFAULT_AUTHENTICATION_CLASSES": [], "UNAUTHENTICATED_USER": None})
django.setup()

from django.http import JsonResponse  # noqa: E402
from django.urls import path  # noqa: E402
from drf_spectacular.generators import SchemaGenerator  # noqa: E402
from ninja import NinjaAPI, Schema  # noqa: E402
from ninja.pagination import LimitOffsetPagination, PageNumberPagination, paginate  # noqa: E402
from rest_framework import generics, pagination, serializers  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402


class BookSerializer(serializers.ModelSerializer):
    class Meta:
        model = User
        fields = ["id", "username"]


def books(name, style):
    """A view of the list in a style of Django REST framework."""
    parts = {"page_size": 7, "ordering": "id", "default_limit": 7}
    kind = type(name, (style,), parts)
    return type(name, (generics.ListAPIView,), {
        "queryset": User.objects.order_by("id"), "serializer_class": BookSerializer, "pagination_class": kind}).as_view()


ninja = NinjaAPI(title="Ninja", version="1", openapi_url=None, docs_url=None)


class Book(Schema):
    id: int
    username: str


@ninja.get("/by-offset", response=list[Book], operation_id="ninjaByOffset")
@paginate(LimitOffsetPagination, pass_parameter="pagination_info")
def ninja_by_offset(request, **kwargs):
    return User.objects.order_by("id")


@ninja.get("/by-page", response=list[Book], operation_id="ninjaByPage")
@paginate(PageNumberPagination, page_size=7)
def ninja_by_page(request):
    return User.objects.order_by("id")


urlpatterns = [
    path("drf/by-page", books("ByPage", pagination.PageNumberPagination)),
    path("drf/by-offset", books("ByOffset", pagination.LimitOffsetPagination)),
    path("drf/by-cursor", books("ByCursor", pagination.CursorPagination)),
]


def documents():
    drf = SchemaGenerator(title="Rest", version="1").get_schema(request=None, public=True)
    return {"rest": drf, "ninja": ninja.get_openapi_schema(path_prefix="/ninja/")}




def shrink(request):
    """Removes all books but the first five, while somebody walks the list."""
    User.objects.filter(id__gt=5).delete()
    return JsonResponse({})


urlpatterns += [path("ninja/", ninja.urls), path("shrink", shrink)]
urlpatterns += [path("documents/<str:name>", lambda request, name: JsonResponse(documents()[name]))]

if __name__ == "__main__":
    from wsgiref.simple_server import WSGIServer, make_server

    from django.core.wsgi import get_wsgi_application

    call_command("migrate", verbosity=0, run_syncdb=True)
    User.objects.bulk_create(User(username=f"book{number}") for number in range(1, 26))
    make_server("127.0.0.1", int(sys.argv[1]), get_wsgi_application()).serve_forever()
