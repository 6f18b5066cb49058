import ErrandRuntime

extension TransportConformance {
    private static let text = Array("A coded answer says what it says. ".utf8) + [UInt8](repeating: 46, count: 100_000)

    /// Answers with a content coding (RFC 9110 section 8.4). A transport may leave them as they are, which their header says, unless
    /// it has asked for them.
    static let codingChecks: [Check] = [
        Check(
            "deflate", "A transport that asks for `deflate` decompresses it.",
            because: "No layer above the transport decompresses bodies."
        ) { trial in
            let packed = StoredBlocks.zlib(text)
            let server = try trial.serve { connection, _ in
                guard let request = connection.readRequest()?.lowercased() else { return }
                guard request.contains("accept-encoding:"), request.contains("deflate") else {
                    return connection.respond("200 OK")
                }
                send(packed, as: "deflate", connection)
            }
            let response = try await trial.expectAnswer(to: get(server))
            let isAsked = server.requests.first?.lowercased().contains("deflate") == true
            trial.expect(!isAsked || response.body == text, "it asked for deflate, and gave other bytes")
        },
        Check(
            "cut-coding", "A coded body that ends early is a fault, even if the message is complete.",
            because: "The app would take half of a list for all of it."
        ) { trial in
            let packed = StoredBlocks.gzip(text)
            for size in [5, 10, 12, 30_000, packed.count - 8, packed.count - 1] {
                let cut = Array(packed.prefix(size))
                expectNothingMade(
                    try await outcome(of: cut, as: "gzip", trial), of: cut, "cut after byte \(size)", trial)
            }
        },
        Check(
            "corrupt-coding", "A coded body with an incorrect checksum is a fault.",
            because: "The app would take damaged data for the server's data."
        ) { trial in
            for position in [3, 11, 8] {
                var packed = StoredBlocks.gzip(text)
                packed[position == 8 ? packed.count - 8 : position] ^= 0xFF
                expectNothingMade(
                    try await outcome(of: packed, as: "gzip", trial), of: packed, "damaged (\(position))", trial)
            }
        },
        Check(
            "unknown-coding", "A body with an unknown coding is returned unchanged, or is a fault.",
            because: "Only the header says how to read the bytes."
        ) { trial in
            expectNothingMade(
                try await outcome(of: text, as: "x-of-our-own", trial), of: text, "of an unknown coding", trial)
        },
        Check(
            "several-codings", "A body with two codings is decompressed twice, returned unchanged, or is a fault.",
            because: "Bytes that are decompressed once match neither the header nor the content."
        ) { trial in
            let packed = StoredBlocks.gzip(StoredBlocks.gzip(text))
            let outcome = try await outcome(of: packed, as: "gzip, gzip", trial)
            if case .answer(let response) = outcome, response.body == text { return }
            expectNothingMade(outcome, of: packed, "with two codings", trial)
        },
        Check(
            "coding-without-body", "A response without a body may have the header `Content-Encoding`, and is returned.",
            because:
                "A 304 may have the headers of the response that it confirms. The cache would lose that response."
        ) { trial in
            let heads: [(HTTPMethod, String)] = [
                (.get, "304 Not Modified\r\nContent-Encoding: gzip"),
                (.get, "204 No Content\r\nContent-Encoding: gzip"),
                (.head, "200 OK\r\nContent-Encoding: deflate\r\nContent-Length: 70"),
                (.get, "200 OK\r\nContent-Encoding: deflate\r\nContent-Length: 0"),
            ]
            for (method, head) in heads {
                let server = try trial.serve(each: "HTTP/1.1 \(head)\r\n\r\n")
                // The second one shows that the connection, or the next one, still works.
                for _ in 1...2 {
                    let request = TransportRequest(method: method, url: server.url, timeout: .seconds(10))
                    try await trial.expectAnswer(to: request, status: Int(head.prefix(3)) ?? 0, body: "")
                }
            }
        },
        Check(
            "streamed-coding",
            "A streamed coded body is decompressed as it arrives, and a truncated one does not end like a complete one.",
            because: "The app would take the first half of a list for all of it."
        ) { trial in
            let packed = StoredBlocks.gzip(text)
            for size in [packed.count, 50_000] {
                let bytes = Array(packed.prefix(size))
                let server = try trial.serve { connection, _ in
                    guard let request = connection.readRequest()?.lowercased() else { return }
                    let isAsked = request.contains("accept-encoding:") && request.contains("gzip")
                    send(isAsked ? bytes : text, as: isAsked ? "gzip" : "identity", connection)
                }
                let outcome = await trial.outcome(of: get(server, isStreamed: true))
                guard case .answer(let response) = outcome, let stream = response.stream else { continue }
                let isCut = size < packed.count && server.requests.first?.lowercased().contains("gzip") == true
                var got: [UInt8] = []
                do throws(TransportFault) {
                    while let chunk = try await stream.next() { got += chunk }
                    trial.expect(!isCut && got == text, "\(got.count) bytes came of a body that was cut at \(size)")
                } catch {
                    trial.expect(isCut, "the stream ended with \(error)")
                }
            }
        },
    ]

    private static func get(_ server: RawServer, isStreamed: Bool = false) -> TransportRequest {
        TransportRequest(method: .get, url: server.url, timeout: .seconds(20), streamsResponse: isStreamed)
    }

    /// The result of a request to a server that responds with the bytes, in that coding.
    private static func outcome(
        of bytes: [UInt8], as coding: String, _ trial: TransportTrial
    ) async throws -> TransportTrial.Outcome {
        let server = try trial.serve { connection, _ in
            while connection.readRequest() != nil { send(bytes, as: coding, connection) }
        }
        return await trial.outcome(of: get(server))
    }

    private static func send(_ bytes: [UInt8], as coding: String, _ connection: RawConnection) {
        connection.write(
            "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(bytes.count)\r\n\r\n")
        connection.write(bytes)
    }

    /// There is a fault, or the bytes as they were sent.
    private static func expectNothingMade(
        _ outcome: TransportTrial.Outcome, of bytes: [UInt8], _ what: String, _ trial: TransportTrial
    ) {
        switch outcome {
        case .answer(let response):
            trial.expect(response.body == bytes, "a body \(what) gave \(response.body.count) bytes of its own")
        case .fault(let fault):
            trial.expect(
                [.unreadable, .lost].contains(fault.kind) && fault.evidence != .notSent, "a body \(what) was \(fault)")
        case .nothing: trial.note("a body \(what) gave \(outcome)")
        }
    }
}
