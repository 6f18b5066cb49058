import ErrandTesting
import ErrandTransportConformance
import ErrandURLSession
import Foundation
import Testing

@testable import ErrandDurable
@testable import ErrandRuntime

/// An outbox gives a command up when the service has refused it, and for no other failure.
@Suite struct OutboxRefusalTests {
    /// What something else than the service's success responds, to commands without an envelope.
    enum Obstacle: String, CaseIterable, Sendable {
        case serverFault, unavailable
        /// What the portal of a Wi-Fi network does.
        case redirect, page, followedToAPage, forbiddenPage, untrustedPortal
        case refusalFromAbroad, emptyRefusal, proxyAsksForCredentials, unexpectedSuccess
        case refusal, declaredRefusal

        /// Whether the service itself has refused the command.
        var isRefusal: Bool { self == .refusal || self == .declaredRefusal }
        /// Whether nothing was carried out for certain.
        var isNever: Bool {
            switch self {
            case .forbiddenPage, .untrustedPortal, .emptyRefusal, .proxyAsksForCredentials: true
            default: isRefusal
            }
        }

        func response(to request: TransportRequest) throws(TransportFault) -> TransportResponse {
            let portal = "https://portal.example/login"
            let html = ["Content-Type": "text/html; charset=utf-8"] as HTTPHeaders
            let page = Array("\n<!doctype html><title>Welcome</title>".utf8)
            if request.url == portal {
                return self == .followedToAPage
                    ? TransportResponse(status: 200, headers: html, body: page)
                    : TransportResponse(status: 409, body: Array("{}".utf8))
            }
            switch self {
            case .serverFault: return TransportResponse(status: 500)
            case .unavailable: return TransportResponse(status: 503)
            case .redirect: return TransportResponse(status: 302, headers: ["Location": portal])
            case .page: return TransportResponse(status: 200, headers: html, body: page)
            case .followedToAPage, .refusalFromAbroad:
                return TransportResponse(status: 307, headers: ["Location": portal])
            case .forbiddenPage: return TransportResponse(status: 403, headers: html, body: page)
            case .untrustedPortal: throw TransportFault(.tls, evidence: .notSent)
            case .emptyRefusal: return TransportResponse(status: 404)
            case .proxyAsksForCredentials: return TransportResponse(status: 407, headers: html, body: page)
            case .unexpectedSuccess: return TransportResponse(status: 304)
            case .refusal: return TransportResponse(status: 422, body: Array(#"{"reason":"no"}"#.utf8))
            case .declaredRefusal: return TransportResponse(status: 409, headers: html, body: page)
            }
        }
    }

    private static let patient = OutboxSettings(
        pause: RetryRule(attempts: .max, base: .seconds(600), cap: .seconds(600)))

    /// The reason of a command after its first run with an obstacle.
    private func reason(_ command: some Posting, _ obstacle: Obstacle) async throws -> OutboxEntry.Reason? {
        let world = OutboxWorld { _, _ in
            .ends { request throws(TransportFault) in try obstacle.response(to: request) }
        }
        let app = try await world.launch(settings: Self.patient)
        let id = try await app.outbox.submit(command)
        #expect(await app.wait { $0.first?.failure != nil })
        let entry = app.outbox.entries.first { $0.id == id }
        let isSettled = entry?.state == .settled
        #expect(isSettled == (entry?.reason != .failedForNow), "\(entry as Any)")
        return entry?.reason
    }

    @Test(arguments: Obstacle.allCases) func aCommandWaitsUntilTheServiceRefusesIt(_ obstacle: Obstacle) async throws {
        let wanted: OutboxEntry.Reason = obstacle.isRefusal ? .failed : .failedForNow
        #expect(try await reason(PostOffice.MoveIn(text: "a"), obstacle) == wanted)
        #expect(try await reason(PostOffice.Look(text: "a"), obstacle) == wanted)
        #expect(try await reason(PostOffice.SendLetter(text: "a"), obstacle) == wanted)
        #expect(
            try await reason(PostOffice.PrintStamp(text: "a"), obstacle) == (obstacle.isNever ? wanted : .unconfirmed))
    }

    /// A letter waits in its lane, and those after it, until the portal is gone.
    @Test(arguments: Obstacle.allCases.filter { !$0.isRefusal })
    func aLaneWaitsAndGoesOn(_ obstacle: Obstacle) async throws {
        let isThere = LockedState { true }
        let world = OutboxWorld { _, _ in
            isThere.withLock { $0 }
                ? .ends { request throws(TransportFault) in try obstacle.response(to: request) } : .arrives
        }
        let app = try await world.launch()
        for text in ["a", "b", "c"] { try await app.outbox.submit(PostOffice.SendLetter(text: text)) }
        #expect(await app.wait { _ in world.seen.requests > 20 })
        #expect(app.outbox.entries.allSatisfy { $0.state != .settled } && app.outbox.entries.count == 3)
        isThere.withLock { $0 = false }
        #expect(await app.wait { $0.isEmpty })
        #expect(world.seen.order == ["a", "b", "c"])
    }

    /// The lifetime ends what no service has refused.
    @Test func aCommandThatNobodyRefusesExpires() async throws {
        let world = OutboxWorld { _, _ in .ends { _ throws(TransportFault) in TransportResponse(status: 500) } }
        let app = try await world.launch(settings: Self.patient)
        try await app.outbox.submit(PostOffice.MoveIn(text: "a"))
        #expect(await app.wait { $0.first?.reason == .failedForNow })
        await app.outbox.close()
        world.pass(8 * 86_400)
        let next = try await world.launch()
        #expect(await next.settle())
        #expect(next.outbox.entries.map(\.reason) == [.expired])
    }

    /// A body that says nothing isn't a page: PHP calls each one `text/html`.
    @Test(arguments: ["", "ok"]) func aShortTextIsNoPage(_ text: String) async throws {
        let world = OutboxWorld { _, _ in
            .ends { _ in
                TransportResponse(
                    status: 200, headers: ["Content-Type": "text/html"], body: Array(text.utf8))
            }
        }
        let app = try await world.launch()
        try await app.outbox.submit(PostOffice.MoveIn(text: "a"))
        #expect(await app.wait { $0.isEmpty })
    }

    // MARK: With an envelope

    struct Answer: Sendable, CustomTestStringConvertible {
        let status: Int
        let body: String
        /// Nil for a command that is delivered.
        let reason: OutboxEntry.Reason?
        var testDescription: String { "\(status) \(body)" }
    }

    @Test(arguments: [
        Answer(status: 422, body: #"{"error":{"code":"full"}}"#, reason: .failed),
        Answer(status: 404, body: #"{"error":{}}"#, reason: .failed),
        // A gateway has another form, and one that is down has a page or nothing.
        Answer(status: 404, body: #"{"detail":"no route"}"#, reason: .failedForNow),
        Answer(status: 404, body: #"{"error":null}"#, reason: .failedForNow),
        Answer(status: 403, body: "<html>", reason: .failedForNow),
        Answer(status: 403, body: "", reason: .failedForNow),
        // A failure without a status of one may end at another time.
        Answer(status: 200, body: #"{"error":{"code":"busy"}}"#, reason: .failedForNow),
        Answer(status: 500, body: #"{"error":{"code":"broken"}}"#, reason: .failedForNow),
        Answer(status: 200, body: "<html>", reason: .failedForNow),
        Answer(status: 200, body: #"{"number":"#, reason: .failedForNow),
        // It was carried out, although this version of the app can't read the response.
        Answer(status: 200, body: #"{"number":"one"}"#, reason: nil),
    ])
    func theEnvelopeTellsWhoHasRefused(_ answer: Answer) async throws {
        let world = OutboxWorld { _, _ in
            .ends { _ in TransportResponse(status: answer.status, body: Array(answer.body.utf8)) }
        }
        let app = try await world.launch(settings: Self.patient)
        var results = app.outbox.completions(of: PostOffice.Sign.self).makeAsyncIterator()
        try await app.outbox.submit(PostOffice.Sign(text: "a"))
        #expect(await app.wait { $0.first?.failure != nil || $0.isEmpty })
        #expect(app.outbox.entries.first?.reason == answer.reason)
        guard answer.reason == nil else { return }
        guard case .failure(let failure)? = await results.next()?.result else {
            Issue.record("a response that can't be read was a result")
            return
        }
        #expect(failure.context.name == "malformed" && failure.context.applied == .yes)
    }

    // MARK: Over sockets

    /// A portal in front of the server, in both of its forms, and a server that comes back.
    @Test(arguments: ["302 Found", "200 OK"]) func aPortalEndsNoCommand(_ status: String) async throws {
        let isPortal = LockedState { true }
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil {
                if isPortal.withLock({ $0 }) {
                    connection.respond(
                        status, "Location: http://127.0.0.1:9/login\r\nContent-Type: text/html\r\n",
                        "<html><body>Log in to the network.</body></html>")
                } else {
                    connection.respond("200 OK", "Content-Type: application/json\r\n", #"{"number":1}"#)
                }
            }
        }
        let session = Session(tokens: SessionTokens(access: "a", identity: "ada"))
        let office = PostOffice(
            binding: ServiceBinding(
                PostOffice.service, server: server.url, on: Dispatcher(transport: URLSessionTransport()),
                session: session))
        let pause = RetryRule(attempts: .max, base: .milliseconds(1), cap: .milliseconds(2))
        let outbox = try await Outbox(of: office, in: MemoryOutboxStore(), settings: OutboxSettings(pause: pause))
        let app = OutboxWorld.App(session: session, outbox: outbox, life: ProcessLife())
        for number in 1...5 { try await outbox.submit(PostOffice.Sign(text: "\(number)")) }
        for number in 6...7 { try await outbox.submit(PostOffice.SendLetter(text: "\(number)")) }
        #expect(await app.wait { _ in server.requests.count >= 30 })
        #expect(outbox.entries.count == 7 && outbox.entries.allSatisfy { $0.state != .settled })
        isPortal.withLock { $0 = false }
        #expect(await app.wait { $0.isEmpty })
        await outbox.close()
    }
}
