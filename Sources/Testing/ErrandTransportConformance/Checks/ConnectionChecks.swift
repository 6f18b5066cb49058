import ErrandRuntime

extension TransportConformance {
    /// Connections that are kept between two requests.
    static let connectionChecks: [Check] = [
        Check(
            "closed-between-requests",
            "If a server has closed an idle connection, the next request uses a new connection and succeeds.",
            because: "Servers may close idle connections at any time."
        ) { trial in
            let ends = (1...3).map { _ in Signal<Bool>() }
            let server = try trial.serve { connection, number in
                guard connection.readRequest() != nil else { return }
                connection.respond("200 OK", "", "x")
                connection.finishWriting()
                if number <= ends.count { ends[number - 1].give(true) }
            }
            for number in 1...3 {
                try await trial.expectAnswer(to: server.post([1]), body: "x")
                trial.expect(
                    server.requests.count == number, "\(server.requests.count) requests came in place of \(number)")
                guard server.requests.count == number else { return }
                // The end is there; long enough for the transport to see it.
                _ = await ends[number - 1].wait()
                try? await Task.sleep(for: .milliseconds(400))
            }
        },
        Check(
            "dead-connection",
            "A request that was written to a dead connection is not sent again without the caller's knowledge.",
            because:
                "The server may have read the request, so the transport would repeat a request that must not be repeated."
        ) { trial in
            let isHeard = Signal<Bool>()
            let server = try trial.serve { connection, number in
                guard connection.readRequest() != nil else { return }
                connection.respond("200 OK", "", "x")
                // Whatever comes next on the first connection is met by a reset.
                if number == 1, connection.hearsBytes(within: 20_000) {
                    isHeard.give(true)
                    connection.reset()
                }
            }
            let request = server.post([1])
            try await trial.expectAnswer(to: request, body: "x")
            let outcome = await trial.outcome(of: request)
            try? await Task.sleep(for: .milliseconds(50))
            if isHeard.value == true {
                try trial.expectFault(outcome, [.lost], [.sent])
                trial.expect(server.requests.count == 1, "it came again on another connection")
            } else {
                // A connection of its own.
                try trial.expectAnswer(outcome, body: "x")
            }
        },
        Check(
            "stale-connection",
            "A fault tells of a stale connection only if a kept connection has ended before the first line of a response. A "
                + "request that needs a new connection then gets its response.",
            because:
                "The client sends a read again at once. Otherwise it would do so after every lost connection of an outage."
        ) { trial in
            for (path, mayBeStale) in [("/new", false), ("/silent", true), ("/begun", false)] {
                let server = try trial.serve { connection, number in
                    while let request = connection.readRequest() {
                        if request.contains(" /begun ") { connection.write("HTTP/1.1 100 Continue\r\n\r\n") }
                        guard request.contains(" /fine ") else { return }
                        connection.respond("200 OK", "", "\(number)")
                    }
                }
                func outcome(_ path: String, needsNewConnection: Bool = false) async -> TransportTrial.Outcome {
                    await trial.outcome(
                        of: TransportRequest(
                            method: .delete, url: server.url + path, timeout: .seconds(10),
                            needsNewConnection: needsNewConnection))
                }
                if mayBeStale || path == "/begun" { try trial.expectAnswer(await outcome("/fine"), body: "1") }
                let fault = try trial.expectFault(await outcome(path), [.lost], [.sent])
                trial.expect(mayBeStale || !fault.isStaleConnection, "\(path): the fault was \(fault)")
                try trial.expectAnswer(await outcome("/fine", needsNewConnection: true))
            }
        },
        Check(
            "reused-connection",
            "A response tells of a kept connection only if its connection has carried a request before. A transport whose faults "
                + "tell of stale connections tells of each such response.",
            because:
                "After a repetition in vain, the client repeats nothing at once until a kept connection works."
        ) { trial in
            let server = try trial.serve { connection, _ in
                var count = 0
                while let request = connection.readRequest(), !request.contains(" /end ") {
                    count += 1
                    connection.respond("200 OK", "", "\(count)")
                }
            }
            func outcome(_ path: String) async -> TransportTrial.Outcome {
                await trial.outcome(
                    of: TransportRequest(method: .get, url: server.url + path, timeout: .seconds(10)))
            }
            var isTold = true
            for _ in 1...3 {
                let response = try trial.expectAnswer(await outcome("/"))
                let isReused = response.body != Array("1".utf8)
                trial.expect(
                    isReused || !response.isReusedConnection, "the first response of a connection told of a kept one")
                isTold = isTold && (!isReused || response.isReusedConnection)
            }
            if case .fault(let fault) = await outcome("/end"), fault.isStaleConnection {
                trial.expect(isTold, "a response over a kept connection didn't tell of it, and a fault did")
            }
        },
        Check(
            "server-goes-away",
            "If a server reads a request and then stops, the request counts as sent, even on a reused connection.",
            because:
                "A client that sends it again gets a refused connection, and must not report that result for the first request."
        ) { trial in
            let handed = Signal<RawServer>()
            let server = try trial.serve { connection, _ in
                while let request = connection.readRequest() {
                    if request.contains(" /last ") {
                        handed.value?.stopListening()
                        return pause(100)
                    }
                    connection.respond("200 OK", "", "x")
                }
            }
            handed.give(server)
            let first = TransportRequest(method: .delete, url: server.url + "/first", timeout: .seconds(10))
            try await trial.expectAnswer(to: first, body: "x")
            let last = TransportRequest(method: .delete, url: server.url + "/last", timeout: .seconds(10))
            try await trial.expectFault(of: last, [.lost, .refused], [.sent])
            trial.expect(server.requests.contains { $0.contains(" /last ") }, "the last request never came")
        },
        Check(
            "timeout-of-idle-connection",
            "If a server sends a 408 on an idle connection and closes it, the next request gets its response or the 408, or is "
                + "`lost` and counts as sent. It is never `notSent` if the server has read it.",
            because:
                "Servers close idle connections this way. The client repeats a read, but a payment must count as sent."
        ) { trial in
            for _ in 0..<8 {
                let (isIdle, isRead) = (Signal<Bool>(), Signal<Bool>())
                let server = try trial.serve { connection, number in
                    guard connection.readRequest() != nil else { return }
                    connection.respond("200 OK", "", "\(number)")
                    guard number == 1 else { return }
                    connection.write("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                    connection.finishWriting()
                    isIdle.give(true)
                    if connection.readRequest() != nil { isRead.give(true) }
                }
                let request = server.get(timeout: .seconds(10))
                try await trial.expectAnswer(to: request, body: "1")
                _ = await isIdle.wait()
                switch await trial.outcome(of: request) {
                case .answer(let response):
                    trial.expect([200, 408].contains(response.status), "the status was \(response.status)")
                    trial.expect(
                        response.status == 408 || response.body.elementsEqual("2".utf8), "the body is another's")
                case .fault(let fault):
                    trial.expect(fault.kind == .lost, "the fault was \(fault)")
                    trial.expect(
                        fault.evidence != .notSent || isRead.value == nil,
                        "the server has read the request, and the fault was \(fault)")
                case .nothing: trial.note("it never ended")
                }
            }
        },
        Check(
            "bytes-after-response",
            "Bytes after the end of a response are neither part of it nor the response to the next request.",
            because: "The app would trust a response that an attacker smuggled in."
        ) { trial in
            let server = try trial.serve { connection, number in
                while connection.readRequest() != nil {
                    guard number == 1 else {
                        connection.respond("200 OK", "", "true")
                        continue
                    }
                    connection.write(
                        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrueHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfalse"
                    )
                }
            }
            let request = server.get(timeout: .seconds(10))
            switch await trial.outcome(of: request) {
            case .answer(let response):
                trial.expect(response.body.elementsEqual("true".utf8), "the body continues after its end")
            case .fault: break
            case .nothing: trial.note("it never ended")
            }
            if case .answer(let response) = await trial.outcome(of: request) {
                trial.expect(
                    response.body.elementsEqual("true".utf8),
                    "the second request got the bytes that followed the first response")
            }
        },
        Check(
            "body-in-place-of-none",
            "Bytes after a response that must not have a body are not the response to the next request.",
            because: "The app would trust a response that an attacker smuggled in."
        ) { trial in
            let server = try trial.serve { connection, number in
                while connection.readRequest() != nil {
                    guard number == 1 else {
                        connection.respond("200 OK", "", "second")
                        continue
                    }
                    connection.write(
                        "HTTP/1.1 204 No Content\r\nContent-Length: 42\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfalse"
                    )
                }
            }
            let request = server.get(timeout: .seconds(10))
            try await trial.expectAnswer(to: request, status: 204, body: "")
            if case .answer(let response) = await trial.outcome(of: request) {
                trial.expect(
                    !response.body.elementsEqual("false".utf8), "the body of the 204 was taken for the next response")
            }
        },
    ]
}
