import ErrandTesting
import ErrandURLSession
import Foundation
import Testing

@Suite(.serialized) struct TransportTests {
    private let transport = URLSessionTransport()

    private func get(
        _ url: String, _ headers: HTTPHeaders = HTTPHeaders(), timeout: Duration = .seconds(20),
        limit: Int = 1 << 20
    ) async -> Result<TransportResponse, TransportFault> {
        await send(
            TransportRequest(
                method: .get, url: url, headers: headers, timeout: timeout, maximumRedirects: 3,
                maximumResponseSize: limit))
    }

    private func send(_ request: TransportRequest) async -> Result<TransportResponse, TransportFault> {
        do throws(TransportFault) {
            return .success(try await transport.send(request))
        } catch {
            return .failure(error)
        }
    }

    private func expect(
        _ result: Result<TransportResponse, TransportFault>, _ kind: TransportFault.Kind,
        _ evidence: Evidence, _ location: SourceLocation = #_sourceLocation
    ) {
        guard case .failure(let fault) = result else {
            Issue.record("\(result)", sourceLocation: location)
            return
        }
        #expect(fault.kind == kind, "\(String(describing: fault.underlying))", sourceLocation: location)
        #expect(fault.evidence == evidence, sourceLocation: location)
    }

    @Test func anAnswerArrivesWhole() async throws {
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil {
                connection.respond("201 Created", "X-Name: value\r\n", "hello")
            }
        }
        let request = TransportRequest(
            method: .post, url: server.url + "/a%20b?c=d", headers: ["X-Sent": "1", "Content-Type": "a/b"],
            body: Array("body".utf8))
        let response = try await send(request).get()
        #expect(response.status == 201)
        #expect(response.headers["x-name"] == "value")
        #expect(response.body == Array("hello".utf8))
        let sent = try #require(server.requests.first)
        #expect(sent.hasPrefix("POST /a%20b?c=d HTTP/1.1\r\n"))
        #expect(sent.contains("X-Sent: 1\r\n") && sent.hasSuffix("\r\n\r\nbody"))
    }

    @Test(arguments: ["401 Unauthorized", "404 Not Found", "500 Oops", "204 No Content", "503 Busy"])
    func anyStatusIsAnAnswer(status: String) async throws {
        let server = try RawServer { connection, _ in
            _ = connection.readRequest()
            connection.respond(status, "WWW-Authenticate: Basic realm=\"x\"\r\nConnection: close\r\n")
        }
        let response = try await get(server.url).get()
        #expect(response.status == Int(status.prefix(3)))
    }

    @Test func aRefusedConnectionWasNotSent() async throws {
        var port = 0
        do { port = try RawServer { _, _ in }.port }
        try await Task.sleep(for: .milliseconds(50))
        expect(await get("http://127.0.0.1:\(port)/"), .refused, .notSent)
    }

    @Test func anUnknownNameWasNotSent() async throws {
        expect(await get("http://no-such-host.invalid/"), .dns, .notSent)
    }

    @Test func aResetMayHaveBeenSent() async throws {
        let server = try RawServer { connection, _ in
            _ = connection.readRequest()
            connection.reset()
        }
        expect(await get(server.url), .lost, .sent)
    }

    @Test func aCloseWithoutAnAnswerMayHaveBeenSent() async throws {
        let server = try RawServer { connection, _ in _ = connection.readRequest() }
        expect(await get(server.url), .lost, .sent)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nonly\r\n",
    ])
    func aCutAnswerIsNoAnswer(text: String) async throws {
        let server = try RawServer { connection, _ in
            _ = connection.readRequest()
            connection.write(text)
        }
        expect(await get(server.url), .lost, .sent)
    }

    @Test func whatIsNoHTTPIsUnreadable() async throws {
        let server = try RawServer { connection, _ in
            _ = connection.readRequest()
            connection.write("SSH-2.0-OpenSSH_9.6\r\n\r\n")
        }
        guard case .failure = await get(server.url) else {
            Issue.record("it was an answer")
            return
        }
    }

    @Test func silenceTimesOut() async throws {
        let server = try RawServer { connection, _ in
            _ = connection.readRequest()
            _ = connection.isClosedByClient(within: 10)
        }
        expect(await get(server.url, timeout: .seconds(1)), .timeout, .sent)
    }

    @Test func slowBytesAreWaitedFor() async throws {
        let server = try RawServer { connection, _ in
            _ = connection.readRequest()
            for character in "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello" {
                connection.write(String(character))
                usleep(3_000)
            }
        }
        #expect(try await get(server.url).get().body == Array("hello".utf8))
    }

    @Test func aLargeBodyArrivesUnchanged() async throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let server = try RawServer { connection, _ in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
            connection.write(body)
        }
        #expect(try await get(server.url, limit: body.count).get().body == body)
    }

    @Test(arguments: [true, false]) func anEndlessBodyIsCut(isAnnounced: Bool) async throws {
        let server = try RawServer { connection, _ in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\n\(isAnnounced ? "Content-Length: 99999999\r\n" : "")\r\n")
            for _ in 0..<100 { connection.write([UInt8](repeating: 65, count: 65_536)) }
        }
        expect(await get(server.url, limit: 1_000), .oversized, .responded)
    }

    @Test func cancellingClosesTheConnection() async throws {
        let (arrived, arrive) = AsyncStream.makeStream(of: Void.self)
        let (closed, close) = AsyncStream.makeStream(of: Bool.self)
        let server = try RawServer { connection, _ in
            _ = connection.readRequest()
            arrive.finish()
            close.yield(connection.isClosedByClient(within: 10))
            close.finish()
        }
        let task = Task { await get(server.url) }
        for await _ in arrived {}
        let start = ContinuousClock.now
        task.cancel()
        expect(await task.value, .cancelled, .sent)
        #expect(ContinuousClock.now - start < .seconds(2))
        for await isClosed in closed { #expect(isClosed) }
    }

    @Test func aCancelledTaskSendsNothing() async throws {
        let server = try RawServer { connection, _ in _ = connection.readRequest() }
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await get(server.url)
        }
        task.cancel()
        guard case .failure(let fault) = await task.value else { Issue.record("?"); return }
        #expect(fault.kind == .cancelled)
    }
}
