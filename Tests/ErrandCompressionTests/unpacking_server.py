"""Reads requests with Python's own HTTP server and zlib, and answers with the body as it was before it was compressed.

What the request said of its body goes into headers of the answer. Anything that is not a whole gzip file is answered with 400.
"""
import http.server
import sys
import zlib


class Unpacking(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def read(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", "0")))
        body = bytearray()
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return bytes(body)

    def do_POST(self):
        sent = self.read()
        coding = ",".join(self.headers.get_all("Content-Encoding") or ["none"])
        status, body = 200, sent
        if coding == "gzip":
            inflating = zlib.decompressobj(31)
            try:
                body = inflating.decompress(sent) + inflating.flush()
            except zlib.error:
                status = 400
            if not inflating.eof or inflating.unused_data:
                status, body = 400, b""
        self.send_response(status)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Sent-Size", str(len(sent)))
        self.send_header("X-Sent-Coding", coding)
        self.send_header("X-Sent-Type", self.headers.get("Content-Type", "none"))
        self.send_header("X-Sent-Framing", "chunked" if "Transfer-Encoding" in self.headers else "length")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Unpacking)
print(server.server_port, flush=True)
server.serve_forever()
