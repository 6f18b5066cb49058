import ErrandRuntime

extension TransportConformance {
    private static let reason = "A command would wait forever, and block others."
    /// The time limit of the requests in these checks. It suffices to send a request on a busy machine.
    private static let limit = Duration.seconds(2)
    /// How long after that is in time there.
    private static let grace = Duration.seconds(6)

    /// How long an attempt takes.
    static let timeChecks: [Check] = [
        Check(
            "silent-server",
            "A server that never responds is a `timeout` when the request's time is over. The request was sent, and the connection closes.",
            because: reason
        ) { trial in try await expectTimeout(trial) { _ in } },
        Check("stalled-header", "Headers that stop in the middle are a `timeout`.", because: reason) { trial in
            try await expectTimeout(trial) { $0.write("HTTP/1.1 200 OK\r\nX-A: b\r\n") }
        },
        Check("stalled-body", "A body that stops in the middle is a `timeout`.", because: reason) { trial in
            try await expectTimeout(trial) { $0.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this") }
        },
        Check(
            "stalled-upload", "A server that does not read the body is a `timeout`.", because: reason
        ) { trial in
            let isOver = Signal<Bool>()
            let server = try trial.serve { connection, _ in
                _ = connection.readPart(100)
                isOver.block()
            }
            let outcome = await trial.outcome(
                of: server.post(pattern(16 << 20), timeout: limit), within: limit + grace)
            isOver.give(true)
            try trial.expectFault(outcome, [.timeout], [.sent])
        },
        Check(
            "silent-handshake", "A server that never responds to the TLS handshake is a `timeout`.", because: reason
        ) { trial in
            let server = try trial.serve { connection, _ in
                _ = connection.readPart(10_000)
                _ = connection.isClosedByClient(within: 20)
            }
            let request = server.post(at: server.secureURL, timeout: limit)
            try await trial.expectFault(of: request, within: limit + grace, [.timeout], [.notSent, .sent])
        },
    ]

    private static func expectTimeout(_ trial: TransportTrial, _ begin: @escaping @Sendable (RawConnection) -> Void)
        async throws
    {
        let isClosed = Signal<Bool>()
        let server = try trial.serve { connection, _ in
            guard connection.readRequest() != nil else { return }
            begin(connection)
            isClosed.give(connection.isClosedByClient(within: 20))
        }
        let request = TransportRequest(method: .get, url: server.url, timeout: limit, isRepeatable: false)
        let start = ContinuousClock.now
        let fault = try await trial.expectFault(of: request, within: limit + grace, [.timeout], .arrived)
        let time = ContinuousClock.now - start
        trial.expect(time > limit / 2, "the fault (\(fault)) came after \(time) of \(limit)")
        trial.expect(await isClosed.wait(within: grace) == true, "the connection stays open")
        trial.expect(server.requests.count == 1, "the server has read \(server.requests.count) requests in place of 1")
    }
}
