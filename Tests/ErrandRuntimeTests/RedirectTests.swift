import ErrandTesting
import Foundation
import TestShelf
import Testing

@testable import ErrandRuntime

/// Where redirects are followed, what goes along, and what the response says about the first place. The dispatcher follows them
/// for each transport.
@Suite(.overSocketsToo, .timeLimit(.minutes(2))) struct RedirectTests {
    private static func redirect(_ status: Int, to url: String) -> TransportResponse {
        .json(status, "", ["Location": url])
    }

    /// Sends something else than it was given.
    private struct Change: Interceptor {
        let change: @Sendable (inout TransportRequest) -> Void
        func intercept(
            _ request: TransportRequest,
            next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
        ) async throws(TransportFault) -> TransportResponse {
            var request = request
            change(&request)
            return try await next(request)
        }
    }

    /// Makes a response of its own from the one that came, or a fault.
    private struct Copy: Interceptor {
        func intercept(
            _ request: TransportRequest,
            next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
        ) async throws(TransportFault) -> TransportResponse {
            do throws(TransportFault) {
                let response = try await next(request)
                return TransportResponse(status: response.status, headers: response.headers, body: response.body)
            } catch {
                throw TransportFault(error.kind, evidence: error.evidence)
            }
        }
    }

    private func names(_ request: TransportRequest) -> Set<String> {
        Set(request.headers.fields.map { $0.name.lowercased() }).subtracting([
            "accept", "accept-encoding", "accept-language", "range", "if-range", "host", "connection", "user-agent",
            "content-length", "content-type",
        ])
    }

    // MARK: What goes along

    /// Of the contract, of the caller, of the session and of an interceptor.
    @Test(arguments: [301, 302, 303, 307, 308]) func onlyOpenHeadersLeaveTheOrigin(status: Int) async throws {
        let transport = ScriptedTransport.scripted { _, number in
            switch number {
            case 1: Self.redirect(status, to: "/v1/moved")
            case 2: Self.redirect(status, to: "https://other.example/file")
            case 3: Self.redirect(status, to: "https://home.example/back")
            default: .json(200, "here")
            }
        }
        let session = Session()
        await session.begin(SessionTokens(access: "token-canary"))
        let key = Change { $0.headers.set("X-Key", "key-canary") }
        let relay = Relay(transport, interceptors: [key], session: session).with {
            $0.headers = ["X-Api-Key": "caller-canary", "Accept-Language": "de", "Range": "bytes=0-9"]
        }
        #expect(try await relay.send(Relay.Read()) == Array("here".utf8))
        let requests = transport.requests
        #expect(requests.count == 4)
        let all: Set = ["x-plain", "x-device", "authorization", "x-key", "x-api-key"]
        #expect(names(requests[0]) == all && names(requests[1]) == all)
        for request in requests.dropFirst(2) {
            #expect(names(request).isEmpty, "\(request.headers)")
            #expect(request.headers["Accept"] == "image/png" && request.headers["Accept-Language"] == "de")
            #expect(request.headers["Range"] == "bytes=0-9")
        }
        #expect(requests.allSatisfy { $0.maximumRedirects == 0 }, "a transport follows none")
    }

    @Test func aWholeURLGetsWhatTheContractHasForIt() async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(200, "") }
        let session = Session()
        await session.begin(SessionTokens(access: "token-canary"))
        let key = Change {
            $0.headers.set("X-Key", "key-canary")
            if $0.isForeign { $0.headers.set("X-Signature", "signed", isForURL: true) }
        }
        let relay = Relay(transport, interceptors: [key], session: session).with { $0.headers = ["X-Api-Key": "c"] }
        for url in ["https://other.example/up", "https://home.example/up"] {
            _ = try await relay.send(Relay.Put(url: try #require(URL(string: url))))
        }
        let requests = transport.requests
        #expect(names(requests[0]) == ["x-amz-acl", "x-signature"], "\(requests[0].headers)")
        #expect(requests[0].headers["Content-Type"] != nil && requests[0].body == Array("a=b".utf8))
        #expect(names(requests[1]) == ["x-amz-acl", "x-key", "x-api-key"], "\(requests[1].headers)")
    }

    /// An interceptor that sends a request elsewhere decides what it takes along.
    @Test func anInterceptorMayMoveTheService() async throws {
        let transport = ScriptedTransport.scripted { _, number in
            number == 1 ? Self.redirect(302, to: "https://home.example/v1/file") : .json(200, "")
        }
        let mirror = Change { $0.url = "https://mirror.example/v1/file" }
        _ = try await Relay(transport, interceptors: [mirror]).send(Relay.Read())
        #expect(names(transport.requests[0]) == ["x-plain", "x-device", "authorization"])
        #expect(names(transport.requests[1]).isEmpty, "the way back is a way to another origin")
    }

    @Test(arguments: ["http://home.example/v1/file", "http://other.example/", "https://u:p@other.example/", "data:,x"])
    func theseAreNotFollowed(target: String) async throws {
        let transport = ScriptedTransport.scripted { _, _ in Self.redirect(302, to: target) }
        let result = await Relay(transport).result(of: Relay.Read())
        guard case .failure(.fault(let fault)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(fault.kind == .malformed && fault.context.status == 302)
        #expect(transport.requests.count == 1)
    }

    /// `redirects` of the contract comes before the dispatcher's setting, which is 5.
    @Test(arguments: [1, 5, 6, 7, 8]) func theContractSaysHowMany(length: Int) async throws {
        let transport = ScriptedTransport.scripted { _, number in
            number > length ? .json(200, "here") : Self.redirect(302, to: "/hop/\(number)")
        }
        let result = await Relay(transport).result(of: Relay.Winding())
        #expect(transport.requests.count == min(length, 7) + 1)
        #expect((try? result.get()) == (length <= 7 ? Array("here".utf8) : nil))
    }

    @Test func theContractFollowsNone() async throws {
        let transport = ScriptedTransport.scripted { _, _ in Self.redirect(302, to: "/hop") }
        guard case .failure(.fault(let fault)) = await Relay(transport).result(of: Relay.Direct()) else {
            Issue.record("a redirect was followed")
            return
        }
        #expect(fault.kind == .malformed && fault.context.status == 302)
        #expect(transport.requests.count == 1)
    }

    // MARK: Pages

    /// A link is relative to the place that the page came from (RFC 8288 section 3.2).
    @Test func aLinkIsRelativeToTheRedirect() async throws {
        let transport = ScriptedTransport.scripted { _, number in
            switch number {
            case 1: return Self.redirect(307, to: "/v2/list/")
            case 2:
                var page = TransportResponse.json(200, #"{"items":[1]}"#)
                page.headers.append("Link", "<more>; rel=next")
                return page
            default: return .json(200, #"{"items":[2]}"#)
            }
        }
        let shelf = PagedShelf(
            on: Dispatcher(transport: transport, environment: DispatcherEnvironment(clock: InstantClock())))
        var all: [Int] = []
        for try await element in shelf.elements(of: PagedShelf.ByLink()) { all.append(element) }
        #expect(all == [1, 2])
        #expect(transport.requests.last?.url == "https://shelf.example/v2/list/more")
    }

    /// A page of another origin does not lead a command with a session anywhere.
    @Test func aLinkOfAnotherOriginIsForeignEvenBackHome() async throws {
        let transport = ScriptedTransport.scripted { _, number in
            if number == 1 { return Self.redirect(307, to: "https://other.example/list") }
            var page = TransportResponse.json(200, #"{"items":[\#(number)]}"#)
            if number == 2 { page.headers.append("Link", "<https://shelf.example/v1/transfer>; rel=next") }
            return page
        }
        let session = Session()
        await session.begin(SessionTokens(access: "t0ken"))
        let dispatcher = Dispatcher(transport: transport, environment: DispatcherEnvironment(clock: InstantClock()))
        let refusing = PagedShelf(on: dispatcher)
        await #expect(throws: CommandFault.self) {
            for try await _ in refusing.elements(of: PagedShelf.ByLink()) {}
        }
        #expect(transport.requests.count == 2)
    }

    // MARK: Redirects that are responses

    @Test func aRowForARedirectIsMet() async throws {
        let transport = ScriptedTransport.scripted { _, _ in Self.redirect(302, to: "/elsewhere") }
        for interceptors in [[], [Change { $0 = TransportRequest(method: .get, url: $0.url) }]] {
            let result = await Relay(transport, interceptors: interceptors).result(of: Relay.Find())
            guard case .failure(.named("found", let context)) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(context.headers["Location"] == "/elsewhere")
        }
        #expect(transport.requests.count == 2)
    }

    @Test func otherRedirectsAreFollowed() async throws {
        let transport = ScriptedTransport.scripted { _, number in
            switch number {
            case 1: Self.redirect(301, to: "/two")
            case 2: Self.redirect(307, to: "/three")
            default: Self.redirect(302, to: "/four")
            }
        }
        let result = await Relay(transport).result(of: Relay.Find())
        guard case .failure(.named("found", _)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(transport.requests.map(\.url).last == "https://home.example/three" && transport.requests.count == 3)
    }

    @Test func a304WithoutARowIsMalformed() async throws {
        let transport = ScriptedTransport.scripted { _, _ in Self.redirect(304, to: "/elsewhere") }
        #expect(await Relay(transport).result(of: Relay.Find()).failureName == "malformed")
        #expect(transport.requests.count == 1)
    }

    // MARK: What is known of the first place

    /// Whatever the contract says of the other place's response: nothing, that it was not carried out, that it is final.
    @Test(arguments: [307, 308], [401, 409, 425, 429, 503])
    func aCommandThatWasRedirectedIsOpen(status: Int, answer: Int) async throws {
        for interceptors: [any Interceptor] in [[], [Copy()]] {
            let transport = ScriptedTransport.scripted { request, _ in
                request.url.hasSuffix("/elsewhere") ? .json(answer, "") : Self.redirect(status, to: "/elsewhere")
            }
            let relay = Relay(transport, interceptors: interceptors)
            let once = await relay.result(of: Relay.Once())
            #expect(once.failureName == "unconfirmed" && once.applied == .maybe, "\(once)")
            #expect(transport.requests.count == 2)
            let keyed = await relay.result(of: Relay.Keyed())
            #expect(keyed.failureName == "unconfirmed" && keyed.applied == .maybe, "\(keyed)")
        }
    }

    @Test(arguments: [TransportFault.Kind.refused, .lost])
    func aFaultOfTheOtherPlaceLeavesItOpen(kind: TransportFault.Kind) async throws {
        for interceptors: [any Interceptor] in [[], [Copy()]] {
            let transport = ScriptedTransport.scripted { request, _ throws(TransportFault) in
                guard request.url.hasSuffix("/elsewhere") else { return Self.redirect(307, to: "/elsewhere") }
                throw TransportFault(kind, evidence: kind == .refused ? .notSent : .sent)
            }
            let once = await Relay(transport, interceptors: interceptors).result(of: Relay.Once())
            #expect(once.failureName == "unconfirmed" && once.applied == .maybe, "\(once)")
            #expect(transport.requests.count == 2)
        }
    }

    /// The attempt after it counts for itself: with the same key, the service itself says what became of all.
    @Test func whatTheFirstPlaceSaysLaterCounts() async throws {
        let transport = ScriptedTransport.scripted { _, number in
            switch number {
            case 1: Self.redirect(307, to: "/elsewhere")
            case 2: .json(503, "")
            default: .json(409, "")
            }
        }
        let keyed = await Relay(transport).result(of: Relay.Keyed())
        #expect(keyed.failureName == "full", "\(keyed)")
        #expect(transport.requests.count == 3)
    }

    /// A read and what may be repeated say what the other place says.
    @Test func aReadIsNotOpen() async throws {
        let transport = ScriptedTransport.scripted { request, _ in
            request.url.hasSuffix("/elsewhere") ? .json(409, "") : Self.redirect(307, to: "/elsewhere")
        }
        let read = await Relay(transport).result(of: Relay.Find())
        #expect(read.failureName == "full" && read.applied == .never, "\(read)")
    }
}

/// A stream that takes effect once, over a redirect. An element that says that nothing was carried out is not about the first
/// place.
@Suite(.timeLimit(.minutes(1))) struct RedirectedStreamTests {
    @Test func anElementThatFailsLeavesItOpen() async throws {
        let transport = ScriptedTransport { request, _ in
            guard request.url.hasSuffix("/elsewhere") else {
                return TransportResponse(status: 307, headers: ["Location": "/elsewhere"])
            }
            let text = "data: {\"error\":{\"code\":\"busy\"}}\n\n"
            let rest = LockedState<[UInt8]?> { Array(text.utf8) }
            let body = StreamedBody { () async throws(TransportFault) -> [UInt8]? in
                rest.withLock { rest in
                    defer { rest = nil }
                    return rest
                }
            }
            return TransportResponse(status: 200, headers: ["Content-Type": "text/event-stream"], stream: body)
        }
        let feed = Feed(Dispatcher(transport: transport, environment: DispatcherEnvironment(clock: InstantClock())))
        var iterator = feed.stream(Feed.Ask()).makeAsyncIterator()
        do throws(Feed.Failure) {
            while try await iterator.next() != nil {}
            Issue.record("it ended well")
        } catch {
            #expect(error.context.name == "unconfirmed" && error.context.applied == .maybe, "\(error)")
        }
        #expect(transport.requests.count == 2)
    }
}

extension Result where Failure: CommandFailure {
    /// The name of the error that it failed with.
    fileprivate var failureName: String? {
        if case .failure(let failure) = self { failure.context.name } else { nil }
    }
}
