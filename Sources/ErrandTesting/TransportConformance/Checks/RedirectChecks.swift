import ErrandRuntime

extension TransportConformance {
    private static let leaves = "Another origin may belong to another party, which would then have the data."

    /// Where a redirect may lead. A transport need not follow any.
    static let redirectChecks: [Check] = [
        Check(
            "redirects-not-wanted", "If the request allows no redirects, the redirect itself is the response.",
            because: "A contract may declare the meaning of a 302."
        ) { trial in
            let server = try redirecting(trial, "302 Found") { "/end" }
            let request = TransportRequest(
                method: .get, url: server.url + "/start", timeout: .seconds(10), maximumRedirects: 0)
            try trial.expectAnswer(await trial.outcome(of: request), status: 302)
            trial.expect(
                server.requests.count == 1, "the server was asked \(server.requests.count) times in place of once")
        },
        Check(
            "redirects-end", "In a loop of redirects, the response is the first redirect beyond the limit.",
            because: "The request would never end."
        ) { trial in
            let server = try redirecting(trial, "302 Found") { "/again" }
            let request = TransportRequest(
                method: .get, url: server.url + "/start", timeout: .seconds(10), maximumRedirects: 3)
            try trial.expectAnswer(await trial.outcome(of: request), status: 302)
            trial.expect(
                server.requests.count <= 4, "the server was asked \(server.requests.count) times in place of 4 at most")
        },
        Check(
            "secrets-stay",
            "A redirect to another origin is followed without headers that are, or usually are, secret.",
            because: leaves
        ) { trial in
            var headers: HTTPHeaders = ["cookie": "id=c4nary", "authorization": "c4nary", "X-Plain": "1"]
            headers.append("X-Key", "c4nary", isSensitive: true)
            for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"] {
                let other = try trial.serve { connection, _ in
                    while connection.readRequest() != nil { connection.respond("200 OK", "", "other") }
                }
                let target = other.url + "/end"
                let server = try redirecting(trial, status) { target }
                _ = await trial.outcome(
                    of: TransportRequest(
                        method: .get, url: server.url + "/start", headers: headers, timeout: .seconds(10)))
                trial.expect(!other.requests.contains { $0.contains("c4nary") }, "\(status) took a secret along")
            }
        },
        Check("body-stays", "A redirect to another origin is followed without the body.", because: leaves) { trial in
            for status in ["307 Temporary", "308 Permanent"] {
                let other = try trial.serve { connection, _ in
                    while connection.readRequest() != nil { connection.respond("200 OK", "", "other") }
                }
                let target = other.url + "/end"
                let server = try redirecting(trial, status) { target }
                let request = TransportRequest(
                    method: .post, url: server.url + "/start", body: Array("c4nary".utf8), timeout: .seconds(10))
                try trial.expectAnswer(await trial.outcome(of: request), status: Int(status.prefix(3)) ?? 0)
                trial.expect(other.requests.isEmpty, "\(status) took the body along")
            }
        },
        Check(
            "method-stays", "A redirect that would change the method is not followed.",
            because: "If a DELETE became a GET, the success of the GET would not mean that the DELETE succeeded."
        ) { trial in
            for (method, status) in [
                (HTTPMethod.delete, "303 See Other"), (.post, "303 See Other"), (.post, "302 Found"),
            ] {
                let server = try redirecting(trial, status) { "/end" }
                let request = TransportRequest(
                    method: method, url: server.url + "/start", body: method == .post ? [1] : nil, timeout: .seconds(10)
                )
                try trial.expectAnswer(await trial.outcome(of: request), status: Int(status.prefix(3)) ?? 0)
                trial.expect(
                    !server.requests.contains { $0.hasPrefix("GET ") }, "\(status) made a GET of a \(method.rawValue)")
            }
        },
        Check(
            "other-schemes", "A redirect to a scheme other than `http` and `https` is not followed.",
            because: "A server could make the client read files."
        ) { trial in
            for target in ["file:///etc/hostname", "ftp://127.0.0.1/", "data:,x"] {
                let server = try redirecting(trial, "302 Found") { target }
                let request = TransportRequest(method: .get, url: server.url + "/start", timeout: .seconds(10))
                try trial.expectAnswer(await trial.outcome(of: request), status: 302)
            }
        },
        Check(
            "refused-second-hop", "If the second hop of a redirect is refused, the request still counts as sent.",
            because: "The first server has read the request, and may have acted on it."
        ) { trial in
            let port = try SilentPort()
            let target = "http://127.0.0.1:\(port.port)/end"
            for status in ["302 Found", "307 Temporary"] {
                let server = try redirecting(trial, status) { target }
                switch await trial.outcome(
                    of: TransportRequest(method: .get, url: server.url + "/start", timeout: .seconds(10)))
                {
                case .fault(let fault): trial.expect(fault.evidence != .notSent, "the fault was \(fault)")
                case .answer(let response):
                    trial.expect(response.status / 100 == 3, "the status was \(response.status)")
                case .nothing: trial.note("it never ended")
                }
            }
        },
    ]

    private static func redirecting(
        _ trial: TransportTrial, _ status: String, to target: @escaping @Sendable () -> String
    ) throws -> RawServer {
        try trial.serve { connection, _ in
            while let request = connection.readRequest() {
                if request.contains(" /end ") {
                    connection.respond("200 OK", "", "end")
                } else {
                    connection.respond(status, "Location: \(target())\r\n")
                }
            }
        }
    }
}
