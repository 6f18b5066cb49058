import Foundation
import JSONTree
import MockServer
import Testing

@testable import MockHost

/// What is behind the page in the browser: the page, its state, its switches, and the live log.
@Suite struct BrowserPageTests {
    private func withHost(
        playing contract: String = "bank", _ body: (RunningHost) async throws -> Void
    ) async throws {
        let host = try RunningHost(playing: contract)
        do {
            try await body(host)
        } catch {
            await host.stop()
            throw error
        }
        await host.stop()
    }

    /// The status and the body of a response.
    private func send(
        _ host: RunningHost, _ method: String, _ path: String, _ body: String? = nil, host name: String? = nil,
        _ headers: String = ""
    ) async throws -> (status: Int, body: String) {
        let client = try host.client()
        let content =
            body.map { "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n\r\n\($0)" } ?? "\r\n"
        await client.write(
            "\(method) \(path) HTTP/1.1\r\nHost: \(name ?? "127.0.0.1:\(host.host.port)")\r\nConnection: close\r\n\(headers)\(content)"
        )
        let text = await client.read()
        let parts = text.components(separatedBy: "\r\n\r\n")
        return (
            Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0,
            parts.dropFirst().joined(separator: "\r\n\r\n")
        )
    }

    private func state(_ host: RunningHost) async throws -> JSONNode {
        let text = try await send(host, "GET", "/_errand/state").body
        return try #require(JSONNode.parsed(Array(text.utf8)))
    }

    @Test func thePageNeedsNothingFromOutside() async throws {
        try await withHost { (host: RunningHost) async throws in
            let page = try await send(host, "GET", "/_errand/")
            #expect(page.status == 200 && page.body.hasPrefix("<!doctype html>"))
            for word in ["http://", "https://", "//cdn", "@import", "<link rel=\"stylesheet\""] {
                #expect(!page.body.contains(word), "\(word)")
            }
            #expect(try await send(host, "GET", "/_errand").status == 307)
            #expect(try await send(host, "GET", "/_errand/nothing").status == 404)
        }
    }

    @Test func framesHaveSwitchesAndEventsHaveButtons() async throws {
        try await withHost(playing: "presence") { (host: RunningHost) async throws in
            let state = try await state(host)
            #expect(state["events"]?.elements == [.string("notice"), .string("statusChanged")])
            let endpoints = try #require(state["endpoints"]?.elements)
            let kinds = endpoints.prefix(2).map { "\($0["method"]?.scalarText ?? "") \($0["path"]?.scalarText ?? "")" }
            #expect(kinds == ["GET /v1", "-> login"])
            let post = { (path: String, body: String) in try await send(host, "POST", path, body).status }
            #expect(try await post("/_errand/event", #"{"name":"notice"}"#) == 204)
            #expect(try await post("/_errand/event", #"{"name":"dance"}"#) == 422)
            let follow = #"{"endpoint":"follow","failure":"close=1013"}"#
            #expect(try await post("/_errand/switch", follow) == 204)
            #expect(try await post("/_errand/switch", #"{"endpoint":"handshake","failure":"roomFull"}"#) == 422)
            #expect(try await post("/_errand/switch", #"{"endpoint":"handshake","failure":"throttled"}"#) == 204)
            // The handshake of the page itself is no connection of the service.
            #expect(try await send(host, "GET", "/_errand/").status == 200)
        }
    }

    @Test func switchesAndDialsChangeTheService() async throws {
        try await withHost { (host: RunningHost) async throws in
            let before = try await state(host)
            #expect(before["service"] == .string("Bank"))
            let endpoints = try #require(before["endpoints"]?.elements)
            let transfer = try #require(endpoints.first { $0["name"] == .string("transferFunds") })
            let failures = transfer["groups"]?.elements?.first?["failures"]?.elements ?? []
            #expect(failures.contains(.string("insufficientFunds")) && failures.contains(.string("needsApproval")))

            let on = try await send(host, "POST", "/_errand/switch", #"{"endpoint":"logIn","failure":"wrongPassword"}"#)
            #expect(on.status == 204)
            #expect(try await send(host, "POST", "/v1/sessions", #"{"user":"a","password":"b"}"#).status == 401)
            #expect(host.log.all.last?.name == "wrongPassword")
            #expect(try await state(host)["endpoints"]?.elements?.first?["failure"] == .string("wrongPassword"))
            #expect(
                try await send(host, "POST", "/_errand/switch", #"{"endpoint":"logIn","failure":null}"#).status == 204)

            let login = try await send(host, "POST", "/v1/sessions", #"{"user":"a","password":"b"}"#)
            let token = JSONNode.parsed(Array(login.body.utf8))?["data"]?["token"]?.scalarText ?? ""
            let session = "Authorization: Bearer \(token)\r\n"
            func accounts() async throws -> (status: Int, body: String) {
                try await send(host, "GET", "/v1/accounts", nil, host: nil, session)
            }
            #expect(try await accounts().status == 200)
            #expect(try await send(host, "POST", "/_errand/expire", "{}").status == 204)
            #expect(try await accounts().status == 401)

            #expect(try await send(host, "POST", "/_errand/dial", #"{"latency":0,"errorRate":1}"#).status == 204)
            #expect(try await accounts().status == 502)
            #expect(try await state(host)["errorRate"] == .number("1.0"))
            // Each dial alone: what the other one says is not known to the page that moves one.
            #expect(try await send(host, "POST", "/_errand/dial", #"{"latency":50}"#).status == 204)
            #expect(try await state(host)["errorRate"] == .number("1.0"))
            #expect(try await send(host, "POST", "/_errand/dial", #"{"errorRate":0.5}"#).status == 204)
            #expect(try await state(host)["latency"] == .number(50))
        }
    }

    /// Pages that were closed make no room, and none is ended for their sake.
    @Test func closedPagesDoNotCount() async throws {
        try await withHost { (host: RunningHost) async throws in
            func open() async -> AsyncStream<[UInt8]>? {
                let request = MockRequest(
                    method: "GET", path: "/_errand/events", query: "", headers: [("Host", "localhost")], body: [])
                return await host.host.pageResponse(to: request)?.events
            }
            var live = try #require(await open()).makeAsyncIterator()
            _ = await live.next()
            for _ in 0..<40 { _ = await open() }
            _ = try await send(host, "GET", "/nothing")
            var text = ""
            while !text.contains("GET /nothing"), let event = await live.next() {
                text += String(decoding: event, as: UTF8.self)
            }
            #expect(text.contains("GET /nothing"), "\(text)")
        }
    }

    @Test func theLogIsLive() async throws {
        try await withHost { (host: RunningHost) async throws in
            _ = try await send(host, "GET", "/v1/accounts")
            let page = try host.client()
            await page.write("GET /_errand/events HTTP/1.1\r\nHost: localhost:\(host.host.port)\r\n\r\n")
            let first = await page.read(until: "\"isOld\":true")
            #expect(first.contains("Content-Type: text/event-stream") && first.contains("event: restart"))
            #expect(first.contains("listAccounts  401"))
            _ = try await send(host, "GET", "/nothing")
            let next = await page.read(until: "\"isOld\":false")
            #expect(
                next.contains("no endpoint has this path") || next.contains("no endpoint with this path"), "\(next)")
            // The requests of the page itself are not in the log.
            #expect(host.log.all.count == 2)
        }
    }

    /// A page whose connection was cut gets the requests that it has missed, and each only once.
    @Test func aPageThatReconnectsLosesNothing() async throws {
        try await withHost { (host: RunningHost) async throws in
            func events(after last: String?, until end: String) async throws -> String {
                let page = try host.client()
                let header = last.map { "Last-Event-ID: \($0)\r\n" } ?? ""
                await page.write("GET /_errand/events HTTP/1.1\r\nHost: localhost:\(host.host.port)\r\n\(header)\r\n")
                return await page.read(until: end)
            }
            _ = try await send(host, "GET", "/first")
            let before = try await events(after: nil, until: "/first")
            let mark = try #require(before.range(of: "id: "))
            let first = before[mark.upperBound...].prefix { !$0.isNewline }
            for name in ["second", "third"] { _ = try await send(host, "GET", "/\(name)") }
            let missed = try await events(after: String(first), until: "/third")
            #expect(missed.contains("/second") && !missed.contains("/first") && !missed.contains("event: restart"))
            #expect(!missed.contains("\"isOld\":true"), "the page has not counted them yet")
            // The number is of another run of the server.
            let anew = try await events(after: "another-1", until: "/third")
            #expect(anew.contains("event: restart") && anew.contains("/first"))
        }
    }

    @Test func pagesOfStrangersChangeNothing() async throws {
        try await withHost { (host: RunningHost) async throws in
            let origin = "Origin: https://stranger.example\r\n"
            #expect(try await send(host, "POST", "/_errand/expire", "{}", host: nil, origin).status == 403)
            #expect(try await send(host, "GET", "/_errand/state", nil, host: "stranger.example").status == 403)
            // A form sends no JSON, and needs no permission of the browser.
            #expect(try await send(host, "POST", "/_errand/expire").status == 415)
            #expect(try await send(host, "POST", "/_errand/expire", "no JSON").status == 415)
        }
    }

    @Test func theOwnNamesOpenThePage() {
        func isAllowed(
            _ host: String?, _ headers: [(String, String)] = [], at address: String = "0.0.0.0", isPage: Bool = false
        ) -> Bool {
            let hosts = host.map { [("Host", $0)] } ?? []
            let request = MockRequest(
                method: "GET", path: "/_errand/state", headers: (hosts + headers).map { (name: $0.0, value: $0.1) })
            return PageAccess(address: address).allows(request, isPage: isPage)
        }
        for name in ["127.0.0.1:8080", "127.0.0.2", "LocalHost:1", "192.168.1.7:8080", "[::1]:8080", "[fe80::1]"] {
            for address in ["127.0.0.1", "127.0.0.2", "0.0.0.0"] {
                #expect(isAllowed(name, at: address), "\(name) at \(address)")
            }
        }
        // A name of a stranger may lead here (DNS rebinding).
        for name in [
            nil, "", "stranger.example", "127.0.0.1.stranger.example", "localhost.stranger.example:8080", "1.2.3",
            "1.2.3.4.5",
            "+1.2.3.4", "256.1.1.1", "[stranger]", "::1",
        ] { #expect(!isAllowed(name), "\(name ?? "none")") }
        for site in ["cross-site", "same-site"] {
            #expect(!isAllowed("localhost", [("Sec-Fetch-Site", site)]))
            #expect(isAllowed("localhost", [("Sec-Fetch-Site", site)], isPage: true))
        }
        for site in ["same-origin", "none"] { #expect(isAllowed("localhost", [("Sec-Fetch-Site", site)])) }
        #expect(isAllowed("localhost:80", [("Origin", "http://localhost:80")]))
        #expect(!isAllowed("localhost:80", [("Origin", "http://localhost:81")]))
    }

    @Test(arguments: [
        ("switch", #"{"endpoint":"nothing","failure":"slow"}"#),
        ("switch", #"{"endpoint":"logIn","failure":"needsApproval"}"#),
        ("dial", #"{"latency":-1,"errorRate":0}"#), ("dial", #"{"latency":1,"errorRate":2}"#),
        ("dial", #"{"latency":null}"#), ("dial", "{}"),
        ("dial", "[]"),
    ])
    func aWrongChangeIsRefused(_ action: String, _ body: String) async throws {
        try await withHost { (host: RunningHost) async throws in
            #expect(try await send(host, "POST", "/_errand/\(action)", body).status == 422)
            #expect(try await state(host)["latency"] == .number(0))
        }
    }
}
