import ErrandRuntime

extension TransportConformance {
    /// Many at once.
    static let concurrencyChecks: [Check] = [
        Check(
            "hundred-at-once", "Each of a hundred simultaneous requests gets its own response.",
            because: "They share connections and parsers."
        ) { trial in
            let server = try trial.serve { connection, _ in
                while let request = connection.readRequest() {
                    let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                    pause(5)
                    connection.respond("200 OK", "X-Path: \(path)\r\n", path)
                }
            }
            let running = (0..<100).map { number in
                trial.start(
                    TransportRequest(
                        method: number % 2 == 0 ? .get : .post, url: server.url + "/\(number)", timeout: .seconds(30)))
            }
            for (number, request) in running.enumerated() {
                let response = try trial.expectAnswer(await request.outcome(within: .seconds(40)), body: "/\(number)")
                trial.expect(response.headers["X-Path"] == "/\(number)", "request \(number) has another's header")
            }
            trial.expect(
                server.requests.count == 100, "the server has read \(server.requests.count) requests in place of 100")
        },
        Check(
            "mixed-fates",
            "Each of many simultaneous requests gets its own result, even if some connections are truncated, reset or stalled.",
            because: "A fault belongs to one request, and the others must not report it."
        ) { trial in
            let server = try trial.serve { connection, _ in
                while let request = connection.readRequest() {
                    let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                    switch path.split(separator: "/").first {
                    case "cut":
                        _ = connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
                        return
                    case "reset": return connection.reset()
                    case "stalled":
                        _ = connection.isClosedByClient(within: 20)
                        return
                    default: connection.respond("200 OK", "", path)
                    }
                }
            }
            let fates = ["fine", "cut", "reset", "stalled"]
            let running = (0..<40).map { number in
                let fate = fates[number % 4]
                let timeout: Duration = fate == "stalled" ? .seconds(3) : .seconds(30)
                let url = server.url + "/\(fate)/\(number)"
                return (
                    fate, number,
                    trial.start(TransportRequest(method: .post, url: url, timeout: timeout, isRepeatable: false))
                )
            }
            for (fate, number, request) in running {
                let outcome = await request.outcome(within: .seconds(40))
                switch fate {
                case "fine": try trial.expectAnswer(outcome, body: "/fine/\(number)")
                // It may have waited for a connection until its time was over.
                case "stalled": try trial.expectFault(outcome, [.timeout], [.notSent, .sent])
                default: try trial.expectFault(outcome, [.lost], [.sent])
                }
            }
            let count = server.requests.count
            trial.expect(count <= 40, "the server has read \(count) requests in place of 40 at most")
        },
    ]
}
