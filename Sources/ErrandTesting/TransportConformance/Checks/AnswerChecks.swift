import ErrandRuntime

extension TransportConformance {
    /// A response arrives as the server sent it.
    static let answerChecks: [Check] = [
        Check(
            "whole-answer", "Status, headers and body of an answer arrive as they were sent.",
            because: "Everything else is decided by them."
        ) { trial in
            let server = try trial.serve { connection, _ in
                while connection.readRequest() != nil {
                    connection.respond("201 Created", "X-Name: a value\r\n", "hello")
                }
            }
            let response = try trial.expectAnswer(
                await trial.outcome(of: TransportRequest(method: .get, url: server.url)), status: 201, body: "hello")
            trial.expect(response.headers["x-name"] == "a value", "the header X-Name is missing, or another")
        },
        Check(
            "any-status", "An answer of any status is an answer, those that a system would act on included.",
            because: "Contracts tell errors by their status."
        ) { trial in
            for status in [
                "400 Bad", "401 Unauthorized", "404 Not Found", "407 Proxy", "418 Teapot", "500 Oops", "503 Busy",
            ] {
                let server = try trial.serve { connection, _ in
                    _ = connection.readRequest()
                    connection.respond(status, "X-Kind: plain\r\nConnection: close\r\n", "why")
                }
                let outcome = await trial.outcome(of: TransportRequest(method: .get, url: server.url))
                try trial.expectAnswer(outcome, status: Int(status.prefix(3)) ?? 0, body: "why")
            }
        },
        Check(
            "body-of-challenge", "The body of a 401 arrives, also where it asks for Basic or Digest credentials.",
            because: "It says why, and a contract may tell errors by it."
        ) { trial in
            for scheme in ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"1\"", "Bearer"] {
                let server = try trial.serve { connection, _ in
                    _ = connection.readRequest()
                    connection.respond(
                        "401 Unauthorized", "WWW-Authenticate: \(scheme)\r\nConnection: close\r\n", "why")
                }
                let outcome = await trial.outcome(of: TransportRequest(method: .get, url: server.url))
                try trial.expectAnswer(outcome, status: 401, body: "why")
            }
        },
        Check(
            "no-credentials",
            "A server that asks for the credentials of the user or the machine gets none: its 401 is the answer.",
            because: "They would tell any server who the user is."
        ) { trial in
            for scheme in ["Negotiate", "NTLM", "Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"1\""] {
                let server = try trial.serve { connection, _ in
                    while connection.readRequest() != nil {
                        connection.respond("401 Unauthorized", "WWW-Authenticate: \(scheme)\r\n")
                    }
                }
                try trial.expectAnswer(
                    await trial.outcome(of: TransportRequest(method: .get, url: server.url)), status: 401)
                let count = server.requests.count
                trial.expect(count == 1, "\(scheme): the server has read \(count) requests in place of 1")
                trial.expect(
                    !server.requests.contains { $0.lowercased().contains("\r\nauthorization:") },
                    "\(scheme): credentials were sent")
            }
        },
        Check(
            "padded-headers", "Spaces and tabs around the value of a header are no part of it.",
            because: "RFC 9110 section 5.5 says so, and a `Retry-After` with a space behind it counts."
        ) { trial in
            let server = try trial.serve { connection, _ in
                _ = connection.readRequest()
                connection.respond("200 OK", "X-Padded: \t a b\t \r\nRetry-After:  7 \r\n")
            }
            let response = try trial.expectAnswer(
                await trial.outcome(of: TransportRequest(method: .get, url: server.url)))
            for (name, value) in [("X-Padded", "a b"), ("Retry-After", "7")] {
                let seen = response.headers[name] ?? "nothing"
                trial.expect(seen == value, "\(name) was \"\(seen)\" in place of \"\(value)\"")
            }
        },
        Check(
            "repeated-headers",
            "All values of a header that stands there several times arrive, apart or joined with commas.",
            because: "RFC 9110 section 5.3 lets a server write lists so."
        ) { trial in
            let server = try trial.serve { connection, _ in
                _ = connection.readRequest()
                connection.respond("200 OK", "X-Many: one\r\nX-Other: 1\r\nX-Many: two\r\nx-many: three\r\n", "")
            }
            let response = try trial.expectAnswer(
                await trial.outcome(of: TransportRequest(method: .get, url: server.url)))
            let values = response.headers.fields.filter { HTTPHeaders.isEqual($0.name, "X-Many") }.map(\.value)
            for value in ["one", "two", "three"] {
                trial.expect(values.contains { $0.contains(value) }, "X-Many: \(value) is missing; there is \(values)")
            }
        },
        Check(
            "interim-answers", "Statuses below 200 announce an answer and are none.",
            because: "A 103 in place of the answer would be read as its error."
        ) { trial in
            for status in ["100 Continue", "102 Processing", "103 Early Hints\r\nLink: </a>"] {
                let server = try trial.serve { connection, _ in
                    _ = connection.readRequest()
                    connection.write("HTTP/1.1 \(status)\r\n\r\nHTTP/1.1 \(status)\r\n\r\n")
                    connection.respond("200 OK", "", "after")
                }
                try trial.expectAnswer(
                    await trial.outcome(of: TransportRequest(method: .get, url: server.url)), body: "after")
            }
        },
        Check(
            "slow-answer", "An answer that comes a byte at a time is waited for.",
            because: "Networks cut answers where they like."
        ) { trial in
            let server = try trial.serve { connection, _ in
                _ = connection.readRequest()
                for byte in Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8)
                where connection.write([byte]) {
                    pause(2)
                }
            }
            try trial.expectAnswer(
                await trial.outcome(of: TransportRequest(method: .get, url: server.url)), body: "hello")
        },
    ]
}
