#if os(Linux)
@testable import ErrandCurl
import ErrandRuntime
import Foundation
import Testing

/// Streamed bodies to servers with HTTP/2, which others wrote.
@Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: HTTP2Server.isAvailable, "`scripts/install-python-tools` installs Hypercorn; openssl is needed too"))
struct HTTP2StreamTests {
    private static func upload(
        _ body: BodySource, to url: String, timeout: Duration = .seconds(60)
    ) -> TransportRequest {
        var request = TransportRequest(method: .put, url: url, timeout: timeout, isRepeatable: false)
        request.streamedBody = body
        return request
    }

    /// A body of unknown length, in chunks of any size.
    private static func chunks(_ count: Int, of size: Int) -> BodySource {
        .replayable {
            AsyncStream { continuation in
                for number in 0..<count { continuation.yield([UInt8](repeating: UInt8(number % 251), count: size)) }
                continuation.finish()
            }
        }
    }

    /// Bodies larger than all windows, of a known and of an unknown length, many on one connection.
    @Test func streamedBodiesComeWholeOverOneConnection() async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        _ = try await transport.send(TransportRequest(method: .get, url: server.url))
        let count = 3_000_000
        let asked = try await withThrowingTaskGroup(of: Asked.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let body =
                        number % 2 == 0
                        ? BodySource.bytes([UInt8](repeating: 7, count: count)) : Self.chunks(3_000, of: 1_000)
                    return try Asked(try await transport.send(Self.upload(body, to: server.url)))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(asked.allSatisfy { $0.version == "2" && $0.size == count }, "\(asked)")
        #expect(Set(asked.map(\.port)).count == 1)
    }

    /// Bodies without any byte.
    @Test func anEmptyStreamedBodyComes() async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        for body in [BodySource.bytes([]), Self.chunks(0, of: 0)] {
            let asked = try Asked(try await transport.send(Self.upload(body, to: server.url)))
            #expect(asked.version == "2" && asked.size == 0)
        }
    }

    /// Sources that have no bytes for now, on the connection of other requests.
    @Test func slowSourcesLeaveTheConnectionToOthers() async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        let sources = (0..<6).map { _ in AsyncStream.makeStream(of: [UInt8].self) }
        try await withThrowingTaskGroup(of: Asked.self) { group in
            for source in sources {
                let bytes = source.stream
                group.addTask {
                    try Asked(try await transport.send(Self.upload(.replayable { bytes }, to: server.url)))
                }
            }
            for number in 0..<20 {
                for source in sources { source.continuation.yield([UInt8](repeating: 1, count: 1 + number * 977)) }
                let asked = try Asked(try await transport.send(TransportRequest(method: .get, url: server.url)))
                #expect(asked.version == "2")
            }
            for source in sources { source.continuation.finish() }
            for try await asked in group {
                #expect(asked.version == "2" && asked.size == (0..<20).reduce(0) { $0 + 1 + $1 * 977 })
            }
        }
    }

    /// A source that fails, ends early or is too long. The server gets no complete request, and keeps the connection.
    @Test func aBrokenSourceIsNoCompleteRequest() async throws {
        struct Broken: Error {}
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        func source(_ length: Int?, fails: Bool = false) -> BodySource {
            .replayable(length: length) {
                AsyncThrowingStream<[UInt8], any Error> { continuation in
                    for _ in 0..<200 { continuation.yield([UInt8](repeating: 1, count: 1_000)) }
                    if fails { continuation.finish(throwing: Broken()) } else { continuation.finish() }
                }
            }
        }
        let sources = [source(300_000), source(nil, fails: true), source(300_000, fails: true), source(100_000)]
        for (number, body) in sources.enumerated() {
            let path = "/take-\(number)"
            do throws(TransportFault) {
                let response = try await transport.send(Self.upload(body, to: server.ending + path))
                Issue.record("\(number): status \(response.status)")
            } catch {
                #expect(error.kind == .requestBody && error.evidence == .sent, "\(number): \(error)")
            }
            let seen = try await server.seen(transport)
            #expect(seen[path] == 1 && seen["whole \(path)"] == nil, "\(number): \(seen)")
        }
    }

    /// A response before the end of the body, after which the server resets the stream at once (RFC 9113 section 8.1). libcurl
    /// before 8.1 loses it, and the next upload uses HTTP/1.1.
    @Test func theResponseToAPartOfTheBodyArrives() async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        var faults: [TransportFault] = []
        for number in 0..<6 {
            let body =
                number % 2 == 0
                ? BodySource.bytes([UInt8](repeating: 7, count: 5 << 20)) : Self.chunks(5_000, of: 1_000)
            do throws(TransportFault) {
                let response = try await transport.send(Self.upload(body, to: "\(server.ending)/half-\(number)"))
                #expect(response.status == 413 && response.body == Array("too large".utf8))
            } catch {
                faults.append(error)
            }
        }
        if CurlTransport.losesEarlyResponses {
            #expect(faults.count <= 3 && faults.allSatisfy { $0.kind == .lost && $0.evidence == .sent }, "\(faults)")
        } else {
            #expect(faults.isEmpty, "\(faults)")
        }
        #expect(try await server.seen(transport)["whole /half-0"] == nil)
    }

    /// A server that takes no more of one body, beside one that it takes.
    @Test func aDeafServerIsATimeoutAndLeavesTheConnectionToOthers() async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        let body = BodySource.bytes([UInt8](repeating: 7, count: 2 << 20))
        async let deaf = transport.send(Self.upload(body, to: server.ending + "/deaf", timeout: .seconds(3)))
        let response = try await transport.send(Self.upload(body, to: server.ending + "/take", timeout: .seconds(300)))
        #expect(response.status == 200)
        do {
            _ = try await deaf
            Issue.record("it was answered")
        } catch {
            let fault = try #require(error as? TransportFault)
            #expect(fault.kind == .timeout && fault.evidence == .sent, "\(fault)")
        }
        let seen = try await server.seen(transport)
        #expect(seen["bytes /take"] == 2 << 20 && seen["whole /deaf"] == nil)
    }

    /// The end of a task ends its upload on the server, and no other upload on the same connection.
    @Test func aCancelledUploadEndsOnTheServer() async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        let sources = (0..<2).map { _ in AsyncStream.makeStream(of: [UInt8].self) }
        let uploads = sources.enumerated().map { number, source in
            Task {
                try await transport.send(
                    Self.upload(.replayable { source.stream }, to: "\(server.ending)/take-\(number)"))
            }
        }
        for (number, source) in sources.enumerated() {
            source.continuation.yield([UInt8](repeating: 1, count: 1_000))
            while try await server.seen(transport)["bytes /take-\(number)"] == nil {}
        }
        uploads[0].cancel()
        let result = await uploads[0].result
        #expect(throws: TransportFault.self) { try result.get() }
        sources[1].continuation.yield([UInt8](repeating: 1, count: 1_000))
        sources[1].continuation.finish()
        #expect(try await uploads[1].value.status == 200)
        while try await server.seen(transport)["ended /take-0"] == nil {}
        let seen = try await server.seen(transport)
        #expect(
            seen["whole /take-0"] == nil && seen["bytes /take-1"] == 2_000 && seen["ended /take-1"] == nil, "\(seen)")
    }

    /// An upload whose stream is refused or broken is not sent again. libcurl does not always say that it was refused.
    @Test(arguments: ["refused", "broken", "goaway-before"])
    func anEndInTheMiddleOfAnUploadIsClassified(path: String) async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        do throws(TransportFault) {
            let body = BodySource.bytes([UInt8](repeating: 7, count: 1 << 20))
            let response = try await transport.send(Self.upload(body, to: "\(server.ending)/\(path)"))
            Issue.record("\(path): status \(response.status)")
        } catch {
            #expect(error.kind == .lost, "\(path): \(error)")
            #expect(error.evidence == .sent || (path != "broken" && error.evidence == .unprocessed), "\(error)")
        }
        #expect(try await server.seen(transport)["/\(path)"] == 1)
    }

    // MARK: Responses

    /// Streamed responses use HTTP/1.1, with the same server: over HTTP/2, libcurl does not slow a server down in time.
    @Test func streamedResponsesComeAsTheyAreSent() async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        let count = 3_000_000
        let answer = try await HTTP2Server.answer(
            TransportRequest(
                method: .get, url: "\(server.url)/?count=\(count)", timeout: .seconds(30), streamsResponse: true),
            transport)
        let body = try #require(answer.stream)
        var received: [UInt8] = []
        while let chunk = try await body.next() { received += chunk }
        #expect(received == (0..<count).map { UInt8($0 % 251) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    let answer = try await HTTP2Server.answer(
                        TransportRequest(method: .get, url: server.url + "/ticks", streamsResponse: true), transport)
                    let body = try #require(answer.stream)
                    for _ in 0..<10 { _ = try #require(try await body.next()) }
                }
            }
            for try await _ in group {}
        }
    }
}
#endif
