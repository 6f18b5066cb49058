import ErrandRuntime

extension TransportConformance {
    private static let reason = "A closed screen would wait for the result, and the server would work in vain."
    /// Far less than a request lasts without cancellation, and enough for a machine that is busy.
    private static let soon = Duration.seconds(6)

    /// The result of an attempt whose task is cancelled.
    static let cancellationChecks: [Check] = [
        Check(
            "cancelled-before",
            "A request that is cancelled before it begins is `cancelled`, `notSent`, and the transport sends nothing.",
            because: reason
        ) { trial in
            let server = try trial.serve(once: message("200 OK"))
            let transport = trial.transport
            let request = server.post(timeout: .seconds(4))
            let task = Task<TransportTrial.Outcome, Never> {
                while !Task.isCancelled { await Task.yield() }
                do throws(TransportFault) {
                    return .answer(try await transport.send(request))
                } catch {
                    return .fault(error)
                }
            }
            task.cancel()
            try trial.expectFault(await task.value, [.cancelled], [.notSent])
            try? await Task.sleep(for: .milliseconds(50))
            trial.expect(server.requests.isEmpty, "it was sent nevertheless")
        },
        Check(
            "cancelled-waiting",
            "A request that is cancelled while it waits for the response ends at once, counts as sent, and closes its connection.",
            because: reason
        ) { trial in try await expectCancelled(trial) { _ in } },
        Check(
            "cancelled-in-body",
            "A request that is cancelled while the response arrives ends at once, counts as sent, and closes its connection.",
            because: reason
        ) { trial in
            try await expectCancelled(trial) { $0.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this") }
        },
        Check(
            "cancelled-in-upload",
            "A request that is cancelled while its body is sent ends at once, and counts as sent.",
            because: reason
        ) { trial in
            let (hasArrived, isOver) = (Signal<Bool>(), Signal<Bool>())
            let server = try trial.serve { connection, _ in
                hasArrived.give(connection.readPart(100))
                isOver.block()
            }
            let running = trial.start(server.post(pattern(16 << 20), timeout: .seconds(30)))
            trial.expect(await hasArrived.wait() == true, "the request never came")
            running.cancel()
            let outcome = await running.outcome(within: soon)
            isOver.give(true)
            try trial.expectFault(outcome, [.cancelled], [.sent])
        },
        Check(
            "cancelled-in-handshake", "A request that is cancelled during the TLS handshake ends at once.",
            because: reason
        ) {
            trial in
            let hasArrived = Signal<Bool>()
            let server = try trial.serve { connection, _ in
                hasArrived.give(connection.readPart(10_000))
                _ = connection.isClosedByClient(within: 20)
            }
            let running = trial.start(server.post(at: server.secureURL, timeout: .seconds(30)))
            trial.expect(await hasArrived.wait() == true, "the handshake never came")
            running.cancel()
            try trial.expectFault(await running.outcome(within: soon), [.cancelled], [.notSent, .sent])
        },
        Check(
            "cancelled-alone", "Cancelling one request does not affect other requests.",
            because: "Requests share connections, but their results are independent."
        ) { trial in
            let (hasArrived, isOver) = (Signal<Bool>(), Signal<Bool>())
            let server = try trial.serve { connection, _ in
                while let request = connection.readRequest() {
                    let isSlow = request.contains(" /slow ")
                    if isSlow { hasArrived.give(true) }
                    isOver.block()
                    connection.respond("200 OK", "", "x")
                }
            }
            let slow = trial.start(server.get("/slow"))
            let others = (0..<4).map { trial.start(server.get("/\($0)")) }
            trial.expect(await hasArrived.wait() == true, "the request never came")
            slow.cancel()
            let outcome = await slow.outcome(within: soon)
            isOver.give(true)
            try trial.expectFault(outcome, [.cancelled], [.sent])
            for other in others { try trial.expectAnswer(await other.outcome(within: .seconds(30)), body: "x") }
        },
        Check(
            "cancelled-beside-a-process",
            "A process that the program starts does not inherit the connection of a request, so the end of the request closes it.",
            because:
                "The server would go on with the request, and the process could use a connection with the user's session."
        ) { trial in
            #if os(Linux)
            // Elsewhere, the system opens the connections of `URLSession`.
            var process: ChildProcess?
            try await expectCancelled(trial, after: { process = try ChildProcess() }) { _ in }
            withExtendedLifetime(process) { process = nil }
            #endif
        },
    ]

    /// - Parameter prepare: called while the request is under way, before it is cancelled.
    private static func expectCancelled(
        _ trial: TransportTrial, after prepare: () throws -> Void = {},
        _ begin: @escaping @Sendable (RawConnection) -> Void
    ) async throws {
        let (hasArrived, isClosed) = (Signal<Bool>(), Signal<Bool>())
        let server = try trial.serve { connection, _ in
            guard connection.readRequest() != nil else { return }
            begin(connection)
            hasArrived.give(true)
            isClosed.give(connection.isClosedByClient(within: 20))
        }
        let running = trial.start(server.post([1], timeout: .seconds(30)))
        trial.expect(await hasArrived.wait() == true, "the request never came")
        // For what the server has said to arrive.
        try? await Task.sleep(for: .milliseconds(50))
        try prepare()
        running.cancel()
        try trial.expectFault(await running.outcome(within: soon), [.cancelled], .arrived)
        trial.expect(await isClosed.wait() == true, "the connection stays open")
    }
}
