import ErrandTesting
import Foundation
import TestShelf
import Testing

@testable import ErrandRuntime

/// Walks over lists of a server that says what it likes.
@Suite(.overSocketsToo) struct PageTests {
    private static func shelf(
        session: Session = .begun, server: String = "https://shelf.example/v1",
        _ answer: @escaping ScriptedTransport.Answer
    ) -> (PagedShelf, ScriptedTransport) {
        let transport = ScriptedTransport.scripted(answer)
        let environment = DispatcherEnvironment(
            clock: InstantClock(), wallTime: { Date(timeIntervalSince1970: 1_000_000) },
            generator: SeededGenerator(seed: 7))
        return (
            PagedShelf(
                on: Dispatcher(transport: transport, environment: environment), session: session, server: server),
            transport
        )
    }

    private static func problem(of failure: CommandFault) -> PageError? { failure.context.underlying as? PageError }

    private static func end<C: PagedCommand>(of pages: Pages<C>, after limit: Int = 1_000) async -> (
        pages: Int, fault: CommandFault?
    )
    where C.Failure == CommandFault {
        let walk = pages.makeAsyncIterator()
        var count = 0
        do throws(CommandFault) {
            while try await walk.next() != nil, count < limit { count += 1 }
            return (count, nil)
        } catch {
            return (count, error)
        }
    }

    @Test func turnsPagesByTheirNumber() async throws {
        let (shelf, transport) = Self.shelf { _, number in .json(200, #"{"items":[\#(number)],"total":3}"#) }
        let walk = shelf.pages(of: PagedShelf.ByPage()).makeAsyncIterator()
        let first = try #require(try await walk.next())
        #expect(first.elements == [1] && first.totalPages == 3 && first.totalElements == nil && !first.isLast)
        #expect(walk.totalPages == 3)
        #expect(try await walk.next()?.index == 1)
        #expect(try await walk.next()?.isLast == true)
        #expect(walk.isOver)
        #expect(try await walk.next() == nil)
        #expect(
            transport.requests.map { String($0.url.split(separator: "?").dropFirst().first ?? "") } == [
                "", "page=2", "page=3",
            ])
    }

    @Test func beginsWhereTheCommandIs() async throws {
        let (shelf, transport) = Self.shelf { _, number in
            .json(200, number < 3 ? #"{"items":[\#(number),7]}"# : #"{"items":[]}"#)
        }
        var all: [Int] = []
        for try await element in shelf.elements(of: PagedShelf.ByOffset(start: 10)) { all.append(element) }
        #expect(all == [1, 7, 2, 7])
        #expect(
            transport.requests.compactMap { $0.url.split(separator: "start=").last?.prefix(2) } == [
                "10", "12", "14",
            ])
    }

    @Test func followsLinksOfItsOwnServer() async throws {
        let (shelf, transport) = Self.shelf { request, number in
            var answer = TransportResponse.json(200, #"{"items":[\#(number)]}"#)
            if number == 1 { answer.headers.append("Link", #"<?genre=all&seen=1>; rel="next", <x>; rel=prev"#) }
            if number == 2 { answer.headers.append("Link", #"<https://shelf.example:443/other?q=1#top>; rel=next"#) }
            return answer
        }
        #expect(await Self.end(of: shelf.pages(of: PagedShelf.ByLink())).pages == 3)
        let urls = transport.requests.map(\.url)
        #expect(urls[1] == "https://shelf.example/v1/books?genre=all&seen=1")
        #expect(urls[2] == "https://shelf.example:443/other?q=1")
    }

    @Test func followsURLsInTheBody() async throws {
        let nexts = [
            #""https://shelf.example/v1/books?page=2#top""#, #""?page=3""#, #""/v1/books?page=4""#, #""""#,
        ]
        let (shelf, transport) = Self.shelf { _, number in
            .json(200, #"{"items":[\#(number)],"next":\#(nexts[number - 1])}"#)
        }
        let (pages, fault) = await Self.end(of: shelf.pages(of: PagedShelf.ByURL()))
        #expect(pages == 4 && fault == nil)
        #expect(
            transport.requests.dropFirst().map(\.url)
                == (2...4).map { "https://shelf.example/v1/books?page=\($0)" })
    }

    @Test(arguments: ["null", #""""#, nil]) func aPageWithoutAURLIsTheLast(_ next: String?) async throws {
        let member = next.map { #","next":\#($0)"# } ?? ""
        let (shelf, _) = Self.shelf { _, _ in .json(200, #"{"items":[1]\#(member)}"#) }
        let (pages, fault) = await Self.end(of: shelf.pages(of: PagedShelf.ByURL()))
        #expect(pages == 1 && fault == nil)
    }

    @Test func refusesAURLInTheBodyAtAnotherOrigin() async throws {
        let (shelf, transport) = Self.shelf { _, _ in
            .json(200, #"{"items":[1],"next":"http://127.0.0.1:8000/v1/books?page=2"}"#)
        }
        let (pages, fault) = await Self.end(of: shelf.pages(of: PagedShelf.ByURL()))
        guard pages == 0, case .foreignLink? = fault.flatMap(Self.problem) else {
            Issue.record("\(fault as Any)")
            return
        }
        #expect(transport.requests.count == 1)
    }

    /// A framework behind a proxy writes the address at which the proxy reaches it, and repeats the query, which may be masked.
    @Test func aURLIsTakenToTheOwnOrigin() async throws {
        let (shelf, transport) = Self.shelf { _, number in
            let next = number < 3 ? #""http://127.0.0.1:8000/v1/books?key=***&page=\#(number + 1)""# : "null"
            return .json(200, #"{"items":[\#(number)],"next":\#(next)}"#)
        }
        let (pages, fault) = await Self.end(of: shelf.pages(of: PagedShelf.Proxied()))
        #expect(pages == 3 && fault == nil)
        #expect(
            transport.requests.map(\.url)
                == ["?key=s3cret", "?page=2&key=s3cret", "?page=3&key=s3cret"].map {
                    "https://shelf.example/v1/books\($0)"
                })
        #expect(transport.requests.allSatisfy { $0.headers["Authorization"] == "Bearer its-token" })
    }

    /// A proxy that takes the base path away, and a page of another origin.
    @Test(arguments: ["http://127.0.0.1:8000/books?page=2", "http://127.0.0.1:8000/v12/books"])
    func aURLOutsideOfTheBasePathIsForeign(_ next: String) async throws {
        let (shelf, transport) = Self.shelf { _, _ in .json(200, #"{"items":[1],"next":"\#(next)"}"#) }
        let (pages, fault) = await Self.end(of: shelf.pages(of: PagedShelf.Proxied()))
        guard pages == 0, case .foreignLink? = fault.flatMap(Self.problem) else {
            Issue.record("\(fault as Any)")
            return
        }
        #expect(transport.requests.count == 1)
    }

    private struct CountingResponder: Responder {
        let asked: LockedState<Int>

        init(_ asked: LockedState<Int>) { self.asked = asked }

        func respond(to incident: Incident) async -> IncidentAnswer {
            asked.withLock { $0 += 1 }
            return .pass
        }
    }

    /// Nobody is told that a list has ended.
    @Test func noResponderIsAskedAboutTheEnd() async throws {
        let asked = LockedState<Int> { 0 }
        let transport = ScriptedTransport.scripted { _, number in
            number == 1 ? .json(200, #"{"items":[1],"next":"?page=2"}"#) : .json(404, "{}")
        }
        let dispatcher = Dispatcher(
            transport: transport,
            responder: CountingResponder(asked), environment: DispatcherEnvironment(clock: InstantClock()))
        let shelf = PagedShelf(on: dispatcher, session: .begun)
        let (pages, fault) = await Self.end(of: shelf.pages(of: PagedShelf.Proxied()))
        #expect(pages == 1 && fault == nil && asked.withLock { $0 } == 0)
        #expect(transport.requests.count == 2)
    }

    /// A list that has become shorter ends there. The first page must be there.
    @Test func aStatusPastTheLastPageIsTheEnd() async throws {
        for (first, later, wanted) in [(200, 404, 2), (404, 404, 0), (200, 410, 2)] {
            let (shelf, _) = Self.shelf { _, number in
                if number == 1, first != 200 { return .json(first, "{}") }
                if number == 3 { return .json(later, "{}") }
                return .json(200, #"{"items":[\#(number)],"next":"?page=\#(number + 1)"}"#)
            }
            let (pages, fault) = await Self.end(of: shelf.pages(of: PagedShelf.Proxied()))
            #expect(pages == wanted)
            #expect(fault?.context.status == (later == 404 && first == 200 ? nil : first == 404 ? 404 : 410))
        }
    }

    @Test(arguments: [
        "https://evil.example/books", "http://shelf.example/v1/books", "//evil.example/", "https://shelf.example:8443/",
        "https://shelf.example.evil.example/",
    ])
    func refusesALinkToAnotherOrigin(_ target: String) async throws {
        let (shelf, transport) = Self.shelf { _, _ in
            var answer = TransportResponse.json(200, #"{"items":[1]}"#)
            answer.headers.append("Link", "<\(target)>; rel=next")
            return answer
        }
        let (pages, fault) = await Self.end(of: shelf.pages(of: PagedShelf.ByLink()))
        #expect(pages == 0)
        #expect(fault?.kind == .malformed)
        guard case .foreignLink? = fault.flatMap(Self.problem) else {
            Issue.record("\(fault as Any)")
            return
        }
        #expect(transport.requests.count == 1)
    }

    /// Followed if the contract says so, and then without anything that identifies the user.
    @Test func aForeignLinkIsFollowedWithoutCredentials() async throws {
        let session = Session()
        await session.begin(SessionTokens(access: "t0ken"))
        let transport = ScriptedTransport.scripted { _, number in
            var answer = TransportResponse.json(200, #"{"items":[\#(number)]}"#)
            let target = ["https://other.example/list?page=2", "https://shelf.example/v1/foreign?page=3"]
            if number < 3 { answer.headers.append("Link", "<\(target[number - 1])>; rel=next") }
            return answer
        }
        let environment = DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 7))
        let shelf = PagedShelf(on: Dispatcher(transport: transport, environment: environment), session: session)
            .with { $0.headers["X-Api-Key"] = "k3y" }
        #expect(await Self.end(of: shelf.pages(of: PagedShelf.Foreign())).pages == 3)
        let requests = transport.requests
        #expect(requests[0].headers["Authorization"] == "Bearer t0ken" && requests[0].headers["X-Api-Key"] == "k3y")
        #expect(requests[1].url == "https://other.example/list?page=2")
        // Once the walk has left, it stays abroad.
        for request in requests.dropFirst() {
            #expect(request.headers["Authorization"] == nil && request.headers["X-Api-Key"] == nil)
            #expect(request.headers["X-Secret"] == nil && !request.url.contains("s3cret"))
        }
    }

    /// A link may repeat the token or a credential in its query, although the command has no secret of its own.
    @Test(arguments: [
        ("token=t0p&page=2", "https://other.example/\(Redaction.mark)"),
        ("page=2", "https://other.example/list?page=2"),
    ])
    func aForeignLinkWithASensitiveParameterIsNotPrinted(_ query: String, _ printed: String) async throws {
        let (shelf, transport) = Self.shelf { _, number in
            var answer = TransportResponse.json(number == 1 ? 200 : 404, #"{"items":[1]}"#)
            answer.headers.append("Link", "<https://other.example/list?\(query)>; rel=next")
            return answer
        }
        let (pages, fault) = await Self.end(of: shelf.pages(of: PagedShelf.Named()))
        #expect(pages == 1 && transport.requests.last?.url == "https://other.example/list?\(query)")
        #expect(fault?.context.url == printed)
        #expect(!String(reflecting: fault).contains("t0p"))
    }

    /// The body of a search may hold anything, and stays with its service.
    @Test func aForeignLinkGetsNoBody() async throws {
        let (shelf, transport) = Self.shelf { _, number in
            var answer = TransportResponse.json(200, #"{"items":[\#(number)]}"#)
            let target = ["https://shelf.example/v1/more", "https://other.example/list"]
            answer.headers.append("Link", "<\(target[min(number, 2) - 1])>; rel=next")
            return answer
        }
        let (pages, fault) = await Self.end(of: shelf.pages(of: PagedShelf.Search()))
        #expect(pages == 1)
        #expect(fault.flatMap(Self.problem) == .foreignLink(origin: "https://other.example"))
        // Its own service gets it with each page.
        #expect(transport.requests.map(\.url) == ["https://shelf.example/v1/search", "https://shelf.example/v1/more"])
        #expect(transport.requests.allSatisfy { $0.body.map { String(decoding: $0, as: UTF8.self) } == "pin=s3cret" })
    }

    // MARK: Servers that lie

    @Test func aCursorThatComesAgainIsFound() async throws {
        for period in [1, 2, 5, 40] {
            let (shelf, _) = Self.shelf { _, number in
                .json(200, #"{"items":[\#(number)],"next":"c\#(number % period)"}"#)
            }
            let (pages, fault) = await Self.end(of: shelf.pages(of: PagedShelf.ByCursor()))
            #expect(fault.flatMap(Self.problem) == .repeated, "\(fault as Any)")
            #expect(pages <= period)
        }
    }

    @Test func emptyPagesWithoutEndAreFound() async throws {
        let (shelf, transport) = Self.shelf { _, number in .json(200, #"{"items":[],"next":"c\#(number)"}"#) }
        let fault = await Self.end(of: shelf.pages(of: PagedShelf.ByCursor())).fault
        #expect(fault.flatMap(Self.problem) == .emptyPages(100))
        #expect(transport.requests.count == 100)
    }

    @Test func anEndlessListIsBounded() async throws {
        let (shelf, transport) = Self.shelf { _, number in
            .json(200, #"{"items":[\#(number)],"next":"c\#(number)"}"#)
        }
        let bounded = shelf.with { $0.maximumPages = 12 }
        let (pages, fault) = await Self.end(of: bounded.pages(of: PagedShelf.ByCursor()))
        #expect(pages == 12 && fault?.kind == .invalidRequest)
        #expect(fault?.context.brokenFields.first?.name == "maximumPages")
        #expect(transport.requests.count == 12)
    }

    @Test(arguments: [
        (#""total":-1"#, PageError.invalidTotal), (#""total":1.5"#, .invalidTotal),
        (#""total":1e99"#, .invalidTotal),
    ])
    func aTotalThatIsNoneIsFound(_ member: String, _ problem: PageError) async throws {
        let (shelf, _) = Self.shelf { _, _ in .json(200, #"{"items":[1],\#(member)}"#) }
        let fault = await Self.end(of: shelf.pages(of: PagedShelf.ByPage())).fault
        #expect(fault?.kind == .malformed)
    }

    @Test func aTotalThatChangesIsTakenAsItIs() async throws {
        let totals = [9, 2, 3]
        let (shelf, _) = Self.shelf { _, number in
            .json(200, #"{"items":[\#(number)],"total":\#(totals[min(number, 3) - 1])}"#)
        }
        #expect(await Self.end(of: shelf.pages(of: PagedShelf.ByPage())).pages == 2)
    }

    @Test(arguments: [#""next":{}"#, #""next":[1]"#, #""next":true"#])
    func aCursorThatIsNoneIsFound(_ member: String) async throws {
        let (shelf, _) = Self.shelf { _, _ in .json(200, #"{"items":[1],\#(member)}"#) }
        #expect(await Self.end(of: shelf.pages(of: PagedShelf.ByCursor())).fault?.kind == .malformed)
    }

    @Test(arguments: [#","next":null"#, #","next":"""#, ""])
    func withoutACursorThePageIsTheLast(_ member: String) async throws {
        let (shelf, _) = Self.shelf { _, _ in .json(200, #"{"items":[1]\#(member)}"#) }
        #expect(await Self.end(of: shelf.pages(of: PagedShelf.ByCursor())).pages == 1)
    }

    // MARK: Failures

    @Test func theSamePageIsAskedForAgain() async throws {
        let (shelf, transport) = Self.shelf { _, number in
            number == 2 || number == 3 ? .json(404, "{}") : .json(200, #"{"items":[\#(number)],"total":3}"#)
        }
        let walk = shelf.elements(of: PagedShelf.ByPage()).makeAsyncIterator()
        #expect(try await walk.next() == 1)
        await #expect(throws: CommandFault.self) { try await walk.next() }
        await #expect(throws: CommandFault.self) { try await walk.next() }
        #expect(try await walk.next() == 4)
        #expect(transport.requests.map { $0.url.hasSuffix("page=2") } == [false, true, true, true])
    }

    @Test func cancellationEndsAPageAndNotTheWalk() async throws {
        let (shelf, _) = Self.shelf { _, number in .json(200, #"{"items":[\#(number)],"total":2}"#) }
        let walk = shelf.elements(of: PagedShelf.ByPage()).makeAsyncIterator()
        #expect(try await walk.next() == 1)
        let cancelled = Task { () -> CommandFault.Kind? in
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(CommandFault) {
                _ = try await walk.next()
                return nil
            } catch {
                return error.kind
            }
        }
        #expect(await cancelled.value == .cancelled)
        #expect(try await walk.next() != nil)
    }

    @Test func aWalkBelongsToTheLoginThatItBeganIn() async throws {
        let session = Session()
        await session.begin(SessionTokens(access: "ada"))
        let transport = ScriptedTransport.scripted { request, number in
            .json(200, #"{"items":[\#(number)],"total":3}"#)
        }
        let shelf = PagedShelf.Guarded.shelf(transport, session)
        let walk = shelf.pages(of: PagedShelf.Guarded()).makeAsyncIterator()
        #expect(try await walk.next() != nil)
        await session.end()
        await session.begin(SessionTokens(access: "grace"))
        do throws(CommandFault) {
            _ = try await walk.next()
            Issue.record("the page came")
        } catch {
            #expect(error.kind == .sessionEnded)
        }
        #expect(transport.requests.count == 1)
    }
}

/// The same for positions that are beyond what is remembered.
@Suite struct SeenPositionTests {
    @Test(arguments: [1, 3, 100, 20_000]) func aCircleIsFoundHoweverLateItBegins(_ period: Int) {
        let start = SeenPositions.limit + 1_000
        var seen = SeenPositions()
        func position(_ step: Int) -> PageWalk.Position {
            .mark(PageMark(step < start ? step : start + (step - start) % period))
        }
        var step = 0
        while step < 8 * (start + period), !seen.contains(position(step)) {
            seen.insert(position(step))
            step += 1
        }
        #expect(step < 8 * (start + period), "found after \(step) steps")
    }

    @Test func noPositionIsFoundThatWasNotThere() {
        var seen = SeenPositions()
        for step in 0..<100_000 {
            #expect(!seen.contains(.mark(PageMark(step))))
            seen.insert(.mark(PageMark(step)))
        }
    }
}

extension PagedShelf {
    /// A list that needs a login, and whose links lead to other servers.
    struct Foreign: PagedCommand {
        typealias Service = PagedShelf
        typealias Failure = CommandFault
        typealias Response = Part
        private static let service = ServiceDescription(
            name: "Foreign", version: "1",
            session: SessionPlacement(header: "Authorization", prefix: "Bearer ", suffix: ""))
        static let endpoint = EndpointDescription(
            service, "list", .get, effect: .read, session: .required,
            pagination: .link("next", foreign: .anonymous, items: "items"))
        func encode(into request: inout RequestEncoder) {
            request.path("/foreign")
            request.query("key", "s3cret", sensitive: true)
            request.header("X-Secret", "s3cret", sensitive: true)
        }
        static func load(from reader: inout JSONReader) -> Part? { Part.load(from: &reader) }
        static func elements(of response: Part) -> [Int] { response.items }
    }

    /// A list of a service that does not know the origin at which it is reached.
    struct Proxied: PagedCommand {
        typealias Service = PagedShelf
        typealias Failure = CommandFault
        typealias Response = Part
        static let endpoint = EndpointDescription(
            ServiceDescription(
                name: "Proxied", version: "1",
                session: SessionPlacement(header: "Authorization", prefix: "Bearer ", suffix: ""), sensitive: ["key"]),
            "list", .get, effect: .read, session: .required,
            pagination: .next("next", foreign: .own, items: "items", past: 404))
        func encode(into request: inout RequestEncoder) {
            request.path("/books")
            request.query("key", "s3cret", sensitive: true)
        }
        static func load(from reader: inout JSONReader) -> Part? { Part.load(from: &reader) }
        static func elements(of response: Part) -> [Int] { response.items }
    }

    /// A list of a service with a sensitive name, without a secret of its own.
    struct Named: PagedCommand {
        typealias Service = PagedShelf
        typealias Failure = CommandFault
        typealias Response = Part
        static let endpoint = EndpointDescription(
            ServiceDescription(name: "Named", version: "1", sensitive: ["token"]), "list", .get, effect: .read,
            pagination: .link("next", foreign: .anonymous, items: "items"))
        func encode(into request: inout RequestEncoder) { request.path("/named") }
        static func load(from reader: inout JSONReader) -> Part? { Part.load(from: &reader) }
        static func elements(of response: Part) -> [Int] { response.items }
    }

    /// A search, whose links may lead to other servers.
    struct Search: PagedCommand {
        typealias Service = PagedShelf
        typealias Failure = CommandFault
        typealias Response = Part
        static let endpoint = EndpointDescription(
            PagedShelf.service, "search", .post, effect: .read,
            pagination: .link("next", foreign: .anonymous, items: "items"))
        func encode(into request: inout RequestEncoder) {
            request.path("/search")
            request.beginBody(.form)
            request.field("pin", "s3cret", sensitive: true)
        }
        static func load(from reader: inout JSONReader) -> Part? { Part.load(from: &reader) }
        static func elements(of response: Part) -> [Int] { response.items }
    }

    /// A list that needs a login.
    struct Guarded: PagedCommand {
        var page = 1
        typealias Service = PagedShelf
        typealias Failure = CommandFault
        typealias Response = Part
        private static let service = ServiceDescription(
            name: "Guarded", version: "1",
            session: SessionPlacement(header: "Authorization", prefix: "Bearer ", suffix: ""))
        static let endpoint = EndpointDescription(
            service, "list", .get, effect: .read, session: .required,
            pagination: .page("page", total: "total", items: "items"))
        func encode(into request: inout RequestEncoder) {
            request.path("/guarded")
            request.query("page", page)
        }
        static func load(from reader: inout JSONReader) -> Part? { Part.load(from: &reader) }
        func pageMark() -> PageMark? { PageMark(page) }
        func turned(to mark: PageMark) -> Self? { mark.value(as: Int.self).map { Self(page: $0) } }
        static func elements(of response: Part) -> [Int] { response.items }

        static func shelf(_ transport: ScriptedTransport, _ session: Session) -> PagedShelf {
            let environment = DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 7))
            return PagedShelf(on: Dispatcher(transport: transport, environment: environment), session: session)
        }
    }
}
