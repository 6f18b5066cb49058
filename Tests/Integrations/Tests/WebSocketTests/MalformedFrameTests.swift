import Foundation
import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import ErrandRuntime
@testable import ErrandWebSocket

/// What a server sends that it must not, and a session that ends after each of its bytes.
@Suite(.enabled(if: WebSocketServers.isAvailable), .serialized) struct MalformedFrameTests {
    /// What arrives over a connection until it ends.
    private struct Course: Equatable {
        var texts: [String] = []
        var code: UInt16?
        var fault: TransportFault.Kind?
    }

    private func course(of opening: ConnectionOpening) async -> Course {
        var course = Course()
        do {
            let connection = try await WebSocketTransport().open(opening)
            while true {
                switch try await connection.receive() {
                case .text(let bytes): course.texts.append(String(decoding: bytes, as: UTF8.self))
                case .binary, .pong: break
                case .closed(let code):
                    course.code = code.rawValue
                    return course
                }
            }
        } catch let fault as TransportFault {
            course.fault = fault.kind
        } catch OpeningFault.failed(let fault) {
            course.fault = fault.kind
        } catch {
            Issue.record("\(error)")
        }
        return course
    }

    @Test func aSessionMayEndAfterEachByte() async throws {
        let servers = try WebSocketServers()
        let whole = ["one", "two", "three"]
        var seen: [Course] = []
        for count in 0..<500 {
            let course = await course(of: ConnectionOpening(url: servers.raw + "/cut/\(count)"))
            seen.append(course)
            #expect(course.texts == Array(whole.prefix(course.texts.count)), "after \(count) bytes")
            if course.code != nil { break }
            #expect(course.fault == .lost, "after \(count) bytes")
        }
        #expect(seen.last == Course(texts: whole, code: 4001))
        // The handshake, two texts of five bytes, a text of eleven bytes in two fragments, and an end of four.
        let texts = seen.map(\.texts.count)
        let rest = [(1, 5), (2, 11), (3, 5)].flatMap { Array(repeating: $0.0, count: $0.1) }
        #expect(texts == Array(repeating: 0, count: texts.count - rest.count) + rest)
    }

    @Test(arguments: [
        ("8103616263", ["abc"], TransportFault.Kind.lost, "an end without closing"),
        ("010161", [], .lost, "half a message"),
        ("0101618101628001ff", [], .unreadable, "a message inside of another one"),
        ("800161", [], .unreadable, "a fragment of no message"),
        ("c10161", [], .unreadable, "a reserved bit"),
        ("818101020304" + "60", [], .unreadable, "a masked frame"),
        ("830161", [], .unreadable, "an unknown kind"),
        ("0900", [], .unreadable, "a ping in fragments"),
        ("897e0080" + String(repeating: "00", count: 128), [], .unreadable, "a long ping"),
        ("880103", [], .unreadable, "half a code"),
        ("88020001", [], .unreadable, "a code that does not exist"),
        ("880203ed", [], .unreadable, "a code that is never sent"),
        ("81ff7fffffffffffffff", [], .oversized, "an endless text"),
        ("81ffffffffffffffffff", [], .oversized, "a text of a negative length"),
        ("817e0401" + String(repeating: "61", count: 1_025), [], .oversized, "a text above the limit"),
        ("017e0400" + String(repeating: "61", count: 1_024) + "800161", [], .oversized, "fragments above the limit"),
    ])
    func aBrokenFrameEndsTheConnection(
        _ bytes: String, _ texts: [String], _ fault: TransportFault.Kind, _ what: String
    ) async throws {
        let servers = try WebSocketServers()
        // The client has nothing to complain about before the server ends the connection.
        let kind = fault == .lost ? "end" : "hex"
        let course = await course(
            of: ConnectionOpening(url: "\(servers.raw)/\(kind)/\(bytes)", maximumMessageSize: 1_024))
        #expect(course == Course(texts: texts, fault: fault), "\(what)")
    }

    /// A server that sends pings and reads no pongs must not fill the memory. It wants to know of the last ping only.
    @Test func pongsThatNoServerReadsAreNotKept() throws {
        let channel = EmbeddedChannel(handler: MessageHandler(maximumSize: 1_024))
        func ping(_ text: String) throws {
            try channel.writeInbound(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer(string: text)))
        }
        func pong() throws -> String? {
            try channel.readOutbound(as: WebSocketFrame.self).map { String(buffer: $0.data) }
        }
        try ping("first")
        #expect(try pong() == "first")
        channel.isWritable = false
        for number in 1...1_000 { try ping("\(number)") }
        #expect(try pong() == nil)
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(try pong() == "1000")
        #expect(try pong() == nil)
    }

    /// A receiver may write while it is told of what has arrived. A write that fails at once ends the connection in the middle of that.
    @Test func aConnectionThatEndsWhileItHandsOverHandsOverOnce() throws {
        let handler = MessageHandler(maximumSize: 1_024)
        let inbox = handler.inbox
        let channel = EmbeddedChannel(handler: handler)
        let pipeline = channel.pipeline
        #expect(inbox.notify({}) { pipeline.fireChannelInactive() } == .set)
        try channel.writeInbound(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: "once")))
        #expect(inbox.nextAtOnce == .text(Array("once".utf8)))
        #expect(inbox.nextAtOnce == nil)
    }

    /// A refusal whose body has no end is a refusal.
    @Test(.timeLimit(.minutes(1))) func aRefusalMayHaveABodyWithoutEnd() async throws {
        let servers = try WebSocketServers()
        let head = Self.digits("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\n\r\n")
        let transport = try WebSocketTransport()
        do throws(OpeningFault) {
            _ = try await transport.open(ConnectionOpening(url: "\(servers.raw)/endless/\(head)"))
            Issue.record("it was opened")
        } catch {
            guard case .refused(let response) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(response.status == 503 && response.headers["retry-after"] == "7")
            #expect(response.body.count == 64 << 10)
        }
    }

    private static func digits(_ text: String) -> String {
        text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test func anEndWithoutACodeHasNone() async throws {
        let servers = try WebSocketServers()
        let course = await course(of: ConnectionOpening(url: servers.raw + "/hex/8800"))
        #expect(course == Course(code: 1005))
    }

    @Test(arguments: [
        (
            "HTTP/1.1 101 A\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPTx\r\n\r\n",
            "another accept"
        ),
        ("HTTP/1.1 101 A\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT\r\n\r\n", "no upgrade"),
        (
            "HTTP/1.1 101 A\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT\r\n\r\n",
            "another upgrade"
        ),
        (
            "HTTP/1.1 101 A\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT\r\n"
                + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n", "an extension that was not offered"
        ),
        (
            "HTTP/1.1 101 A\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT\r\n"
                + "Sec-WebSocket-Protocol: other\r\n\r\n", "a subprotocol that was not offered"
        ),
        ("hello\r\n\r\n", "no HTTP"), ("HTTP/1.1 101 A\r\nUp\u{0}grade: websocket\r\n\r\n", "a broken header"),
    ])
    func aWrongHandshakeOpensNothing(_ head: String, _ what: String) async throws {
        let servers = try WebSocketServers()
        let course = await course(of: ConnectionOpening(url: servers.raw + "/handshake/" + Self.digits(head)))
        #expect(course == Course(fault: .unreadable), "\(what)")
    }
}
