import ErrandRuntime

extension TransportConformance {
    private static let dispatcherFollows =
        "The dispatcher follows redirects, and decides what goes along. It could not tell what a transport has sent elsewhere."

    /// That a redirect is a response like others.
    static let redirectChecks: [Check] = [
        Check(
            "redirects-not-followed",
            "A redirect itself is the response, with its `Location`. Nothing is sent elsewhere.",
            because: dispatcherFollows
        ) { trial in
            for method in [HTTPMethod.get, .head, .delete, .post, .put, .query] {
                let body: [UInt8]? = [.post, .put, .query].contains(method) ? [1] : nil
                for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"] {
                    let server = try redirecting(trial, status, to: "/end")
                    let request = TransportRequest(
                        method: method, url: server.url + "/start", body: body, timeout: .seconds(10),
                        maximumRedirects: 0)
                    let outcome = await trial.outcome(of: request)
                    try trial.expectAnswer(outcome, status: Int(status.prefix(3)) ?? 0)
                    if case .answer(let response) = outcome {
                        trial.expect(
                            response.headers["Location"] == "/end",
                            "the `Location` of the \(status) to a \(method.rawValue) was missing")
                    }
                    trial.expect(
                        server.requests.count == 1,
                        "after the \(status) to a \(method.rawValue), the server was asked \(server.requests.count) times"
                    )
                }
            }
        },
        Check(
            "redirects-abroad", "A redirect to another origin is not followed either, and takes nothing along.",
            because: "Another origin may belong to another party, which would then have the data."
        ) { trial in
            var headers: HTTPHeaders = ["cookie": "id=c4nary", "authorization": "c4nary", "X-Api-Key": "c4nary"]
            headers.append("X-Key", "c4nary", isSensitive: true)
            let other = try trial.serve(each: message("200 OK", "", "other"))
            for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"] {
                let server = try redirecting(trial, status, to: other.url + "/end")
                let request = TransportRequest(
                    method: .get, url: server.url + "/start", headers: headers, timeout: .seconds(10),
                    maximumRedirects: 0)
                try await trial.expectAnswer(to: request, status: Int(status.prefix(3)) ?? 0)
            }
            trial.expect(other.requests.isEmpty, "the other origin was asked \(other.requests.count) times")
        },
        Check(
            "other-schemes", "A redirect to a scheme other than `http` and `https` is not followed.",
            because: "A server could make the client read files."
        ) { trial in
            for target in ["file:///etc/hostname", "ftp://127.0.0.1/", "data:,x"] {
                let server = try redirecting(trial, "302 Found", to: target)
                let request = TransportRequest(
                    method: .get, url: server.url + "/start", timeout: .seconds(10), maximumRedirects: 0)
                try await trial.expectAnswer(to: request, status: 302)
            }
        },
    ]

    private static func redirecting(
        _ trial: TransportTrial, _ status: String, to target: String
    ) throws -> RawServer {
        try trial.serve { connection, _ in
            while let request = connection.readRequest() {
                if request.contains(" /end ") {
                    connection.respond("200 OK", "", "end")
                } else {
                    connection.respond(status, "Location: \(target)\r\n")
                }
            }
        }
    }
}
