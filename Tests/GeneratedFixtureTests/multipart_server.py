"""Reads multipart bodies with the parser of Python's standard library, and answers with the parts as JSON."""
import email
import email.policy
import http.server
import json


class Parts(http.server.BaseHTTPRequestHandler):
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
        head = b"Content-Type: " + self.headers["Content-Type"].encode() + b"\r\n\r\n"
        message = email.message_from_bytes(head + sent, policy=email.policy.HTTP)
        parts = [
            {
                "name": part.get_param("name", header="content-disposition"),
                "file": part.get_filename(),
                "type": part["Content-Type"],
                "bytes": list(part.get_payload(decode=True)),
            }
            for part in message.iter_parts()
        ]
        answer = json.dumps(
            {"framing": "length" if "Content-Length" in self.headers else "chunked", "parts": parts,
             "defects": [str(defect) for defect in message.defects]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Parts)
print(server.server_port, flush=True)
server.serve_forever()
