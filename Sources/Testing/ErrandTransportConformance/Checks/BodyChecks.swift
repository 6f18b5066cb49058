import ErrandRuntime

extension TransportConformance {
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    /// The content and the end of a body.
    static let bodyChecks: [Check] = [
        Check(
            "no-body-where-none-belongs",
            "A 204, a 304 and the response to a HEAD have no body, whatever their headers announce.",
            because:
                "A client that waits for a body would wait forever, and a client that reads on would take the next response for it."
        ) { trial in
            for (status, method) in [("204 No Content", HTTPMethod.get), ("304 Not Modified", .get), ("200 OK", .head)]
            {
                let server = try trial.serve(each: "HTTP/1.1 \(status)\r\nContent-Length: 70\r\n\r\n")
                let request = TransportRequest(method: method, url: server.url, timeout: .seconds(10))
                try await trial.expectAnswer(to: request, status: Int(status.prefix(3)) ?? 0, body: "")
            }
        },
        Check(
            "head-announces-anything",
            "The response to a HEAD may announce a length above the limit for responses.",
            because: "The body is never sent."
        ) { trial in
            let server = try trial.serve(once: ok + "Content-Length: 9000000\r\n\r\n")
            let request = TransportRequest(method: .head, url: server.url, maximumResponseSize: 1_000)
            try await trial.expectAnswer(to: request, body: "")
        },
        Check(
            "body-until-the-end", "A body without a length ends with the connection, and is complete.",
            because: "RFC 9112 section 6.3 allows it, and servers that use HTTP/1.0 have no other way."
        ) { trial in
            let server = try trial.serve { connection, _ in
                _ = connection.readRequest()
                connection.write(ok + "\r\nall of")
                pause(20)
                connection.write(" it")
                connection.finishWriting()
                _ = connection.isClosedByClient(within: 2)
            }
            try await trial.expectAnswer(to: server.get(), body: "all of it")
        },
        Check(
            "chunked-body", "A body in chunks arrives complete, regardless of the boundaries of chunks and packets.",
            because: "RFC 9112 section 7.1 requires it."
        ) { trial in
            let server = try trial.serve { connection, _ in
                _ = connection.readRequest()
                for piece in [
                    chunked + "5;name=value\r\nhel", "lo\r\n00", "02\r\n, \r\nA\r\nand good", "by\r\n0\r", "\n\r\n",
                ] {
                    connection.write(piece)
                    pause(10)
                }
            }
            try await trial.expectAnswer(to: server.get(), body: "hello, and goodby")
        },
        Check(
            "trailers", "Trailers after a chunked body do not cause a fault.",
            because: "RFC 9110 section 6.5 allows them, and gRPC gateways send them."
        ) { trial in
            let server = try trial.serve(each: chunked + "5\r\nhello\r\n0\r\nX-Checksum: 1\r\nX-Other: 2\r\n\r\n")
            for _ in 0..<2 {
                try await trial.expectAnswer(to: server.get(), body: "hello")
            }
        },
        Check(
            "cut-body", "A body that ends early is a fault, and the request may have been carried out.",
            because: "The app would take half of a list for all of it."
        ) { trial in
            for text in [
                ok + "Content-Length: 100\r\n\r\nonly this", chunked + "5\r\nhello\r\n", chunked + "5\r\nhel", chunked,
            ] {
                for isReset in [false, true] {
                    let server = try trial.serve { connection, _ in
                        _ = connection.readRequest()
                        connection.write(text)
                        if isReset {
                            pause(50)
                            connection.reset()
                        }
                    }
                    let request = TransportRequest(method: .get, url: server.url, isRepeatable: false)
                    try await trial.expectFault(of: request, [.lost, .unreadable], .arrived)
                }
            }
        },
        Check(
            "large-response", "Eight megabytes arrive unchanged, with a length and in chunks.",
            because: "A transport handles sizes above the system's buffers in a different way."
        ) { trial in
            let body = pattern(8 << 20)
            for isChunked in [false, true] {
                let server = try trial.serve(keepsRequests: false) { connection, _ in
                    _ = connection.readRequest()
                    connection.write(isChunked ? chunked : ok + "Content-Length: \(body.count)\r\n\r\n")
                    guard isChunked else {
                        _ = connection.write(body)
                        return
                    }
                    for start in stride(from: 0, to: body.count, by: 70_001) {
                        let chunk = body[start..<min(start + 70_001, body.count)]
                        connection.write(Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + [13, 10])
                    }
                    connection.write("0\r\n\r\n")
                }
                let response = try await trial.expectAnswer(to: server.get())
                trial.expect(
                    response.body == body, "\(response.body.count) bytes came that are not those that were sent")
            }
        },
        Check(
            "gzip", "A transport that asks for compressed responses decompresses them.",
            because: "No layer above the transport decompresses bodies."
        ) { trial in
            let zeros = 100_000
            let bytes = GzipOfZeros.bytes(atLeast: zeros)
            let server = try trial.serve { connection, _ in
                guard let request = connection.readRequest()?.lowercased() else { return }
                guard request.contains("accept-encoding:"), request.contains("gzip") else {
                    return connection.respond("200 OK")
                }
                connection.write(ok + "Content-Encoding: gzip\r\nContent-Length: \(bytes.count)\r\n\r\n")
                connection.write(bytes)
            }
            let response = try await trial.expectAnswer(to: server.get())
            let isAsked = server.requests.first?.lowercased().contains("gzip") == true
            trial.expect(
                !isAsked || (response.body.count >= zeros && response.body.allSatisfy { $0 == 0 }),
                "it asked for gzip, and returned \(response.body.count) bytes that are not the original body")
        },
    ]
}
