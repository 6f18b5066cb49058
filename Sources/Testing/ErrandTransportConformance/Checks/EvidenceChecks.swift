import ErrandRuntime

extension TransportConformance {
    private static let reason =
        "The client repeats requests that were not sent. If this one counted as not sent, a payment would be made twice."

    /// How far a failed attempt got: `notSent` only if no byte of it can have arrived.
    static let evidenceChecks: [Check] = [
        Check(
            "refused-connection", "A refused connection is `refused`, `notSent`.",
            because: "The client may always send such a request again, and counts it as an outage."
        ) { trial in
            let port = try SilentPort()
            let request = TransportRequest(
                method: .post, url: "http://127.0.0.1:\(port.port)/", body: [1], timeout: .seconds(10),
                isRepeatable: false)
            try await trial.expectFault(of: request, [.refused], [.notSent])
        },
        Check(
            "unknown-host", "A host name without an address is `dns`, `notSent`.",
            because: "The client may always send such a request again."
        ) {
            trial in
            // Too long for a name (RFC 1035 section 2.3.4): no server of names is asked, which may be slow, or know all.
            let host = String(repeating: "a", count: 64) + ".invalid"
            let request = TransportRequest(
                method: .post, url: "http://\(host)/", timeout: .seconds(10), isRepeatable: false)
            try await trial.expectFault(of: request, [.dns], [.notSent])
        },
        Check(
            "no-tls", "A server without TLS is `tls`, `notSent`, and does not receive any part of the request.",
            because: "The transport must not send anything over an insecure connection, and a retry does not help."
        ) { trial in
            let server = try trial.serve { connection, _ in
                // Unread bytes would turn the end of the connection into a reset.
                _ = connection.readPart(10_000)
                connection.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
                _ = connection.isClosedByClient(within: 20)
            }
            try await trial.expectFault(of: server.post(at: server.secureURL), [.tls], [.notSent])
        },
        Check(
            "old-tls", "A server that has no TLS after version 1.1 is `tls`, `notSent`.",
            because: "TLS 1.0 and 1.1 are deprecated (RFC 8996). An attacker could choose them for client and server."
        ) { trial in
            let server = try trial.serve { connection, _ in
                _ = connection.readPart(10_000)
                connection.write(oldServerHello)
                // A client that goes on waits for the certificate.
                _ = connection.isClosedByClient(within: 20)
            }
            try await trial.expectFault(of: server.post(at: server.secureURL, timeout: .seconds(5)), [.tls], [.notSent])
        },
        Check(
            "closed-handshake", "If a server closes the connection during the TLS handshake, the request was not sent.",
            because: "The request follows only after the handshake."
        ) { trial in
            let server = try trial.serve { connection, _ in _ = connection.readPart(10_000) }
            try await trial.expectFault(of: server.post(at: server.secureURL), [.tls, .lost], [.notSent])
        },
        Check(
            "reset-after-request",
            "A reset after the server has read the request is `lost`, and the request was sent once.",
            because: reason
        ) { trial in
            try await expectLostOnce(trial) { $0.reset() }
        },
        Check(
            "close-after-request",
            "A connection that ends without a response is `lost`, and the request was sent once.",
            because: reason
        ) { trial in
            try await expectLostOnce(trial) { _ in }
        },
        Check(
            "end-in-status-line",
            "A connection that ends inside the status line is `lost`, and the request was sent once.",
            because: reason
        ) { trial in
            try await expectLostOnce(trial) { $0.write("HTTP/1.1 20") }
        },
        Check(
            "end-in-header", "A connection that ends inside the headers is `lost`, and the request was sent once.",
            because: reason
        ) {
            trial in
            try await expectLostOnce(trial) { $0.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b") }
        },
        Check(
            "reset-in-header", "A reset inside the headers is `lost`, and the request was sent once.",
            because: reason
        ) { trial in
            try await expectLostOnce(trial) { connection in
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b")
                pause(50)
                connection.reset()
            }
        },
        Check(
            "only-announced",
            "A connection that ends after a status below 200 is `lost`, because this status only announces a response.",
            because: reason
        ) { trial in
            for status in ["103 Early Hints\r\nLink: </a>", "100 Continue"] {
                try await expectLostOnce(trial) { $0.write("HTTP/1.1 \(status)\r\n\r\n") }
            }
        },
        Check(
            "half-read-request",
            "If a server resets the connection in the middle of the request, the request counts as sent.",
            because: reason
        ) { trial in
            let server = try trial.serve { connection, _ in
                _ = connection.readPart(1_000)
                connection.reset()
            }
            try await trial.expectFault(of: server.post(pattern(4 << 20)), [.lost, .timeout], [.sent])
        },
        Check(
            "one-of-two-addresses",
            "If a server on one of two addresses of `localhost` reads the request and closes, the request counts as sent.",
            because: reason
        ) { trial in
            let server = try trial.serve { connection, _ in _ = connection.readRequest() }
            let request = server.post([1, 2, 3], at: "http://localhost:\(server.port)/")
            try await trial.expectFault(of: request, [.lost], [.sent])
            trial.expect(
                server.requests.count == 1, "the server has read \(server.requests.count) requests in place of 1")
        },
    ]

    /// The choice of TLS 1.1 by a server (RFC 4346 section 7.4.1.3): TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA, with the extension of RFC
    /// 5746, so that a client has no other reason to refuse it.
    static let oldServerHello: [UInt8] =
        [0x16, 3, 2, 0, 49, 2, 0, 0, 45, 3, 2] + (1...32) + [0, 0xC0, 0x13, 0, 0, 5, 0xFF, 1, 0, 1, 0]

    /// A server that reads a request and doesn't respond to it. It would respond to another attempt.
    private static func expectLostOnce(_ trial: TransportTrial, _ end: @escaping @Sendable (RawConnection) -> Void)
        async throws
    {
        for method in [HTTPMethod.post, .get] {
            let server = try trial.serve { connection, _ in
                guard connection.readRequest() != nil else { return }
                end(connection)
            }
            let request = TransportRequest(
                method: method, url: server.url, body: method == .post ? [1, 2, 3] : nil, timeout: .seconds(10),
                isRepeatable: false)
            try await trial.expectFault(of: request, [.lost], [.sent])
            // A client that sends again does it soon.
            try? await Task.sleep(for: .milliseconds(50))
            let count = server.requests.count
            trial.expect(count == 1, "\(method.rawValue): the server has read \(count) requests in place of 1")
        }
    }
}
