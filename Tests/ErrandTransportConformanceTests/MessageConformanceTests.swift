import Testing

@testable import ErrandRuntime
@testable import ErrandTransportConformance

/// The suite for transports of messages, with one that others than WebSocket servers speak.
@Suite struct MessageConformanceTests {
    @Test(arguments: MessageConformance.checks) func theLineProtocolConforms(_ check: MessageConformance.Check)
        async throws
    {
        let server = try #require(LineServer())
        let opening = ConnectionOpening(url: "ws://127.0.0.1:\(server.port)", maximumMessageSize: 4 << 20)
        for violation in await check.run(on: LineTransport(), opening) { Issue.record("\(violation)") }
    }

    /// A check that cannot fail says nothing: each of these transports breaks a rule.
    @Test func aBadTransportIsFound() async throws {
        let server = try #require(LineServer())
        let opening = ConnectionOpening(url: "ws://127.0.0.1:\(server.port)", maximumMessageSize: 4 << 20)
        for (flaw, name) in [
            (BadTransport.Flaw.closesLost, "cut"), (.cutsTexts, "echo"), (.readsBytesAsText, "binary"),
            (.takesEverything, "full"), (.takesEverything, "cut"), (.inventsMessages, "echo"),
            (.saysEverythingTwice, "notice"), (.countsMessages, "bytes"), (.readsPongsAsTexts, "ping"),
            (.takesOldTLS, "old-tls"),
        ] {
            let check = try #require(MessageConformance.checks.first { $0.name == name })
            #expect(await check.run(on: BadTransport(flaw: flaw), opening) != [], "\(flaw)")
        }
    }
}

/// A transport with a flaw.
private struct BadTransport: MessageTransport {
    enum Flaw: Sendable {
        /// A lost connection is reported as closed.
        case closesLost
        /// The last byte of a text is lost.
        case cutsTexts
        case readsBytesAsText
        /// It takes messages at once without an end, also after the end of the connection.
        case takesEverything
        /// It gives messages at once that have not arrived.
        case inventsMessages
        /// It calls each action twice.
        case saysEverythingTwice
        /// It counts messages in place of bytes.
        case countsMessages
        case readsPongsAsTexts
        /// It opens a connection whatever the server's TLS is.
        case takesOldTLS
    }

    let flaw: Flaw

    func open(_ opening: ConnectionOpening) async throws(OpeningFault) -> any MessageConnection {
        var opening = opening
        if flaw == .takesOldTLS { opening.url = opening.url.replacing("wss:", with: "ws:") }
        return Connection(inner: try await LineTransport().open(opening), flaw: flaw)
    }

    final class Connection: MessageConnection {
        let inner: any MessageConnection
        let flaw: Flaw
        let count = LockedState<Int> { 0 }

        init(inner: any MessageConnection, flaw: Flaw) {
            self.inner = inner
            self.flaw = flaw
        }

        func send(_ message: [UInt8]) async throws(TransportFault) { try await inner.send(message) }
        func sendAtOnce(_ message: [UInt8]) -> Bool { flaw == .takesEverything }
        func receiveAtOnce() -> ReceivedMessage? { flaw == .inventsMessages ? .text([]) : inner.receiveAtOnce() }
        func notify(_ action: @escaping @Sendable () -> Void) -> ArrivalNotice {
            inner.notify { [flaw] in
                action()
                if flaw == .saysEverythingTwice { action() }
            }
        }
        var receivedByteCount: Int { flaw == .countsMessages ? count.withLock { $0 } : inner.receivedByteCount }
        func ping() async throws(TransportFault) { try await inner.ping() }
        func close(_ code: CloseCode) async { await inner.close(code) }

        func receive() async throws(TransportFault) -> ReceivedMessage {
            do throws(TransportFault) {
                let message = try await inner.receive()
                count.withLock { $0 += 1 }
                switch (flaw, message) {
                case (.readsBytesAsText, .binary(let count)): return .text(Array(repeating: 0, count: count))
                case (.readsPongsAsTexts, .pong): return .text([])
                case (.cutsTexts, .text(let bytes)): return .text(Array(bytes.dropLast()))
                default: return message
                }
            } catch {
                guard flaw == .closesLost else { throw error }
                return .closed(.normal)
            }
        }
    }
}
