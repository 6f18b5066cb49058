#!/usr/bin/env bash
# FastAPI confirms an order with 201 before it is stored, also when it is never stored.
#
# Expected: a dependency that yields a database session and commits behind the `yield` is done before the response is sent. A commit
# that fails is a 500, and a read after the 201 finds the order. So it was in FastAPI 0.115.
# Seen: FastAPI 0.165 sends the response first. If the commit fails, the client has 201, and there is no order. If the commit takes
# time, a read that follows the 201 finds nothing, and the order is there a moment later. advanced-alchemy commits in this way with
# `commit_mode="autocommit"`, which is its setting for it. `Depends(…, scope="function")`, fastapi-async-sqlalchemy and generator
# dependencies of Litestar commit first.
# Who is hurt: a client that was told that the order is stored. Constraints that are checked at the commit, a database that is locked or
# gone, and conflicts of transactions all end in a success. A list that is loaded after the write lacks what the user has just added.
# Errand: believes a 201, and nothing in the response shows the loss. A contract with `confirm` reads only after an unclear end. An
# author whose service is FastAPI asks for `scope="function"`, or for a commit inside of the handler.
# Seen on 2026-12-01.
set -euo pipefail
source "$(dirname "$0")/support.bash"

packages fastapi==0.165.0 starlette==1.10.0 uvicorn==0.54.0 SQLAlchemy==2.1.9 aiosqlite==0.22.1 advanced-alchemy==1.12.0 \
  fastapi-async-sqlalchemy==0.7.1.post3 litestar==2.25.0
pip install --quiet --disable-pip-version-check --target "$work/old" fastapi==0.115.0
echo 'PyPI, in another folder: fastapi==0.115.0'

cat >"$work/shop.py" <<'PYTHON'
import logging
import sqlite3
import sys
import time
import typing

name, port, file = sys.argv[1], int(sys.argv[2]), sys.argv[3]
if name == "FastAPI 0.115":
    sys.path.insert(0, file.rsplit("/", 1)[0] + "/old")
logging.disable(logging.CRITICAL)
import sqlalchemy
import sqlalchemy.orm
import uvicorn
from sqlalchemy import event

# The database refuses an order of an unknown product when the transaction is committed.
with sqlite3.connect(file) as database:
    database.executescript("""
        create table products(name text primary key);
        insert into products values ('tea');
        create table orders(product text references products(name) deferrable initially deferred);
    """)

def prepare(engine):
    event.listen(engine, "connect", lambda connection, record: connection.execute("pragma foreign_keys = on"))
    event.listen(engine, "commit", lambda connection: time.sleep(1))

def insert(product):
    return sqlalchemy.text("insert into orders values (:product)").bindparams(product=product)

def stored():
    with sqlite3.connect(file) as database:
        return [product for product, in database.execute("select product from orders")]

url = f"sqlite:///{file}"

if name == "Litestar":
    import litestar
    from litestar.di import Provide
    engine = sqlalchemy.create_engine(url)
    prepare(engine)

    async def session() -> typing.AsyncGenerator[sqlalchemy.orm.Session, None]:
        with sqlalchemy.orm.Session(engine) as session:
            yield session
            session.commit()

    @litestar.post("/orders/{product:str}", dependencies={"session": Provide(session)})
    async def post(product: str, session: sqlalchemy.orm.Session) -> dict:
        session.execute(insert(product))
        return {"product": product}

    @litestar.get("/orders")
    async def get() -> list:
        return stored()

    application = litestar.Litestar([post, get])
else:
    import fastapi
    application = fastapi.FastAPI()
    if name == "fastapi-async-sqlalchemy":
        import fastapi_async_sqlalchemy
        from sqlalchemy.ext.asyncio import create_async_engine
        engine = create_async_engine(f"sqlite+aiosqlite:///{file}")
        prepare(engine.sync_engine)
        application.add_middleware(
            fastapi_async_sqlalchemy.SQLAlchemyMiddleware, custom_engine=engine, commit_on_exit=True)

        @application.post("/orders/{product}", status_code=201)
        async def post(product: str):
            await fastapi_async_sqlalchemy.db.session.execute(insert(product))
            return {"product": product}
    else:
        if name == "advanced-alchemy":
            from advanced_alchemy.extensions.fastapi import AdvancedAlchemy, SQLAlchemySyncConfig
            configuration = SQLAlchemySyncConfig(connection_string=url, commit_mode="autocommit")
            dependency = fastapi.Depends(AdvancedAlchemy(config=configuration, app=application).provide_session())
            prepare(configuration.get_engine())
        else:
            engine = sqlalchemy.create_engine(url)
            prepare(engine)

            def session():
                with sqlalchemy.orm.Session(engine) as session:
                    yield session
                    session.commit()

            scope = {"scope": "function"} if name.endswith("scope=function") else {}
            dependency = fastapi.Depends(session, **scope)

        @application.post("/orders/{product}", status_code=201)
        def post(product: str, session: sqlalchemy.orm.Session = dependency):
            session.execute(insert(product))
            return {"product": product}

    @application.get("/orders")
    def get() -> list:
        return stored()

uvicorn.run(application, host="127.0.0.1", port=port, log_level="critical")
PYTHON
cat >"$work/client.py" <<'PYTHON'
import http.client
import json
import sys
import time

name, port = sys.argv[1], int(sys.argv[2])

def send(method, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path)
    response = connection.getresponse()
    text = response.read()
    connection.close()
    return json.loads(text) if method == "GET" else response.status

first, at_once = send("POST", "/orders/tea"), len(send("GET", "/orders"))
time.sleep(2)
later = len(send("GET", "/orders"))
second = send("POST", "/orders/nothing")
time.sleep(2)
print(f"{name}: {first}, then {at_once} of 1 order, two seconds later {later}; with a commit that fails "
      f"{second}, and {len(send('GET', '/orders')) - later} orders")
PYTHON

number=0
for name in "FastAPI 0.115" "FastAPI 0.165" advanced-alchemy "FastAPI 0.165, scope=function" fastapi-async-sqlalchemy Litestar; do
  port=$(free_port)
  number=$((number + 1))
  start "$port" python "$work/shop.py" "$name" "$port" "$work/orders-$number"
  python "$work/client.py" "$name" "$port"
  stop "$server"
done >"$work/seen"

compare "$work/seen" <<'RECORDED'
FastAPI 0.115: 201, then 1 of 1 order, two seconds later 1; with a commit that fails 500, and 0 orders
FastAPI 0.165: 201, then 0 of 1 order, two seconds later 1; with a commit that fails 201, and 0 orders
advanced-alchemy: 201, then 0 of 1 order, two seconds later 1; with a commit that fails 201, and 0 orders
FastAPI 0.165, scope=function: 201, then 1 of 1 order, two seconds later 1; with a commit that fails 500, and 0 orders
fastapi-async-sqlalchemy: 201, then 1 of 1 order, two seconds later 1; with a commit that fails 500, and 0 orders
Litestar: 201, then 1 of 1 order, two seconds later 1; with a commit that fails 500, and 0 orders
RECORDED
