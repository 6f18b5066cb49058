"""Real gateways (reverse proxies) on loopback, each in front of an upstream that fails on request.

    python3 gateways.py WORKFOLDER [--envoy BINARY]

One line of JSON on stdout says which ports to use; closing stdin (or SIGTERM) ends everything. A gateway that is not
installed is left out and named on stderr. Each gateway has a port for each situation:

  refused      nobody listens on the upstream's port
  unreachable  connecting to the upstream times out
  limited      the gateway's own rate limit refuses (nginx, haproxy, envoy)
  faulty       the upstream does what the request's X-Fault says (see Faulty.act)
  kept         the same, for trials of a used connection: `X-Fault: ok` makes one, `X-Fault: kept` meets it. This has
               an upstream of its own, for Squid keeps no connection to one that closed half of them.

GET /arrivals?trial=ID on the control port counts the requests with `X-Trial: ID` that reached an upstream. After a
request without X-Trial the upstream closes: so a trial gets rid of a used connection. Settings are each gateway's
defaults, but for short timeouts, no cache, and one worker, so that two requests meet the same pool of connections.
"""
import argparse
import contextlib
import http.client
import json
import os
import pathlib
import pwd
import random
import re
import select
import shutil
import signal
import socket
import socketserver
import struct
import subprocess
import sys
import threading
import time
import urllib.parse

HOST = "127.0.0.1"
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin:/usr/bin:/bin"
APACHE_MODULES = "/usr/lib/apache2/modules"  # where Debian's package puts them
LIMITERS = ("nginx", "haproxy", "envoy")

arrivals = []  # the X-Trial of each request


class Faulty(socketserver.StreamRequestHandler):
    """One connection from a gateway to the upstream."""

    def handle(self):
        earlier = 0
        with contextlib.suppress(OSError, ValueError):  # the gateway hung up in the middle
            while (headers := self.read_request()) and self.act(headers, earlier):
                earlier += 1

    def read_request(self):
        """Reads a request whole and returns its header fields, or None at the end of the connection."""
        headers = {"": self.rfile.readline().decode("latin-1")}
        if not headers[""]:
            return None
        while line := self.rfile.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        # Counted before its body is here: of half a request nobody can say that it was not sent on.
        arrivals.append(headers.get("x-trial"))
        if headers.get("expect", "").lower() == "100-continue":
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        if "chunked" in headers.get("transfer-encoding", "").lower():
            while size := int(self.rfile.readline().split(b";")[0], 16):
                self.rfile.read(size + 2)
            while self.rfile.readline().strip():
                pass
        else:
            length = int(headers.get("content-length", 0))
            if len(self.rfile.read(length)) < length:
                return None
        return headers

    def act(self, headers, earlier):
        """Does what X-Fault says. Returns whether the connection goes on."""
        fault = headers.get("x-fault", "ok")
        keeps = False
        if fault == "closes" or fault == "kept" and earlier:
            pass
        elif fault == "resets":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            os.close(self.connection.detach())  # close() would wait for rfile, and a FIN would go first
        elif fault == "silent":
            self.connection.settimeout(15)
            self.connection.recv(1)  # returns early when the gateway has had enough
        elif fault == "cut-length":
            self.answer("200 OK", "Content-Length: 100", b"x" * 50)
        elif fault == "cut-chunks":
            self.answer("200 OK", "Transfer-Encoding: chunked", b"5\r\nhello\r\n")
        else:
            busy = fault == "own503"
            body = b'{"error":"busy"}' if busy else b'{"ok":true}'
            keeps = "x-trial" in headers and headers.get("connection", "").lower() != "close"
            self.answer("503 Service Unavailable" if busy else "200 OK",
                        f"Content-Length: {len(body)}" + ("" if keeps else "\r\nConnection: close"),
                        b"" if headers[""].startswith("HEAD ") else body)
        return keeps

    def answer(self, status, fields, body):
        head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{fields}\r\n\r\n"
        self.wfile.write(head.encode() + body)


class Control(Faulty):
    """Answers GET /arrivals?trial=ID."""

    def act(self, headers, earlier):
        trial = urllib.parse.unquote(headers[""].split()[1].partition("?trial=")[2])
        count = str(arrivals.count(trial)).encode()
        self.answer("200 OK", f"Content-Length: {len(count)}", count)
        return True


def serve(handler):
    server = socketserver.ThreadingTCPServer((HOST, 0), handler)
    server.daemon_threads = True
    server.socket.listen(128)  # its default of 5 would drop a burst of connections
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def fill(listener):
    """Makes connecting time out: nobody accepts, and once the queue is full, the kernel drops each SYN."""
    listener.listen(0)
    holders = []
    for _ in range(50):
        try:
            holders.append(socket.create_connection(listener.getsockname(), timeout=0.3))
        except TimeoutError:
            return holders
    sys.exit("gateways: this kernel lets more connections in than the backlog says")


# The gateways. Each function writes a configuration into `folder` and returns the arguments of the command.
# `routes` maps a situation to the gateway's port and the upstream's port.


def each(routes, template, limit=""):
    return "".join(template % {"name": name, "port": port, "upstream": upstream, "limit": limit * (name == "limited")}
                   for name, (port, upstream) in routes.items())


def nginx(folder, routes):
    # As root, nginx would run its workers as a user who may not look into the folder.
    user = "user root;\n" if os.geteuid() == 0 else ""
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n"
                        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"{user}daemon off;\nworker_processes 1;\npid {folder}/pid;\nerror_log {folder}/error.log crit;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{temporary}limit_req_zone $server_addr zone=all:1m rate=1r/m;\n" +
        each(routes, """
upstream %(name)s { server 127.0.0.1:%(upstream)d; keepalive 4; }
server {
    listen 127.0.0.1:%(port)d;
    location / {
        %(limit)s proxy_pass http://%(name)s; proxy_connect_timeout 1s; proxy_read_timeout 2s;
        proxy_http_version 1.1; proxy_set_header Connection "";
    }
}""", limit="limit_req zone=all;") + "}\n")
    return ["-p", folder, "-c", folder / "nginx.conf", "-e", folder / "error.log"]


def apache2(folder, routes):
    nobody = pwd.getpwnam("nobody")  # Apache's workers will not run as root
    modules = "".join(f"LoadModule {name}_module {APACHE_MODULES}/mod_{name}.so\n"
                      for name in ("mpm_event", "authz_core", "proxy", "proxy_http"))
    (folder / "apache2.conf").write_text(
        f"ServerRoot {folder}\nDefaultRuntimeDir {folder}\nPidFile {folder}/pid\nErrorLog {folder}/error.log\n{modules}"
        f"ServerName localhost\nUser {nobody.pw_name}\nGroup #{nobody.pw_gid}\n"
        "StartServers 1\nServerLimit 1\nThreadsPerChild 25\nMaxRequestWorkers 25" + each(routes, """
Listen 127.0.0.1:%(port)d
<VirtualHost 127.0.0.1:%(port)d>
    ProxyPass / http://127.0.0.1:%(upstream)d/ connectiontimeout=1 timeout=2
</VirtualHost>
"""))
    return ["-d", folder, "-f", folder / "apache2.conf", "-D", "FOREGROUND"]


def haproxy(folder, routes):
    (folder / "haproxy.cfg").write_text(
        "global\n nbthread 1\n"
        "defaults\n mode http\n timeout connect 1s\n timeout server 2s\n timeout client 15s\n" + each(routes, """
listen %(name)s
 bind 127.0.0.1:%(port)d
 %(limit)s
 server upstream 127.0.0.1:%(upstream)d
""", limit="""stick-table type integer size 10 expire 1d store http_req_cnt
 http-request track-sc0 int(1)
 http-request deny deny_status 429 if { sc_http_req_cnt(0) gt 1 }"""))
    return ["-db", "-f", folder / "haproxy.cfg"]


def varnishd(folder, routes):
    # `pass` stands in a late part of the built-in VCL, so that everything before it still holds.
    (folder / "default.vcl").write_text(
        "vcl 4.1;\nsub vcl_req_authorization { return (pass); }\n" + each(routes, """
backend %(name)s { .host = "127.0.0.1"; .port = "%(upstream)d"; .connect_timeout = 1s; .first_byte_timeout = 2s; }
sub vcl_recv { if (local.socket == "%(name)s") { set req.backend_hint = %(name)s; } }
"""))
    addresses = [word for name, (port, _) in routes.items() for word in ("-a", f"{name}={HOST}:{port}")]
    return ["-F", "-j", "none", "-n", folder / "state", "-f", folder / "default.vcl", "-T", "none", "-s", "malloc,10m",
            "-p", "vsl_space=1M", *addresses]


def squid(folder, routes):
    # Squid will not run as root, and its user may not be able to look into the folder: so it writes nothing at all.
    # After ten failures to connect it would take an upstream for dead, and its answer would be another one.
    (folder / "squid.conf").write_text(
        "cache_effective_user nobody\npid_filename none\ncache_log /dev/null\naccess_log none\nnetdb_filename none\n"
        "coredump_dir none\npinger_enable off\nshutdown_lifetime 0 seconds\nvisible_hostname localhost\n"
        "cache deny all\nhttp_access allow all\nnever_direct allow all\n"
        "connect_timeout 1 second\npeer_connect_timeout 1 second\nread_timeout 2 seconds\n" + each(routes, """
http_port 127.0.0.1:%(port)d accel defaultsite=localhost
acl %(name)s localport %(port)d
cache_peer 127.0.0.1 parent %(upstream)d 0 no-query no-digest originserver connect-fail-limit=100000 name=%(name)s
cache_peer_access %(name)s allow %(name)s
"""))
    return ["-N", "-d", "1", "-f", folder / "squid.conf"]


def lighttpd(folder, routes):
    (folder / "lighttpd.conf").write_text(
        f'server.modules = ("mod_proxy")\nserver.document-root = "{folder}"\nserver.upload-dirs = ("{folder}")\n'
        f'server.bind = "{HOST}"\nserver.port = {routes["faulty"][0]}\n' + each(routes, """
$SERVER["socket"] == "127.0.0.1:%(port)d" {
    proxy.server = ("" => ((
        "host" => "127.0.0.1", "port" => %(upstream)d, "connect-timeout" => 1, "read-timeout" => 2)))
}
"""))
    return ["-D", "-f", folder / "lighttpd.conf"]


def caddy(folder, routes):
    (folder / "Caddyfile").write_text("{\nadmin off\nauto_https off\n}\n" + each(routes, """
http://:%(port)d {
    bind 127.0.0.1
    reverse_proxy 127.0.0.1:%(upstream)d {
        transport http {
            dial_timeout 1s
            response_header_timeout 2s
        }
    }
}
"""))
    return ["run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"]


def envoy(folder, routes):
    def typed(kind, **more):
        return {"name": kind, "typed_config": {"@type": f"type.googleapis.com/envoy.extensions.filters.{kind}", **more}}

    def address(port):
        return {"address": {"socket_address": {"address": HOST, "port_value": port}}}

    always = {"default_value": {"numerator": 100}}
    bucket = {"max_tokens": 1, "tokens_per_fill": 1, "fill_interval": "86400s"}
    limit = typed("http.local_ratelimit.v3.LocalRateLimit", stat_prefix="limit", token_bucket=bucket,
                  filter_enabled=always, filter_enforced=always)
    listeners, clusters = [], []
    for name, (port, upstream) in routes.items():
        route = {"match": {"prefix": "/"}, "route": {"cluster": name, "timeout": "2s"}}
        manager = typed("network.http_connection_manager.v3.HttpConnectionManager", stat_prefix=name,
                        http_filters=[limit] * (name == "limited") + [typed("http.router.v3.Router")],
                        route_config={"virtual_hosts": [{"name": name, "domains": ["*"], "routes": [route]}]})
        listeners.append({"name": name, **address(port), "filter_chains": [{"filters": [manager]}]})
        clusters.append({"name": name, "connect_timeout": "1s", "load_assignment": {
            "cluster_name": name, "endpoints": [{"lb_endpoints": [{"endpoint": address(upstream)}]}]}})
    (folder / "envoy.json").write_text(json.dumps({"static_resources": {"listeners": listeners, "clusters": clusters}}))
    return ["-c", folder / "envoy.json", "--disable-hot-restart", "--concurrency", "1", "--log-level", "warning"]


def free_ports():
    """Ports below the range from which the kernel takes those of outgoing connections: a free one stays free."""
    for port in random.sample(range(20000, 32000), 1000):
        try:
            socket.create_server((HOST, port)).close()
        except OSError:
            continue
        yield port


def status(port):
    connection = http.client.HTTPConnection(HOST, port, timeout=5)
    with contextlib.suppress(OSError, http.client.HTTPException), contextlib.closing(connection):
        connection.request("GET", "/")
        return connection.getresponse().status


def keep_spent(port):
    """nginx's lowest rate is a request in 62.5 seconds. This takes each of them before a test can."""
    while True:
        time.sleep(62)
        while status(port) == 503:
            time.sleep(0.005)


class Gateway:
    def __init__(self, configure, binary, folder, upstreams, free):
        self.name, self.folder, self.ready = configure.__name__, folder, False
        folder.mkdir(parents=True, exist_ok=True)
        variables = {"PATH": PATH, **dict.fromkeys(("HOME", "TMPDIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(folder))}
        flag = {"caddy": "version", "varnishd": "-V", "envoy": "--version"}.get(self.name, "-v")
        told = subprocess.run([binary, flag], env=variables, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
        self.version = re.search(r"\d+\.\d+(\.\d+)?", told.replace(binary, ""))[0]  # a path may hold a version, too
        self.ports = {name: next(free) for name in upstreams if name != "limited" or self.name in LIMITERS}
        arguments = configure(folder, {name: (port, upstreams[name]) for name, port in self.ports.items()})
        with open(folder / "output.log", "wb") as log:
            # A process group of its own, so that its workers are ended with it.
            self.process = subprocess.Popen([binary, *arguments], cwd=folder, env=variables, stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log, start_new_session=True)

    def check(self):
        if self.process.poll() is not None:
            sys.exit(f"gateways: {self.name} ended: {(self.folder / 'output.log').read_text(errors='replace')}")
        if status(self.ports["faulty"]) == 200:
            # The first request uses up the rate limit, so that every one of a test is refused.
            self.ready = "limited" not in self.ports or status(self.ports["limited"]) is not None
            if self.ready and self.name == "nginx":
                threading.Thread(target=keep_spent, args=[self.ports["limited"]], daemon=True).start()

    def signal(self, number):
        """Returns whether anybody is left."""
        self.process.poll()  # a dead leader for whom nobody waited would count
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)
            return True


def stop(gateways):
    left = [gateway for gateway in gateways if gateway.signal(signal.SIGTERM)]
    patience = time.monotonic() + 3
    while left:
        time.sleep(0.05)
        number = signal.SIGKILL if time.monotonic() > patience else 0
        left = [gateway for gateway in left if gateway.signal(number)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--envoy", type=os.path.abspath, help="the path of an envoy binary")
    options = parser.parse_args()
    ending = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ending.append(True))

    def asked_to_end(seconds):
        return ending or select.select([0], [], [], seconds)[0] and not os.read(0, 4096)

    control, faulty, kept = serve(Control), serve(Faulty), serve(Faulty)
    refused = socket.socket()
    refused.bind((HOST, 0))  # it never listens, and nobody else gets the port
    unreachable = socket.create_server((HOST, 0))
    upstreams = {"refused": refused.getsockname()[1], "unreachable": unreachable.getsockname()[1],
                 "limited": faulty, "faulty": faulty, "kept": kept}
    gateways, free = [], free_ports()
    try:
        for configure in (nginx, apache2, haproxy, varnishd, squid, lighttpd, caddy, envoy):
            name = configure.__name__
            binary = shutil.which((options.envoy or "") if name == "envoy" else name, path=PATH)
            if binary:
                gateways.append(Gateway(configure, binary, options.folder.resolve() / name, upstreams, free))
            else:
                print(f"gateways: {name} is not here", file=sys.stderr)
        deadline = time.monotonic() + 60
        while waiting := [gateway for gateway in gateways if not gateway.ready]:
            if asked_to_end(0.05):
                return
            if time.monotonic() > deadline:
                sys.exit(f"gateways: no answer from {', '.join(gateway.name for gateway in waiting)}")
            for gateway in waiting:
                gateway.check()
        # Only now: Squid never tries an upstream that it has not reached once.
        holders = fill(unreachable)
        found = {gateway.name: {"version": gateway.version, "ports": gateway.ports} for gateway in gateways}
        print(json.dumps({"control": control, "gateways": found}), flush=True)
        while not asked_to_end(0.2):
            pass
        del holders
    finally:
        stop(gateways)


if __name__ == "__main__":
    main()
