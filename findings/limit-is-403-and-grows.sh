#!/usr/bin/env bash
# Apache's mod_evasive refuses a client that is too fast with 403, and each further request makes the refusal longer.
#
# Expected: too many requests are 429 with `Retry-After` (RFC 6585 section 4), and a client that asks again later is served once the time
# is over. 403 means that the server will not carry this request out for this client, whenever it is sent.
# Seen: more than DOSPageCount requests for one URL are 403 with Apache's page for forbidden things, without `Retry-After`. The refusal
# lasts for DOSBlockingPeriod, and each request meanwhile begins it anew, also one for another URL: a client that asks once a second is
# refused without end. One that pauses for the whole period is served. The count goes on as long as no pause is as long as the interval,
# so with 4 requests in 3 seconds, a client that sends 3 in 3 seconds is refused as well.
# Who is hurt: a screen that asks for a state once a second, or several apps behind one address. The client reports that the user has no
# right to see this, or logs the user out. An app that tries again "in a moment" keeps itself out.
# Errand: a 403 is not retried, and its category is that of the contract. Behind mod_evasive, an error for 403 should not be
# `requiresLogout`, and a pause should be longer than the period.
# Seen on 2026-11-30, Apache 2.4.71 and mod_evasive 1.10.1 of Debian 12.
set -euo pipefail
source "$(dirname "$0")/support.bash"

debian apache2 libapache2-mod-evasive

cat >"$work/client.py" <<'PYTHON'
import http.client
import sys
import time

port = int(sys.argv[1])

def get(path="/state"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    response = connection.getresponse()
    response.read()
    connection.close()
    return f"{response.status}{'' if response.headers.get('Retry-After') is None else ' with Retry-After'}"

def runs(seen):
    text, count = [], 0
    for index, one in enumerate(seen):
        count += 1
        if index + 1 == len(seen) or seen[index + 1] != one:
            text.append(f"{count} times {one}")
            count = 0
    return ", ".join(text)

print("8 at once:", runs([get() for _ in range(8)]))
print("another URL:", get("/other"))
seen = []
for _ in range(12):
    time.sleep(1)
    seen.append(get())
print("one each second:", runs(seen))
time.sleep(5)
print("after 5 s without a request:", get())
seen = []
for _ in range(6):
    time.sleep(1)
    seen.append(get())
print("one each second:", runs(seen))
PYTHON

cd "$work"
mkdir files
touch files/state files/other
port=$(free_port)
cat >apache.conf <<CONF
ServerName localhost
ServerRoot $PWD
DefaultRuntimeDir $PWD
PidFile $PWD/apache.pid
ErrorLog $PWD/apache.log
User www-data
Group www-data
Listen 127.0.0.1:$port
$(for name in mpm_event authz_core; do echo "LoadModule ${name}_module /usr/lib/apache2/modules/mod_$name.so"; done)
LoadModule evasive20_module /usr/lib/apache2/modules/mod_evasive20.so
StartServers 1
ServerLimit 1
MaxRequestWorkers 25
DocumentRoot $PWD/files
DOSPageCount 4
DOSPageInterval 3
DOSSiteCount 100
DOSSiteInterval 2
DOSBlockingPeriod 4
DOSLogDir $PWD
CONF
chmod 777 .
start "$port" apache2 -f "$PWD/apache.conf" -DFOREGROUND
python3 client.py "$port" >seen

compare seen <<'RECORDED'
8 at once: 5 times 200, 3 times 403
another URL: 403
one each second: 12 times 403
after 5 s without a request: 200
one each second: 3 times 200, 3 times 403
RECORDED
