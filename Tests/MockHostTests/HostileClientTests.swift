import Foundation
import MockServer
import Testing

@testable import ErrandHTTPServer
@testable import MockHost

/// What a hostile or broken client sends, on real sockets: each costs a bounded amount, and the server goes on.
@Suite(.serialized) struct HostileClientTests {
    @Test func severalRequestsShareAConnection() async throws {
        try await RunningHost.play { host in
            let client = try host.client()
            for _ in 0..<3 { #expect(await RunningHost.logIn(client).hasPrefix("HTTP/1.1 200 OK\r\n")) }
            await client.write("GET /v1/accounts HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let last = await client.read()
            #expect(last.hasPrefix("HTTP/1.1 401 ") && last.contains("Connection: close\r\n"))
            #expect(host.log.all.count == 4)
        }
    }

    @Test func aBodyInChunksIsRead() async throws {
        try await RunningHost.play { host in
            let client = try host.client()
            await client.write(
                "POST /v1/sessions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n")
            #expect(await client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 Continue\r\n"))
            for byte in RunningHost.login.utf8 { await client.write("1;a=b\r\n\(Character(Unicode.Scalar(byte)))\r\n") }
            await client.write("0\r\nTrailer: x\r\n\r\n")
            #expect(await client.read(until: "}}").hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    /// Section 2.2 of RFC 9112, and section 5.5 of RFC 9110.
    @Test(arguments: [
        "\r\n\r\nGET /v1/accounts HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /v1/accounts HTTP/1.1\nHost: a\nConnection: close\n\n",
        "GET http://b.example/v1/accounts HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /v1/accounts HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\n",
        "GET /v1/accounts HTTP/1.0\r\n\r\n",
    ])
    func anUnusualRequestIsRead(_ text: String) async throws {
        try await RunningHost.play { host in
            let client = try host.client()
            await client.write(text)
            #expect(await client.read().hasPrefix("HTTP/1.1 401 "))
            #expect(host.complaints.all == [])
        }
    }

    @Test func aHeaderMayHaveBytesThatAreNotUTF8() async throws {
        try await RunningHost.play { host in
            let client = try host.client()
            await client.write(Array("GET /v1/accounts HTTP/1.1\r\nHost: a\r\nA: ".utf8) + [0xE9, 0xFF])
            await client.write("\r\nConnection: close\r\n\r\n")
            #expect(await client.read().hasPrefix("HTTP/1.1 401 "))
        }
    }

    @Test func aHeadIsAnsweredWithoutABody() async throws {
        try await RunningHost.play { host in
            let client = try host.client()
            for path in ["/v1/accounts", "/_errand/", "/_errand/events"] {
                await client.write("HEAD \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            }
            await client.write("GET /v1/accounts HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let heads = await client.read().components(separatedBy: "\r\n\r\n")
            #expect(heads.count == 5, "\(heads)")
            #expect(heads.prefix(4).allSatisfy { $0.hasPrefix("HTTP/1.1 ") }, "\(heads)")
            #expect(heads[1...2].allSatisfy { $0.hasPrefix("HTTP/1.1 200 ") }, "\(heads)")
        }
    }

    /// A client that has left has no connection any more, also if its response was to come much later.
    @Test(arguments: ["hang", "slow=500s", "trickle=1"], [0, 100_000])
    func aClientThatLeavesIsNoticed(_ failure: String, bytesOfMoreRequests: Int) async throws {
        var limits = ConnectionLimits()
        limits.connections = 5
        limits.afterClose = .milliseconds(10)
        try await RunningHost.play(limits) { host in
            for _ in 0..<5 {
                let client = try host.client()
                await client.write(
                    "POST /v1/sessions HTTP/1.1\r\nHost: a\r\nErrand-Mock: \(failure)\r\nContent-Length: \(RunningHost.login.utf8.count)\r\n\r\n\(RunningHost.login)"
                )
                await client.write(Array(repeating: UInt8(ascii: "a"), count: bytesOfMoreRequests))
            }
            // Each is gone by now, or will be.
            var isAlive = false
            for _ in 0..<1_000 where !isAlive {
                isAlive = await RunningHost.logIn(try host.client()).hasPrefix("HTTP/1.1 200 OK\r\n")
                if !isAlive { try await Task.sleep(for: .milliseconds(10)) }
            }
            #expect(isAlive)
        }
    }

    /// What a client sends while it waits is its next request, and one that has closed only its own side gets its response.
    @Test func aClientThatWaitsIsServed() async throws {
        try await RunningHost.play { host in
            let client = try host.client()
            let request = "GET /v1/accounts HTTP/1.1\r\nHost: a\r\nErrand-Mock: slow=200ms\r\n"
            await client.write(request + "\r\n")
            await client.write(request + "Connection: close\r\n\r\n")
            client.endWriting()
            #expect(await client.read().components(separatedBy: "HTTP/1.1 401 ").count == 3)
        }
    }

    /// RFC 9110, section 10.1.1.
    @Test func onlyAClientThatWaitsIsToldToContinue() async throws {
        try await RunningHost.play { host in
            for (version, length, isTold) in [("1.1", 2, true), ("1.0", 2, false), ("1.1", 0, false)] {
                let client = try host.client()
                await client.write(
                    "POST /v1/sessions HTTP/\(version)\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: \(length)\r\n\r\n"
                )
                await client.write(String("{}".prefix(length)))
                let answer = await client.read()
                #expect(answer.hasPrefix("HTTP/1.1 100 ") == isTold, "\(version), \(length): \(answer.prefix(100))")
                #expect(answer.contains("HTTP/1.1 4"), "\(answer.prefix(200))")
            }
        }
    }

    @Test func aHugeBodyIsRefusedBeforeItIsRead() async throws {
        try await RunningHost.play { host in
            let announced = try host.client()
            await announced.write("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: 1073741824\r\n\r\n")
            let answer = await announced.read()
            #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.contains("larger than 10 MiB"), "\(answer)")
            // Without an announced length, the server stops in the middle.
            let chunked = try host.client()
            await chunked.write("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = Array("100000\r\n".utf8) + [UInt8](repeating: 0x20, count: 1 << 20) + Array("\r\n".utf8)
            var sent = 0
            while sent < 64, await chunked.write(chunk) { sent += 1 }
            #expect(sent < 64, "the server read 64 MiB")
            try await RunningHost.expectIsAlive(host)
        }
    }

    @Test(arguments: [
        ("GET /v1/accounts HTTP/1.1\r\nHost: a\r\n" + String(repeating: "A: b\r\n", count: 101) + "\r\n", 431),
        ("GET /v1/accounts HTTP/1.1\r\nHost: a\r\nA: " + String(repeating: "b", count: 20_000) + "\r\n\r\n", 431),
        ("GET /" + String(repeating: "a", count: 20_000) + " HTTP/1.1\r\n\r\n", 431),
        // The greeting of a client of TLS has no line.
        ("\u{16}\u{3}\u{1}", 400), ("GET /v1/accounts HTTP/2.0\r\n\r\n", 400), ("GET\r\n\r\n", 400),
        ("GET http:///v1 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /v1/accounts HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n", 400), ("\u{1}\u{2}\r\n\r\n", 400),
        ("GET /v1/accounts HTTP/1.1\r\nHost: a\r\nA : b\r\n\r\n", 400),
        ("GET /v1/accounts HTTP/1.1\r\nHost: a\r\nA: b\u{0}\r\n\r\n", 400),
        ("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
        ("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
        ("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        ("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
        ("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", 400),
        ("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", 400),
        // Sections 3.2, 6.1 and 7.1 of RFC 9112.
        ("GET /v1/accounts HTTP/1.1\r\n\r\n", 400), ("GET http://a/v1/accounts HTTP/1.1\r\n\r\n", 400),
        ("GET /v1/accounts HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", 400),
        ("GET /v1/accounts HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET /v1/accounts HTTP/1.1\r\nHost: a/b\r\n\r\n", 400), ("GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("POST /v1/sessions HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n+2\r\n{}\r\n0\r\n\r\n", 400),
        ("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n", 400),
        ("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1 1\r\n{}\r\n0\r\n\r\n", 400),
    ])
    func aRequestThatIsNotHTTPIsRefused(_ text: String, _ status: Int) async throws {
        try await RunningHost.play { host in
            let client = try host.client()
            await client.write(text)
            let answer = await client.read()
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(text.prefix(80)): \(answer.prefix(100))")
            #expect(host.complaints.all.count == 1)
            try await RunningHost.expectIsAlive(host)
        }
    }

    @Test(arguments: [
        "/../../etc/passwd", "/v1/..%2f..%2fetc/passwd", "/v1/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/%00",
    ])
    func noPathLeadsToAFile(_ path: String) async throws {
        try await RunningHost.play { host in
            let client = try host.client()
            await client.write("GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let answer = await client.read()
            #expect(answer.hasPrefix("HTTP/1.1 404 ") && !answer.contains("root:"), "\(answer)")
        }
    }

    /// accept(2) fails with what has happened to one connection, too.
    @Test func onlyAWrongSocketEndsTheServer() {
        for code in [ECONNABORTED, EMFILE, ENFILE, ENOBUFS, ENOMEM, EPROTO, EINTR, ENETDOWN, EHOSTUNREACH, EPERM] {
            #expect(!SocketServer.endsListening("Accept", code), "\(code)")
        }
        for code in [EBADF, EINVAL, ENOTSOCK] {
            #expect(SocketServer.endsListening("Accept", code), "\(code)")
            #expect(!SocketServer.endsListening("SetOption", code), "\(code)")
        }
    }

    @Test func datesAreThoseOfHTTP() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        #expect(HTTPDate.text(seconds: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        for seconds in stride(from: 0, through: 4_200_000_000, by: 86_399 * 97) {
            #expect(
                HTTPDate.text(seconds: seconds) == formatter.string(from: Date(timeIntervalSince1970: Double(seconds))))
        }
    }

    /// RFC 9110, sections 6.6.1 and 9.3.2, and RFC 9112, section 4.
    @Test func aResponseHasWhatEachResponseHas() async throws {
        func head(_ status: Int, _ headers: [(name: String, value: String)] = []) -> String {
            String(decoding: HTTPText.head(status, headers, .none, isLast: false, date: "now"), as: UTF8.self)
        }
        #expect(head(200) == "HTTP/1.1 200 OK\r\nDate: now\r\n\r\n")
        #expect(head(299, [("date", "then")]) == "HTTP/1.1 299 \r\ndate: then\r\n\r\n")
        try await RunningHost.play { host in
            var lengths: [String] = []
            for method in ["GET", "HEAD"] {
                let client = try host.client()
                await client.write("\(method) /v1/accounts HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                let text = await client.read()
                #expect(text.hasPrefix("HTTP/1.1 401 Unauthorized\r\nDate: "), "\(text)")
                #expect(text.contains("\r\nWWW-Authenticate: Bearer realm=\"Bank\"\r\n"), "\(text)")
                #expect(text.hasSuffix("\r\n\r\n") == (method == "HEAD"))
                lengths += text.components(separatedBy: "\r\n").filter { $0.hasPrefix("Content-Length: ") }
            }
            #expect(lengths.count == 2 && lengths[0] == lengths[1] && lengths[0] != "Content-Length: 0", "\(lengths)")
        }
    }

    @Test func idleConnectionsAreClosed() async throws {
        var limits = ConnectionLimits()
        limits.idle = .milliseconds(500)
        try await RunningHost.play(limits) { host in
            let clients = try (0..<40).map { _ in try host.client() }
            for client in clients.enumerated() where client.offset.isMultiple(of: 2) {
                await client.element.write("GET /v1/acc")
            }
            for client in clients { #expect(await client.read() == "") }
            try await RunningHost.expectIsAlive(host)
        }
    }

    @Test func failuresOfTheWireAreOnTheWire() async throws {
        try await RunningHost.play { host in
            func send(_ failure: String) async throws -> String {
                let client = try host.client()
                await client.write(
                    "POST /v1/sessions HTTP/1.1\r\nHost: a\r\nErrand-Mock: \(failure)\r\nConnection: close\r\nContent-Length: \(RunningHost.login.utf8.count)\r\n\r\n\(RunningHost.login)"
                )
                return await client.read()
            }
            #expect(try await send("cut-before") == "")
            #expect(try await send("cut-after") == "")
            let trickled = try await send("trickle=2000, cut-inside")
            #expect(trickled.hasPrefix("HTTP/1.1 200 OK\r\n") && !trickled.hasSuffix("}}"))
            let inside = try await send("cut-inside")
            #expect(inside.hasPrefix("HTTP/1.1 200 OK\r\n") && !inside.hasSuffix("}}"))
            // Without a body, the cut is inside the head: a whole head would be a whole response.
            let client = try host.client()
            await client.write("HEAD /v1/accounts HTTP/1.1\r\nHost: a\r\nErrand-Mock: cut-inside\r\n\r\n")
            let cut = await client.read()
            #expect(cut.hasPrefix("HTTP/1.1 401 ") && !cut.hasSuffix("\r\n\r\n"), "\(cut)")
            let start = ContinuousClock.now
            #expect(try await send("slow=300ms").hasSuffix("}}"))
            #expect(ContinuousClock.now - start >= .milliseconds(300))
            #expect(try await send("trickle=1000").hasSuffix("}}"))
        }
    }

    @Test func aPortInUseIsNamed() async throws {
        try await RunningHost.play { host in
            let contract = await host.host.contract
            #expect(throws: MockHost.StartError.portInUse(host.host.port)) {
                try MockHost(
                    MockEngine(contract), address: "127.0.0.1", port: host.host.port, log: { _ in }, complain: { _ in })
            }
            #expect(throws: MockHost.StartError.noAddress("nowhere")) {
                try MockHost(MockEngine(contract), address: "nowhere", port: 0, log: { _ in }, complain: { _ in })
            }
        }
    }
}
