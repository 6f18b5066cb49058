import ErrandRuntime

extension TransportConformance {
    private static let reason = "A server could fill the client's memory."
    private static let block = [UInt8](repeating: 97, count: 65_536)
    /// In bytes: many times the limit of a response in these checks, and a fraction of what the servers send or announce.
    private static let bound = 192 << 20

    /// The limit of a response's size.
    static let limitChecks: [Check] = [
        Check(
            "response-at-limit",
            "A response of exactly the maximum size is returned, and one that is a byte longer is `oversized`.",
            because: reason
        ) { trial in
            let server = try trial.serve(each: message("200 OK", "", String(repeating: "x", count: 1_000)))
            var request = TransportRequest(method: .get, url: server.url, maximumResponseSize: 1_000)
            try await trial.expectAnswer(to: request, body: String(repeating: "x", count: 1_000))
            request.maximumResponseSize = 999
            try await trial.expectFault(of: request, [.oversized], [.responded])
        },
        Check(
            "endless-body", "A body that never ends is `oversized`, and does not fill the memory.", because: reason,
            measuresMemory: true
        ) { trial in
            try await expectBounded(trial) { connection in
                connection.write("HTTP/1.1 200 OK\r\n\r\n")
                flood(connection, block)
            }
        },
        Check(
            "endless-chunks", "Chunks that never end are `oversized`, and do not fill the memory.", because: reason,
            measuresMemory: true
        ) { trial in
            let chunk = Array("10000\r\n".utf8) + block + [13, 10]
            try await expectBounded(trial) { connection in
                connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                flood(connection, chunk)
            }
        },
        Check(
            "announced-flood",
            "A body with an announced length above the maximum is `oversized`, and does not fill the memory.",
            because: reason,
            measuresMemory: true
        ) { trial in
            try await expectBounded(trial) { connection in
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\n\r\n")
                flood(connection, block)
            }
        },
        Check(
            "gzip-bomb",
            "A small body that decompresses to more than the maximum is `oversized`, or is returned unchanged by a transport that does not decompress.",
            because: reason, measuresMemory: true
        ) { trial in
            let bomb = GzipOfZeros.bytes(atLeast: 512 << 20)
            try await expectBounded(trial, limit: 16 << 20, orUntouched: bomb.count) { connection in
                connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
                connection.write(bomb)
            }
        },
    ]

    /// Twice the bound, then the client may have peace.
    private static func flood(_ connection: RawConnection, _ bytes: [UInt8]) {
        for _ in 0..<6_144 {
            guard connection.write(bytes) else { return }
        }
    }

    /// - Parameter size: the length of a response that the transport doesn't decode.
    private static func expectBounded(
        _ trial: TransportTrial, limit: Int = 1 << 20, orUntouched size: Int? = nil,
        _ serve: @escaping @Sendable (RawConnection) -> Void
    ) async throws {
        let isOver = Signal<Bool>()
        let server = try trial.serve { connection, _ in
            _ = connection.readRequest()
            serve(connection)
            isOver.give(true)
        }
        let watch = MemoryWatch()
        let outcome = await trial.outcome(
            of: TransportRequest(method: .get, url: server.url, maximumResponseSize: limit))
        // Data that is still read after the request has ended counts too.
        trial.expect(await isOver.wait(within: .seconds(20)) == true, "the server sends still")
        let growth = watch.stop()
        trial.expect(
            growth < bound, "the process used \(growth >> 20) MB more for a response of at most \(limit >> 20) MB")
        if case .answer(let response) = outcome, response.body.count == size { return }
        try trial.expectFault(outcome, [.oversized], [.responded])
    }
}
