import ErrandJSON

/// The response of a page, and what it says about the next one.
final class PageInbox<C: PagedCommand>: PageReceiver, ResponseHolder {
    private let inbox = ResponseInbox<C>()
    /// The command that asks for the page, and its role.
    let command: C
    let role: CommandRole
    /// How many pages came before it.
    let index: Int
    /// A copy of the walk, until the page has come.
    private var walk: PageWalk?
    private let rule: PageRule
    private let server: Origin?
    private var notes = PageBody.Notes()
    /// The consequence of the page; nil if a stub supplied the page, so it was not read.
    private var step: PageWalk.Step?
    /// The login that the page belongs to.
    private(set) var membership: SessionMembership?

    init(_ command: C, as role: CommandRole, _ walk: PageWalk, _ server: Origin?) {
        self.command = command
        self.role = role
        self.walk = walk
        index = walk.index
        rule = walk.rule
        self.server = server
    }

    var response: C.Response? { inbox.response }
    var sessionChange: SessionChange? { inbox.sessionChange }

    func load(_ payload: Payload) throws(JSONFault) -> SkippedElements {
        let skipped = try inbox.load(payload, read)
        // The document that was read in place of a missing payload isn't the body.
        if case .missing = payload.place { notes = PageBody.Notes() }
        return skipped
    }

    func load(from reader: inout JSONReader) -> Bool { inbox.load(from: &reader, read) }
    func load(bytes: [UInt8]) -> Bool { inbox.load(bytes: bytes) }
    func take(outcome: DeclaredName, _ match: ErrorMatch) -> Bool { inbox.take(outcome: outcome, match) }
    func take(response: any Sendable) -> Bool { inbox.take(response: response) }
    func take(stream: TransportResponse) -> Bool { false }
    var opened: OpenedStream? { nil }

    /// Reads a page, and notes where its elements are.
    private func read(_ reader: inout JSONReader) -> C.Response? {
        if let depth = rule.itemsDepth { reader.noteArrays(atDepth: depth) }
        _ = reader.peekKind()
        let start = reader.mark().offset
        guard let response = C.load(from: &reader), !reader.isFaulted else { return nil }
        notes.payload = start..<max(start, reader.mark().offset)
        notes.arrays = reader.knownArrays
        notes.hasSkipped = reader.hasSkipped
        return response
    }

    func examine(_ response: TransportResponse, from url: String, _ membership: SessionMembership) -> PageProblem? {
        guard let walk else { return nil }
        self.membership = membership
        let content = PageWalk.Content(
            headers: response.headers, url: url, server: server, method: C.endpoint.method,
            count: inbox.response.map { C.elements(of: $0).count } ?? 0, body: PageBody(response.body, rule, notes))
        switch walk.step(after: content) {
        case .success(let step):
            if case .mark(let mark)? = step.next, command.turned(to: mark) == nil { return .invalidCursor }
            self.step = step
            return nil
        case .failure(let problem): return problem
        }
    }

    /// Ends the page, after which the walk has one owner and can be changed in place.
    func takeStep() -> PageWalk.Step {
        walk = nil
        return step ?? PageWalk.Step()
    }
}
