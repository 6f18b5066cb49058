import ErrandRuntime

extension TransportConformance {
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    /// Responses that aren't HTTP. All of these checks require that the process survives.
    static let malformedChecks: [Check] = [
        Check(
            "broken-framing", "A body with an invalid length is a fault, and the request was sent.",
            because: "A client that guesses the end takes other bytes for the response."
        ) { trial in
            for text in [
                chunked + "zz\r\nhello\r\n0\r\n\r\n", chunked + "-5\r\nhello\r\n0\r\n\r\n",
                chunked + "5\r\nhello, and more\r\n0\r\n\r\n",
                chunked + "ffffffffffffffffffff\r\nhello\r\n0\r\n\r\n", ok + "Content-Length: -5\r\n\r\nhello",
            ] {
                try await expectFault(trial, text)
            }
        },
        Check(
            "enormous-length", "A length near or above 2⁶³ is an ordinary fault.",
            because: "A server could crash the process."
        ) { trial in
            for length in [
                "9223372036854775807", "9223372036854775806", "18446744073709551615", "99999999999999999999999",
            ] {
                try await expectFault(trial, ok + "Content-Length: \(length)\r\n\r\nhello")
            }
        },
        Check(
            "no-http", "A response that is not HTTP is a fault, and the request was sent.",
            because: "Another service or an attacker listens at this address."
        ) { trial in
            for text in [
                "SSH-2.0-OpenSSH_9.6\r\n\r\n", "220 mail.example ESMTP\r\n", "\r\n\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
                "HTTP/9.9 200 OK\r\n\r\n",
                "HTTP/1.1 7 OK\r\n\r\n", "HTTP/1.1 two hundred\r\n\r\n",
            ] {
                try await expectFault(trial, text)
            }
        },
        Check(
            "broken-compression",
            "A body that is declared as compressed and is not is a fault, or is returned unchanged by a transport that does not decompress.",
            because: "The app would take a part of the data for all of it."
        ) { trial in
            let server = try trial.serve(once: ok + "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello")
            switch await trial.outcome(of: server.get(timeout: .seconds(4))) {
            case .answer(let response):
                trial.expect(response.body.elementsEqual("hello".utf8), "\(response.body.count) bytes were made of it")
            case .fault(let fault): trial.expect(fault.evidence != .notSent, "the fault was \(fault)")
            case .nothing: trial.note("it never ended")
            }
        },
        Check(
            "giant-header",
            "A response with ten megabytes or a hundred thousand lines of headers becomes a response or a fault, before the timeout.",
            because: "A server could make a client that keeps all headers use any amount of memory."
        ) { trial in
            let lines = (0..<100_000).map { "X-\($0): " + String(repeating: "b", count: 100) + "\r\n" }.joined()
            let end = "Content-Length: 2\r\n\r\nok"
            for text in [ok + "X-A: " + String(repeating: "a", count: 10_000_000) + "\r\n" + end, ok + lines + end] {
                try await expectEnd(trial, of: text)
            }
        },
        Check(
            "flood-of-announcements",
            "Twenty thousand statuses below 200 end in a response or a fault, before the timeout.",
            because: "A server could make a client that keeps all of them use any amount of memory."
        ) { trial in
            let text = String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: 20_000)
            try await expectEnd(trial, of: text + ok + "Content-Length: 2\r\n\r\nok")
        },
    ]

    private static func expectFault(_ trial: TransportTrial, _ text: String) async throws {
        let server = try trial.serve(once: text)
        let outcome = await trial.outcome(
            of: TransportRequest(method: .get, url: server.url, timeout: .seconds(10), isRepeatable: false))
        let escaped = text.prefix(60).replacing("\r\n", with: "␍␊")
        guard case .fault(let fault) = outcome else { return trial.note("\(escaped) gave \(outcome)") }
        trial.expect(
            [.lost, .unreadable, .oversized].contains(fault.kind) && fault.evidence != .notSent,
            "\(escaped) gave \(fault)")
    }

    /// It may be taken or refused, as the transport likes.
    private static func expectEnd(_ trial: TransportTrial, of text: String) async throws {
        let server = try trial.serve(once: text)
        switch await trial.outcome(of: server.get(timeout: .seconds(4))) {
        case .answer(let response): trial.expect(response.body.elementsEqual("ok".utf8), "another body came")
        case .fault(let fault):
            trial.expect(
                [.lost, .unreadable, .oversized, .timeout].contains(fault.kind) && fault.evidence != .notSent,
                "the fault was \(fault)")
        case .nothing: trial.note("it never ended")
        }
    }
}
