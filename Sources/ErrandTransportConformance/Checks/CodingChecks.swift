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
            let response = try trial.expectAnswer(await trial.outcome(of: get(server)))
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
