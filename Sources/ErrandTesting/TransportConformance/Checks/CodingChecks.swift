import ErrandRuntime

extension TransportConformance {
    private static let text = Array("A coded answer says what it says. ".utf8) + [UInt8](repeating: 46, count: 100_000)

    /// Answers with a content coding (RFC 9110 section 8.4). A transport may leave them as they are, which their header says, unless
    /// it has asked for them.
    static let codingChecks: [Check] = [
        Check(
            "deflate", "A transport that asks for `deflate` unpacks it.",
            because: "No layer above the transport does."
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
            "cut-coding", "A coded body that ends early, in a message that is whole, is no answer.",
            because: "Half of a list would be taken for all of it."
        ) { trial in
            let packed = StoredBlocks.gzip(text)
            for size in [5, 10, 12, 30_000, packed.count - 8, packed.count - 1] {
                let cut = Array(packed.prefix(size))
                expectNothingMade(
                    try await outcome(of: cut, as: "gzip", trial), of: cut, "cut after byte \(size)", trial)
            }
        },
        Check(
            "corrupt-coding", "A coded body whose checksum is wrong is no answer.",
            because: "What was damaged on its way would be taken for what was sent."
        ) { trial in
            for position in [3, 11, 8] {
                var packed = StoredBlocks.gzip(text)
                packed[position == 8 ? packed.count - 8 : position] ^= 0xFF
                expectNothingMade(
                    try await outcome(of: packed, as: "gzip", trial), of: packed, "damaged (\(position))", trial)
            }
        },
        Check(
            "unknown-coding", "An unknown coding is left as it is, or a fault.",
            because: "The header alone says what the bytes are."
        ) { trial in
            expectNothingMade(
                try await outcome(of: text, as: "x-of-our-own", trial), of: text, "of an unknown coding", trial)
        },
        Check(
            "several-codings", "A body with two codings is unpacked twice, left as it is, or a fault.",
            because: "Half unpacked bytes are neither what the header says nor what was meant."
        ) { trial in
            let packed = StoredBlocks.gzip(StoredBlocks.gzip(text))
            let outcome = try await outcome(of: packed, as: "gzip, gzip", trial)
            if case .answer(let response) = outcome, response.body == text { return }
            expectNothingMade(outcome, of: packed, "with two codings", trial)
        },
        Check(
            "streamed-coding",
            "A coded body that is streamed is unpacked as it comes, and one that is cut does not end as a whole one.",
            because: "The first half of a list would be taken for all of it."
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
                    trial.expect(isCut, "it ended with \(error)")
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
