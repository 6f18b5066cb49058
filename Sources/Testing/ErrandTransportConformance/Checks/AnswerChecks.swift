import ErrandRuntime

extension TransportConformance {
    /// A response arrives as the server sent it.
    static let answerChecks: [Check] = [
        Check(
            "whole-response", "Status, headers and body of a response arrive unchanged.",
            because: "All later decisions depend on them."
        ) { trial in
            let server = try trial.serve(each: message("201 Created", "X-Name: a value\r\n", "hello"))
            let response = try await trial.expectAnswer(to: server.get(), status: 201, body: "hello")
            trial.expect(response.headers["x-name"] == "a value", "the header X-Name is missing, or another")
        },
        Check(
            "any-status",
            "A response of any status is returned as a response, including a status that the system would handle itself.",
            because: "Contracts recognize errors by their status."
        ) { trial in
            for status in [
                "400 Bad", "401 Unauthorized", "404 Not Found", "407 Proxy", "418 Teapot", "500 Oops", "503 Busy",
            ] {
                let server = try trial.serve(once: message(status, "X-Kind: plain\r\nConnection: close\r\n", "why"))
                try await trial.expectAnswer(to: server.get(), status: Int(status.prefix(3)) ?? 0, body: "why")
            }
        },
        Check(
            "body-of-challenge", "The body of a 401 arrives, even if the 401 asks for Basic or Digest credentials.",
            because: "It contains the reason, and a contract may recognize errors by it."
        ) { trial in
            for scheme in ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"1\"", "Bearer"] {
                let headers = "WWW-Authenticate: \(scheme)\r\nConnection: close\r\n"
                let server = try trial.serve(once: message("401 Unauthorized", headers, "why"))
                try await trial.expectAnswer(to: server.get(), status: 401, body: "why")
            }
        },
        Check(
            "no-credentials",
            "If a server asks for credentials of the user or the machine, the transport sends none and returns the 401.",
            because: "Credentials would identify the user to any server."
        ) { trial in
            for scheme in ["Negotiate", "NTLM", "Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"1\""] {
                let server = try trial.serve(each: message("401 Unauthorized", "WWW-Authenticate: \(scheme)\r\n"))
                try await trial.expectAnswer(to: server.get(), status: 401)
                let count = server.requests.count
                trial.expect(count == 1, "\(scheme): the server has read \(count) requests in place of 1")
                trial.expect(
                    !server.requests.contains { $0.lowercased().contains("\r\nauthorization:") },
                    "\(scheme): credentials were sent")
            }
        },
        Check(
            "padded-headers", "Spaces and tabs around the value of a header are not part of the value.",
            because: "RFC 9110 section 5.5 requires it, and a `Retry-After` with a trailing space is valid."
        ) { trial in
            let server = try trial.serve(once: message("200 OK", "X-Padded: \t a b\t \r\nRetry-After:  7 \r\n"))
            let response = try await trial.expectAnswer(to: server.get())
            for (name, value) in [("X-Padded", "a b"), ("Retry-After", "7")] {
                let seen = response.headers[name] ?? "nothing"
                trial.expect(seen == value, "\(name) was \"\(seen)\" in place of \"\(value)\"")
            }
        },
        Check(
            "repeated-headers",
            "All values of a header that occurs several times arrive, separately or joined with commas.",
            because: "RFC 9110 section 5.3 allows a server to send lists this way."
        ) { trial in
            let headers = "X-Many: one\r\nX-Other: 1\r\nX-Many: two\r\nx-many: three\r\n"
            let server = try trial.serve(once: message("200 OK", headers))
            let response = try await trial.expectAnswer(to: server.get())
            let values = response.headers.fields.filter { HTTPHeaders.isEqual($0.name, "X-Many") }.map(\.value)
            for value in ["one", "two", "three"] {
                trial.expect(values.contains { $0.contains(value) }, "X-Many: \(value) is missing; there is \(values)")
            }
        },
        Check(
            "interim-responses", "A status below 200 announces a response and is not returned as one.",
            because: "The client would treat a 103 as an error."
        ) { trial in
            for status in ["100 Continue", "102 Processing", "103 Early Hints\r\nLink: </a>"] {
                let server = try trial.serve { connection, _ in
                    _ = connection.readRequest()
                    connection.write("HTTP/1.1 \(status)\r\n\r\nHTTP/1.1 \(status)\r\n\r\n")
                    connection.respond("200 OK", "", "after")
                }
                try await trial.expectAnswer(to: server.get(), body: "after")
            }
        },
        Check(
            "slow-response", "The transport waits for a response that arrives one byte at a time.",
            because: "Networks split responses at any point."
        ) { trial in
            let server = try trial.serve { connection, _ in
                _ = connection.readRequest()
                for byte in Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8)
                where connection.write([byte]) {
                    pause(2)
                }
            }
            try await trial.expectAnswer(to: server.get(), body: "hello")
        },
    ]
}
