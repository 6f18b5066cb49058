import ErrandHTTPServer
import Foundation
import JSONTree
import MockServer
import Testing

@testable import MockHost

/// Connections of the mock server on real sockets: the handshake, what it plays, and what hostile clients do.
@Suite(.serialized) struct WebSocketHostTests {
    private func withHost(
        _ limits: ConnectionLimits = ConnectionLimits(), _ change: (inout MockSettings) -> Void = { _ in },
        _ body: (RunningHost) async throws -> Void
    ) async throws {
        let host = try RunningHost(limits, playing: "presence") {
            $0.eventInterval = nil
            change(&$0)
        }
        do {
            try await body(host)
        } catch {
            await host.stop()
            throw error
        }
        await host.stop()
    }

    private static func handshake(_ extra: [String] = [], host: String = "127.0.0.1", path: String = "/v1") -> String {
        let lines =
            [
                "GET \(path) HTTP/1.1", "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
            ]
            + (extra.contains { $0.hasPrefix("Sec-WebSocket-Protocol") } ? [] : ["Sec-WebSocket-Protocol: presence.v1"])
        return (lines + extra).joined(separator: "\r\n") + "\r\n\r\n"
    }

    private func connected(_ host: RunningHost, _ extra: [String] = []) async throws -> RawClient {
        let client = try host.client()
        await client.write(Self.handshake(extra))
        let head = await client.read(until: "\r\n\r\n")
        try #require(head.hasPrefix("HTTP/1.1 101 "), "\(head)")
        return client
    }

    private static func text(_ text: String) -> [UInt8] { WebSocketReaderTests.frame(1, Array(text.utf8)) }

    private static let login = text(#"{"type":"login","id":"1","data":{"user":"ada","password":"x"}}"#)

    @Test func aHandshakeOpensAConnection() async throws {
        try await withHost { host in
            let client = try host.client()
            // A client may send its first message at once, and the bytes may come in parts.
            let bytes = Array(Self.handshake().utf8) + Self.login
            await client.write(Array(bytes.prefix(200)))
            await client.write(Array(bytes.dropFirst(200)))
            let head = await client.read(until: #""user""#)
            #expect(head.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
            #expect(head.contains("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
            #expect(head.contains("\r\nSec-WebSocket-Protocol: presence.v1\r\n"))
            #expect(head.contains(#"{"type":"login","id":"1","data":{"token":"#))
            await client.write(WebSocketReaderTests.frame(8, [0x03, 0xE8]))
            let end = await client.readBytes()
            #expect(end.suffix(4) == [0x88, 0x02, 0x03, 0xE8])
            let lines = host.log.all.map(\.text)
            #expect(lines.count == 3 && lines[0].hasSuffix("GET /v1  101  connection 1"), "\(lines)")
            #expect(
                lines[1].hasSuffix("#1 -> login  logIn  reply") && lines[2].hasSuffix("closed by the client with 1000"))
        }
    }

    @Test func wrongHandshakesAreAnsweredAsHTTP() async throws {
        let table: [(request: String, status: String, header: String)] = [
            ("GET /v1 HTTP/1.1\r\nHost: a\r\n\r\n", "426", "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"),
            (Self.handshake(path: "/"), "404", "\r\nErrand-Mock-Finding: the connection is at `/v1`"),
            (Self.handshake(["Sec-WebSocket-Protocol: chat"]), "400", "presence.v1"),
            (Self.handshake(["Origin: http://evil.example"]), "403", "another site"),
            (Self.handshake(["Origin: null"]), "403", "another site"),
            // Another name in `Host` is that of a stranger, whose page this machine's address was given to.
            (Self.handshake(["Origin: http://evil.example"], host: "evil.example"), "403", "another site"),
            (Self.handshake(["Origin: http://localhost:3000"]), "101", ""),
            (Self.handshake(["Origin: http://127.0.0.1"]), "101", ""),
            (Self.handshake(["Errand-Mock: handshake=throttled"]), "429", "\r\nRetry-After: 1\r\n"),
            (Self.handshake(["Errand-Mock: handshake=cut-before"]), "", ""),
        ]
        try await withHost { host in
            for (request, status, header) in table {
                let client = try host.client()
                await client.write(request)
                client.endWriting()
                let answer = await client.read()
                #expect(
                    status.isEmpty ? answer.isEmpty : answer.hasPrefix("HTTP/1.1 \(status) "), "\(request)\n\(answer)")
                #expect(header.isEmpty || answer.contains(header), "\(request)\n\(answer)")
            }
        }
    }

    @Test func aSubscriptionComesInTime() async throws {
        try await withHost { host in
            let client = try await connected(host)
            await client.write(Self.login)
            await client.write(Self.text(#"{"type":"room.follow","id":"2","data":{"room":1}}"#))
            let text = await client.read(until: "room.closed")
            for number in 1...5 { #expect(text.contains("\"seq\":\(number),"), "\(text)") }
        }
    }

    @Test func anEventIsSentOnDemand() async throws {
        try await withHost { host in
            let client = try await connected(host)
            await client.write(Self.login)
            _ = await client.read(until: #""user""#)
            #expect(await host.host.sendEvent(named: "notice"))
            #expect(await !host.host.sendEvent(named: "dance"))
            #expect(await client.read(until: "}}").contains(#"{"type":"notice","data":{"text":"#))
        }
    }

    @Test func aCutEndsTheConnectionInsideOfAReply() async throws {
        try await withHost { host in
            let client = try await connected(host, ["Errand-Mock: cut-inside"])
            await client.write(Self.login)
            let text = String(decoding: await client.readBytes(), as: UTF8.self)
            #expect(text.contains(#"{"type":"login","#) && !text.hasSuffix("}}"), "\(text)")
            // It is not played at the other connection.
            let other = try await connected(host)
            await other.write(Self.login)
            #expect(await other.read(until: "}}").hasSuffix("}}"))
        }
    }

    /// The code of the close frame; nil without one.
    private func end(of client: RawClient) async -> UInt16? { Self.closeCode(in: await client.readBytes()) }

    private static func closeCode(in bytes: [UInt8]) -> UInt16? {
        var position = 0
        while position + 1 < bytes.count {
            let short = Int(bytes[position + 1])
            let length = short < 126 ? short : Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            let start = position + (short < 126 ? 2 : 4)
            if bytes[position] == 0x88 { return UInt16(bytes[start]) << 8 | UInt16(bytes[start + 1]) }
            position = start + length
        }
        return nil
    }

    @Test func hostileClientsAreClosedWithACode() async throws {
        let table: [(name: String, bytes: [UInt8], code: UInt16)] = [
            ("HTTP", Array("GET / HTTP/1.1\r\n\r\n".utf8), 1002),
            ("no mask", [0x81, 0x05] + Array("Hello".utf8), 1002),
            ("a large message", [0x81, 0xFF, 0, 0, 0, 0, 0x40, 0, 0, 0], 1009), ("no JSON", Self.text("hello"), 1007),
            ("bytes", WebSocketReaderTests.frame(2, [1, 2, 3]), 1003),
        ]
        var limits = ConnectionLimits()
        limits.closeTime = .milliseconds(200)
        try await withHost(limits) { host in
            for (name, bytes, code) in table {
                let client = try await connected(host)
                await client.write(bytes)
                #expect(await end(of: client) == code, "\(name)")
            }
            let client = try await connected(host)
            await client.write(Self.login)
            #expect(await client.read(until: "}}").contains("mock-access"))
        }
    }

    @Test func pingsAreAnswered() async throws {
        try await withHost { host in
            let client = try await connected(host)
            await client.write(WebSocketReaderTests.frame(9, Array("are you there?".utf8)))
            #expect(await client.read(until: "there?").hasSuffix("are you there?"))
        }
    }

    /// A client that says nothing and answers no ping is closed, and so is one that answers no close frame.
    @Test func silentClientsAreClosed() async throws {
        var limits = ConnectionLimits()
        (limits.silence, limits.pingEvery) = (.milliseconds(300), .milliseconds(100))
        try await withHost(limits) { host in
            let client = try await connected(host)
            let (bytes, end) = await client.readBytesToEnd()
            #expect(bytes.starts(with: [0x89, 0x00]) && end == .closed, "\(bytes), \(end)")
            #expect(await entry(of: host, "#1 connection").contains("the client was silent, or did not read"))
        }
        limits = ConnectionLimits()
        limits.closeTime = .milliseconds(100)
        try await withHost(limits) { host in
            let client = try await connected(host)
            await client.write(Self.text("hello"))
            let (bytes, end) = await client.readBytesToEnd()
            #expect(Self.closeCode(in: bytes) == 1007 && end != .silent, "\(bytes), \(end)")
            #expect(await entry(of: host, "#1 connection").hasSuffix("ended by the server"))
        }
    }

    /// The entry of the log with these words, as soon as it is there.
    private func entry(of host: RunningHost, _ words: String) async -> String {
        for _ in 0..<6_000 {
            if let entry = host.log.all.first(where: { $0.text.contains(words) }) { return entry.text }
            do { try await Task.sleep(for: .milliseconds(10)) } catch { break }
        }
        return "no entry with \(words): \(host.log.all.map(\.text))"
    }

    /// The time that the dial takes is not the silence of the client.
    @Test func aTrickleDoesNotCloseItsOwnConnection() async throws {
        var limits = ConnectionLimits()
        limits.silence = .milliseconds(1_500)
        try await withHost(limits) { host in
            let client = try await connected(host, ["Errand-Mock: logIn=trickle=40"])
            await client.write(Self.login)
            let text = await client.read(until: "}}")
            #expect(text.hasSuffix("}}") && text.utf8.count > 80, "\(text)")
        }
    }

    /// What comes before the handshake is answered is bounded, and a part of it is not taken for frames.
    @Test func aClientThatSendsTooMuchTooEarlyIsRefused() async throws {
        try await withHost { host in
            let client = try host.client()
            await client.write(Self.handshake(["Errand-Mock: handshake=slow=1s"]))
            await client.write(Array(repeating: 0x81, count: 200_000))
            let (text, _) = await client.readToEnd()
            #expect(text.hasPrefix("HTTP/1.1 400 ") && text.contains("more than 16 KiB before"), "\(text)")
            #expect(await entry(of: host, "#1 connection").contains("the client has left"))
        }
    }

    #if os(Linux)
    /// All addresses that begin with 127 are those of this machine, so that another one stands for another network.
    @Test func onlyTheNamedAddressIsListenedOn() async throws {
        try await withHost { host in
            #expect(throws: RawClient.Failure.self) { try RawClient(port: host.host.port, at: "127.0.0.2") }
        }
        let open = try RunningHost(address: "0.0.0.0")
        _ = try RawClient(port: open.host.port, at: "127.0.0.2")
        await open.stop()
    }
    #endif

    /// `--host` lets machines in, and no page of another site.
    @Test func anotherAddressLetsNoPageOfAnotherSiteIn() async throws {
        let host = try RunningHost(playing: "presence", address: "0.0.0.0") { $0.eventInterval = nil }
        let own = "127.0.0.1:\(host.host.port)"
        let table: [(request: String, status: String)] = [
            (Self.handshake(["Origin: http://stranger.example"], host: own), "403"),
            (Self.handshake(["Origin: http://stranger.example"], host: "stranger.example"), "403"),
            (Self.handshake(["Origin: http://192.168.1.7"], host: own), "403"),
            (Self.handshake(["Origin: http://192.168.1.7:80"], host: "192.168.1.7:80"), "101"),
            (Self.handshake(["Origin: http://\(own)"], host: own), "101"), (Self.handshake(host: own), "101"),
            ("GET /_errand/state HTTP/1.1\r\nHost: \(own)\r\nOrigin: http://stranger.example\r\n\r\n", "403"),
            ("GET /_errand/state HTTP/1.1\r\nHost: stranger.example\r\n\r\n", "403"),
            ("GET /_errand/state HTTP/1.1\r\nHost: \(own)\r\nOrigin: http://\(own)\r\n\r\n", "200"),
        ]
        for (request, status) in table {
            let client = try host.client()
            await client.write(request)
            let answer = await client.read(until: "\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(request)\n\(answer)")
        }
        await host.stop()
    }

    /// A client that does not read leaves a bounded amount in the server, which goes on.
    @Test func aClientThatDoesNotReadIsClosed() async throws {
        var limits = ConnectionLimits()
        (limits.unreadBytes, limits.silence) = (10_000, .milliseconds(500))
        try await withHost(limits) { host in
            let client = try await connected(host)
            let ping = WebSocketReaderTests.frame(9, [UInt8](repeating: 1, count: 125))
            let many = [[UInt8]](repeating: ping, count: 1_000).flatMap { $0 }
            // The buffers of the system take some megabytes before the server notices.
            var isOpen = true
            for _ in 0..<1_000 where isOpen { isOpen = await client.write(many) }
            #expect(!isOpen)
            let other = try await connected(host)
            await other.write(Self.login)
            #expect(await other.read(until: "}}").contains("mock-access"))
        }
    }
}
