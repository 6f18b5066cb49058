import ErrandRuntime
import ErrandTransport
import ErrandTransportConformance
import Foundation
import Testing

/// A client whose commands meet what a server should not send. One attempt, a megabyte.
private struct Victim: ServiceClient {
    var binding: ServiceBinding
    static let service = ServiceDescription(name: "Victim", version: "1")
    static let limit = 1 << 20

    struct Read: ErrandRuntime.Command {
        typealias Service = Victim
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Victim.service, "read", .get, effect: .read, session: .none, timeout: .seconds(30), deadline: .seconds(30),
            retry: RetryRule(attempts: 1), response: .bytes)
        func encode(into request: inout RequestEncoder) { request.path("/") }
    }

    /// The same with a time limit of two seconds.
    struct Glance: ErrandRuntime.Command {
        typealias Service = Victim
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Victim.service, "glance", .get, effect: .read, session: .none, timeout: .seconds(2), deadline: .seconds(2),
            retry: RetryRule(attempts: 1), response: .bytes)
        func encode(into request: inout RequestEncoder) { request.path("/") }
    }

    init(_ server: RawServer, limit: Int = limit) {
        let dispatcher = Dispatcher(settings: DispatcherSettings(maximumResponseSize: limit))
        binding = ServiceBinding(Self.service, server: server.url, on: dispatcher, session: Session())
    }
}

/// Answers that are made to hurt end in a typed failure, within the limits of time and size.
///
/// They go over the transport that a client has by default. On Linux that is libcurl's: three of them end the process in
/// FoundationNetworking.
@Suite(.serialized) struct HostileAnswerTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    /// The result of a read if the server sends exactly this, and closes.
    private func result(of text: String) async throws -> Result<[UInt8], CommandFault> {
        let server = try RawServer { connection, _ in
            _ = connection.readRequest()
            connection.write(text)
        }
        return await Victim(server).result(of: Victim.Read())
    }

    private func fault(of text: String) async throws -> CommandFault? {
        switch try await result(of: text) {
        case .success: nil
        case .failure(let fault): fault
        }
    }

    @Test(arguments: [
        chunked + "zz\r\nhello\r\n0\r\n\r\n", chunked + "-5\r\nhello\r\n0\r\n\r\n",
        chunked + "5\r\nhello, and more\r\n0\r\n\r\n",
        chunked + "ffffffffffffffffffff\r\nhello\r\n0\r\n\r\n", chunked + "5\r\nhel", chunked,
        ok + "Content-Length: 50\r\n\r\nhello", ok + "Content-Length: -5\r\n\r\nhello",
        ok + "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello", "HTTP/9.9 200 OK\r\n\r\n",
        "HTTP/1.1 7 OK\r\n\r\n",
        "HTTP/1.1 two hundred\r\n\r\n", "\r\n\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "220 mail.example ESMTP\r\n",
        ok + "X-A: b", ok + "X-A: b\r\n",
        ok + "Content-Length: 9223372036854775807\r\n\r\nhello",
        ok + "Content-Length: 18446744073709551615\r\n\r\nhello",
    ])
    func brokenAnswersAreFailures(text: String) async throws {
        let fault = try #require(try await fault(of: text))
        #expect([.connectionLost, .malformed].contains(fault.kind), "\(fault)")
        #expect(fault.context.evidence != .notSent && fault.context.applied == .never)
    }

    @Test func trailersDoNoHarm() async throws {
        let text = Self.chunked + "5\r\nhello\r\n0\r\nX-Checksum: 1\r\nX-Count: 2\r\n\r\n"
        #expect(try await result(of: text).get() == Array("hello".utf8))
    }

    @Test func bytesBehindAnAnswerAreNotRead() async throws {
        #expect(try await result(of: Self.ok + "Content-Length: 2\r\n\r\nhello").get() == Array("he".utf8))
    }

    /// A server sends faster than it can be read. Other requests meanwhile get their response, or end in time.
    @Test func aFloodHoldsNobodyUpForGood() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let flooding = try RawServer { connection, _ in
            _ = connection.readRequest()
            connection.write(Self.ok + "\r\n")
            let block = [UInt8](repeating: 97, count: 65_536)
            let last = ContinuousClock.now + .seconds(4)
            while connection.write(block), ContinuousClock.now < last {}
            end.finish()
        }
        let quiet = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.respond("200 OK", "", "ok") }
        }
        let drowned = await Victim(flooding).result(of: Victim.Read())
        guard case .failure(let fault) = drowned else {
            Issue.record("it was answered")
            return
        }
        #expect(fault.kind == .malformed && (fault.context.underlying as? TransportFault)?.kind == .oversized)
        let results = await withTaskGroup(of: Result<[UInt8], CommandFault>.self) { group in
            for _ in 0..<20 { group.addTask { await Victim(quiet).result(of: Victim.Glance()) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for result in results {
            switch result {
            case .success(let body): #expect(body == Array("ok".utf8))
            case .failure(let fault): #expect(fault.kind == .timedOut, "\(fault)")
            }
        }
        for await _ in ended {}
        // When it is over, all is as before.
        #expect(try await Victim(quiet).send(Victim.Read()) == Array("ok".utf8))
    }

    /// What never ends, and how much of it at a time, in bytes and microseconds: slow enough to be read to its last byte.
    @Test(arguments: [
        (ok, "X-A: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n", 2_000),
        ("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", 2_000),
        (ok + "Content-Length: 9000\r\n", "X-A: b\r\n", 100_000),
        (ok + "Content-Length: 9000\r\n\r\n", "x", 100_000),
        ("HTTP/1.1 200 ", "a", 20_000),
        (chunked, "1;" + String(repeating: "e", count: 9_000), 2_000),
    ])
    func whatNeverEndsIsEnded(start: String, again: String, pause: UInt32) async throws {
        let (closed, close) = AsyncStream.makeStream(of: Bool.self)
        let server = try RawServer { connection, _ in
            _ = connection.readRequest()
            connection.write(start)
            // Long after the client should have gone.
            let end = ContinuousClock.now + .seconds(20)
            var isOpen = true
            while isOpen, ContinuousClock.now < end {
                isOpen = connection.write(again)
                usleep(pause)
            }
            close.yield(!isOpen)
            close.finish()
        }
        let result = await Victim(server).result(of: Victim.Glance())
        guard case .failure(let fault) = result else {
            Issue.record("it was answered")
            return
        }
        #expect([.timedOut, .connectionLost, .malformed].contains(fault.kind), "\(fault)")
        for await isClosed in closed { #expect(isClosed, "the server sends still") }
    }
}
