import ErrandJSON

/// Reads a page, and what it says about the next one.
final class PageReader<C: PagedCommand>: ResponseReader {
    /// The command that asks for the page, and its role.
    let command: C
    let role: CommandRole
    /// How many pages came before it.
    let index: Int
    /// A copy of the walk, until the page has come.
    private var walk: PageWalk?
    private let rule: PageRule
    private let server: ServerAddress?
    private var notes = PageBody.Notes()
    /// The consequence of the page; nil if a stub supplied the page, so it was not read.
    private var step: PageWalk.Step?
    /// Whether the service has refused the page because it comes after the last one.
    private(set) var hasEnded = false
    /// The login that the page belongs to; nil if it was not read.
    private(set) var membership: CommandEpoch?

    init(_ command: C, as role: CommandRole, _ walk: PageWalk, _ server: ServerAddress?) {
        self.command = command
        self.role = role
        self.walk = walk
        index = walk.index
        rule = walk.rule
        self.server = server
    }

    /// Reads a page, and notes where its elements are.
    func load(from reader: inout JSONReader) -> C.Response? {
        if let depth = rule.itemsDepth { reader.noteArrays(atDepth: depth) }
        _ = reader.peekKind()
        let start = reader.mark().offset
        guard let response = C.load(from: &reader), !reader.isFaulted else { return nil }
        notes.payload = start..<max(start, reader.mark().offset)
        notes.arrays = reader.knownArrays
        notes.hasSkipped = reader.hasSkipped
        return response
    }

    func take(_ content: UnparsedResponse) -> C.Response? { CommandReader<C>().take(content) }

    func loadHeaders(from reader: inout JSONReader) -> (any Sendable)? {
        CommandReader<C>().loadHeaders(from: &reader)
    }

    /// The document that was read in place of a missing payload isn't the body.
    func noteMissingPayload() { notes = PageBody.Notes() }

    func problem(
        of page: C.Response, in response: TransportResponse, from url: String, _ membership: CommandEpoch
    ) -> PageError? {
        guard let walk else { return nil }
        self.membership = membership
        let content = PageWalk.Content(
            headers: response.headers, url: url, server: server, method: C.endpoint.method,
            count: C.elements(of: page).count, body: PageBody(response.body, rule, notes))
        switch walk.step(after: content) {
        case .success(let step):
            if case .mark(let mark)? = step.next, command.turned(to: mark) == nil { return .invalidCursor }
            self.step = step
            return nil
        case .failure(let problem): return problem
        }
    }

    func isPastTheEnd(_ status: Int) -> Bool {
        hasEnded = index > 0 && status == rule.pagination.past
        return hasEnded
    }

    /// Ends the page, after which the walk has one owner and can be changed in place.
    func takeStep() -> PageWalk.Step {
        walk = nil
        return step ?? PageWalk.Step()
    }
}
