"""A service with one list of 25 books, in the style of flask-smorest. Arguments: the port."""
import sys

import marshmallow
from flask import Flask
from flask.views import MethodView
from flask_smorest import Api, Blueprint, Page


class Book(marshmallow.Schema):
    id = marshmallow.fields.Int(required=True)
    username = marshmallow.fields.String(required=True)


class Shelf(Page):
    @property
    def item_count(self):
        return len(self.collection)


app = Flask(__name__)
app.config.update(
    API_TITLE="Flask", API_VERSION="1", OPENAPI_VERSION="3.0.3", OPENAPI_URL_PREFIX="/", OPENAPI_JSON_PATH="openapi.json"
)
books = Blueprint("books", "books", url_prefix="/books")


@books.route("/")
class Books(MethodView):
    @books.doc(operationId="byHeader")
    @books.response(200, Book(many=True))
    @books.paginate(Shelf)
    def get(self):
        return [{"id": number, "username": f"book {number}"} for number in range(1, 26)]


Api(app).register_blueprint(books)
app.run(host="127.0.0.1", port=int(sys.argv[1]))
