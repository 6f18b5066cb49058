import ErrandRuntime
import ErrandTransport
import ErrandTransportConformance
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client that asks for one page.
private struct Page: ServiceClient {
    var binding: ServiceBinding
    static let service = ServiceDescription(
        name: "Page", version: "1", session: SessionPlacement(header: "Authorization", prefix: "Bearer "))

    struct Read: ErrandRuntime.Command {
        typealias Service = Page
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Page.service, "read", .get, effect: .read, session: .optional, retry: RetryRule(attempts: 1),
            response: .bytes)
        func encode(into request: inout RequestEncoder) { request.path("/page") }
    }

    init(_ server: RawServer, _ dispatcher: Dispatcher = Dispatcher(), token: String? = nil) async {
        let session = Session()
        if let token { await session.begin(SessionTokens(access: token)) }
        binding = ServiceBinding(Self.service, server: server.url, on: dispatcher, session: session)
    }

    func fault() async throws -> CommandFault {
        guard case .failure(let fault) = await result(of: Read()) else { throw Succeeded() }
        return fault
    }

    struct Succeeded: Error {}
}

/// What holds for the commands of an app that has set nothing, and that its settings reach the wire.
@Suite(.serialized) struct DefaultLimitTests {
    private func circle() throws -> RawServer {
        try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.respond("302 Found", "Location: /page\r\n") }
        }
    }

    @Test func redirectsEnd() async throws {
        let server = try circle()
        #expect(try await Page(server).fault().context.status == 302)
        #expect(server.requests.count == 6)
        let patient = try circle()
        let dispatcher = Dispatcher(settings: DispatcherSettings(maximumRedirects: 2))
        #expect(try await Page(patient, dispatcher).fault().context.status == 302)
        #expect(patient.requests.count == 3)
    }

    @Test func aSessionStaysWithItsOrigin() async throws {
        let other = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.respond("200 OK", "", "other") }
        }
        let target = other.url + "/page"
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.respond("302 Found", "Location: \(target)\r\n") }
        }
        #expect(try await Page(server, token: "c4nary").send(Page.Read()) == Array("other".utf8))
        #expect(server.requests.first?.contains("Authorization: Bearer c4nary") == true)
        #expect(other.requests.count == 1)
        #expect(!other.requests.contains { $0.contains("c4nary") })
    }

    @Test func anAnswerHasALimit() async throws {
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil {
                connection.respond("200 OK", "", String(repeating: "x", count: 100))
            }
        }
        let small = Dispatcher(settings: DispatcherSettings(maximumResponseSize: 99))
        let fault = try await Page(server, small).fault()
        #expect(fault.kind == .malformed)
        #expect((fault.context.underlying as? TransportFault)?.kind == .oversized)
        let large = Dispatcher(settings: DispatcherSettings(maximumResponseSize: 100))
        #expect(try await Page(server, large).send(Page.Read()).count == 100)
    }

    /// Neither those of the server are kept, nor those of the app's other requests sent.
    @Test func thereAreNoCookies() async throws {
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil {
                connection.respond("200 OK", "Set-Cookie: served=1; Path=/\r\n", "x")
            }
        }
        let shared = HTTPCookieStorage.shared
        let cookie = try #require(
            HTTPCookie(properties: [
                .name: "shared", .value: "c4nary", .domain: "127.0.0.1", .path: "/",
                .expires: Date().addingTimeInterval(600),
            ]))
        shared.setCookie(cookie)
        defer { shared.deleteCookie(cookie) }
        let url = try #require(URL(string: server.url))
        // The storage would send it: the test checks the correct storage.
        #expect(shared.cookies(for: url)?.contains { $0.name == "shared" } == true)
        let page = await Page(server)
        for _ in 0..<2 { _ = try await page.send(Page.Read()) }
        #expect(server.requests.count == 2)
        #expect(!server.requests.contains { $0.lowercased().contains("cookie") })
        #expect(shared.cookies?.contains { $0.name == "served" } == false)
    }
}
