import ErrandRuntime
import Foundation

extension TransportConformance {
    /// The transport sends a request as its description says.
    static let requestChecks: [Check] = [
        Check(
            "whole-request", "Method, path, query, headers and body are sent unchanged, byte for byte.",
            because: "Signatures cover them, and the path is already percent-encoded."
        ) { trial in
            let body = [UInt8](0...255)
            for method in [HTTPMethod.post, .put, .patch, .delete, .query] {
                let received = Signal<(head: String, body: [UInt8])>()
                let server = try trial.serve { connection, _ in
                    guard let (bytes, size) = connection.readMessage() else { return }
                    received.give((String(decoding: bytes[..<size], as: UTF8.self), Array(bytes[size...])))
                    connection.respond("200 OK")
                }
                let request = TransportRequest(
                    method: method, url: server.url + "/a%20b/%C3%A9?c=d%2Fe&f=",
                    headers: ["X-Sent": "some; value=\"1\"", "Content-Type": "a/b"], body: body)
                try await trial.expectAnswer(to: request)
                let (head, sent) = received.value ?? ("", [])
                let line = "\(method.rawValue) /a%20b/%C3%A9?c=d%2Fe&f= HTTP/1.1\r\n"
                trial.expect(head.hasPrefix(line), "the request begins \(head.prefix(80)) in place of \(line)")
                for header in ["x-sent: some; value=\"1\"\r\n", "content-type: a/b\r\n"] {
                    trial.expect(
                        head.lowercased().contains(header),
                        "\(method.rawValue): the header \(header) is missing, or another"
                    )
                }
                trial.expect(sent == body, "\(method.rawValue): the body was another: \(sent.count) bytes")
            }
        },
        Check(
            "repeated-request-headers",
            "All values of a header that the request has several times are sent, separately or joined with commas.",
            because: "With only the last value, it would be a different request."
        ) { trial in
            let server = try trial.serve(once: message("200 OK"))
            var headers = HTTPHeaders()
            headers.append("X-Many", "one")
            headers.append("X-Many", "two")
            try await trial.expectAnswer(to: TransportRequest(method: .get, url: server.url, headers: headers))
            let lines =
                server.requests.first?.components(separatedBy: "\r\n").filter { $0.lowercased().hasPrefix("x-many:") }
                ?? []
            for value in ["one", "two"] {
                trial.expect(lines.contains { $0.contains(value) }, "X-Many: \(value) was not sent; there was \(lines)")
            }
        },
        Check(
            "blank-header", "A header without a value, or with blanks as its value, is sent without a value.",
            because:
                "Blanks around a value are not part of it (RFC 9110 section 5.5), and a header that is missing means another request."
        ) { trial in
            let server = try trial.serve(once: message("200 OK"))
            let headers: HTTPHeaders = ["X-Empty": "", "X-Blank": " ", "X-Blanks": " \t ", "X-Padded": " a b "]
            try await trial.expectAnswer(to: TransportRequest(method: .get, url: server.url, headers: headers))
            let lines = (server.requests.first ?? "").components(separatedBy: "\r\n")
            for (name, value) in [("x-empty", ""), ("x-blank", ""), ("x-blanks", ""), ("x-padded", "a b")] {
                let sent = lines.first { $0.lowercased().hasPrefix(name + ":") }?.drop { $0 != ":" }.dropFirst()
                trial.expect(
                    sent.map { $0.trimmingCharacters(in: .whitespaces) } == value,
                    "\(name) was sent as \(sent ?? "nothing")")
            }
        },
        Check(
            "no-body", "A request without a body is sent without a body.",
            because: "Servers refuse a GET with a body, or take the body for the next request."
        ) { trial in
            for method in HTTPMethod.allCases {
                let server = try trial.serve(once: message("200 OK"))
                try await trial.expectAnswer(to: TransportRequest(method: method, url: server.url))
                let text = (server.requests.first ?? "").lowercased()
                trial.expect(text.hasSuffix("\r\n\r\n"), "\(method.rawValue): something follows the head")
                trial.expect(!text.contains("transfer-encoding"), "\(method.rawValue): it announces chunks")
            }
        },
        Check(
            "large-upload", "Eight megabytes are sent unchanged to a server that reads slowly.",
            because: "A transport handles sizes above the system's buffers in a different way."
        ) { trial in
            let body = pattern(8 << 20)
            let received = Signal<Bool>()
            let server = try trial.serve(keepsRequests: false) { connection, _ in
                guard let (bytes, size) = connection.readMessage(pause: 1_000) else { return received.give(false) }
                received.give(isSame(body, bytes[size...]))
                connection.respond("200 OK", "", "taken")
            }
            try await trial.expectAnswer(to: server.post(body, timeout: .seconds(30)), body: "taken")
            trial.expect(received.value == true, "what the server read was not what was given")
        },
        Check(
            "early-response",
            "If a server responds before it has read the whole body, and closes, the result is the response or `lost`, never `notSent`.",
            because: "Servers send a 413 this way. The server has read a part of the request, and may have acted on it."
        ) { trial in
            let server = try trial.serve { connection, _ in
                _ = connection.readPart(1_000)
                connection.respond("413 Too Large", "Connection: close\r\n", "too large")
                connection.finishWriting()
                _ = connection.isClosedByClient(within: 1)
            }
            let outcome = await trial.outcome(of: server.post(pattern(4 << 20), timeout: .seconds(4)))
            if case .answer = outcome {
                try trial.expectAnswer(outcome, status: 413)
            } else {
                try trial.expectFault(outcome, [.lost, .timeout], .arrived)
            }
        },
    ]

    /// So many bytes of which no two stretches are the same.
    static func pattern(_ size: Int) -> [UInt8] {
        var state: UInt32 = 1
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            for index in 0..<size {
                state = state &* 1_664_525 &+ 1_013_904_223
                buffer[index] = UInt8(truncatingIfNeeded: state >> 24)
            }
            count = size
        }
    }

    /// Whether a body is this one; a transport may have sent it in chunks, which are then left out.
    private static func isSame(_ body: [UInt8], _ sent: ArraySlice<UInt8>) -> Bool {
        if Array(sent) == body { return true }
        var joined: [UInt8] = []
        var rest = sent
        while let end = rest.firstIndex(of: 13),
            let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16),
            size > 0,
            rest.count > size + (end - rest.startIndex) + 4
        {
            joined += rest[(end + 2)..<(end + 2 + size)]
            rest = rest[(end + 4 + size)...]
        }
        return joined == body
    }

    /// A complete response.
    ///
    /// - Parameter headers: lines, each with its line break.
    static func message(_ status: String, _ headers: String = "", _ body: String = "") -> String {
        "HTTP/1.1 \(status)\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// Waits on a server's thread, in milliseconds.
    static func pause(_ milliseconds: UInt32) { usleep(milliseconds * 1_000) }
}
