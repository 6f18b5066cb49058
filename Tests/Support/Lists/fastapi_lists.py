"""A service with one list of 25 books, in the styles of fastapi-pagination. Arguments: the port."""
import sys

import uvicorn
from fastapi import FastAPI
from fastapi_pagination import Page, add_pagination, paginate
from fastapi_pagination.limit_offset import LimitOffsetPage
from fastapi_pagination.utils import disable_installed_extensions_check
from pydantic import BaseModel


class Book(BaseModel):
    id: int
    username: str


disable_installed_extensions_check()
app = FastAPI(title="Fast", version="1")
BOOKS = [Book(id=number, username=f"book {number}") for number in range(1, 26)]


@app.get("/by-page", response_model=Page[Book], operation_id="byPage")
def by_page():
    return paginate(BOOKS)


@app.get("/by-offset", response_model=LimitOffsetPage[Book], operation_id="byOffset")
def by_offset():
    return paginate(BOOKS)


add_pagination(app)
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
