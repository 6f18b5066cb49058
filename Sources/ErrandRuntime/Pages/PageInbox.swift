import ErrandJSON

/// The response of a page, and what it says about the next one.
final class PageInbox<C: PagedCommand>: PageReceiver, ResponseHolder {
    private let inbox = ResponseInbox<C>()
    private let command: C
    private let walk: PageWalk
    private let server: Origin?
    /// The consequence of the page; nil if a stub supplied the page, so it was not read.
    private(set) var step: PageWalk.Step?
    /// The login that the page belongs to.
    private(set) var membership: SessionMembership?

    init(_ command: C, _ walk: PageWalk, _ server: Origin?) {
        self.command = command
        self.walk = walk
        self.server = server
    }

    var response: C.Response? { inbox.response }
    var sessionChange: SessionChange? { inbox.sessionChange }

    func load(_ payload: Payload) throws(JSONFault) -> SkippedElements { try inbox.load(payload) }
    func load(from reader: inout JSONReader) -> Bool { inbox.load(from: &reader) }
    func load(bytes: [UInt8]) -> Bool { inbox.load(bytes: bytes) }
    func take(outcome: DeclaredName, _ match: ErrorMatch) -> Bool { inbox.take(outcome: outcome, match) }
    func take(response: any Sendable) -> Bool { inbox.take(response: response) }
    func take(stream: TransportResponse) -> Bool { false }
    var opened: OpenedStream? { nil }

    func examine(_ response: TransportResponse, from url: String, _ membership: SessionMembership) -> PageProblem? {
        self.membership = membership
        let count = inbox.response.map { C.elements(of: $0).count } ?? 0
        let content = PageWalk.Content(
            body: response.body, headers: response.headers, url: url, server: server,
            method: C.endpoint.method, count: count,
            rawCount: max(count, rawCount(response.body)))
        switch walk.step(after: content) {
        case .success(let step):
            if case .mark(let mark)? = step.next, command.turned(to: mark) == nil { return .invalidCursor }
            self.step = step
            return nil
        case .failure(let problem): return problem
        }
    }

    /// How many elements the page has, with those that were left out because they cannot be read: an offset counts them, too, and
    /// a page of nothing else is not the end.
    private func rawCount(_ body: [UInt8]) -> Int {
        switch walk.paging.style {
        case .page, .offset: break
        case .cursor, .link: return 0
        }
        if let items = walk.paging.items { return PageWalk.count(at: [items], of: body) ?? 0 }
        let envelope = C.endpoint.envelope
        return PageWalk.count(at: [envelope.list, envelope.data ?? ""].compactMap { $0 }, of: body) ?? 0
    }
}
