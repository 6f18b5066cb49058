import ErrandJSON

/// Where a walk over a list is, as a value: what the next page is, and what a page says of it. It knows no command and asks for
/// nothing.
///
/// Whatever a server says, a walk takes a bounded amount of memory, and `step` either leads on, ends, or is a `PageError`.
struct PageWalk: Sendable {
    /// The place from which the next page is requested.
    enum Position: Sendable, Hashable {
        /// As the caller's command has it.
        case start
        case mark(PageMark)
        case link(PageLink)
    }

    /// The pagination values of one page.
    struct Content {
        let headers: HTTPHeaders
        /// The URL that the page came from: of the request, or of the last redirect.
        let url: String
        let server: ServerAddress?
        let method: HTTPMethod
        /// How many elements were read.
        let count: Int
        let body: PageBody
    }

    /// The consequence of a page.
    struct Step: Sendable {
        /// Nil at the end.
        var next: Position?
        var total: Int?
        var isEmpty = false
        /// A hash of the page's elements; nil if it has none.
        var elements: Int?
    }

    let rule: PageRule
    private(set) var position = Position.start
    /// How many pages were taken.
    private(set) var index = 0
    private(set) var isOver = false
    private var emptyPages = 0
    /// A hash of the last page's elements, and how many pages before it had the same ones.
    private var elements: Int?
    private var equalPages = 0
    private var seen = SeenPositions()
    /// The number that the walk began with.
    private let start: Int?

    /// So many pages without an element may follow each other, or with the same value as every element.
    static let maximumEmptyPages = 100
    /// The longest cursor or link, in bytes.
    static let maximumTextSize = 8 << 10

    /// - Parameter start: what the caller's command asks for.
    init(_ pagination: Pagination, start: PageMark?) {
        rule = PageRule(pagination)
        self.start = start.flatMap { Int($0.text) }
        if case .cursor = pagination.style, let start { seen.insert(.mark(start)) }
    }

    // MARK: One page

    /// Finds the next page from a page's content. This changes nothing: the page may be requested again.
    func step(after page: Content) -> Result<Step, PageError> {
        do throws(PageError) {
            var step = try makeStep(after: page)
            step.isEmpty = page.count == 0
            step.elements = page.body.elementsHash
            if let next = step.next { try check(next, step, from: page.url) }
            try checkElements(step, page.body)
            return .success(step)
        } catch {
            return .failure(error)
        }
    }

    private func check(_ next: Position, _ step: Step, from url: String) throws(PageError) {
        if case .start = position, case .link = next, next == .link(PageLink(url: url, isForeign: false)) {
            throw .repeated
        }
        if seen.contains(next) { throw .repeated }
        if step.isEmpty, emptyPages + 1 >= Self.maximumEmptyPages { throw .emptyPages(Self.maximumEmptyPages) }
    }

    /// Two pages in a row with the same elements show that the server doesn't turn the page. One value as every element shows
    /// it only after a while: the list may be long and hold nothing else.
    private func checkElements(_ step: Step, _ body: PageBody) throws(PageError) {
        guard let elements = step.elements, elements == self.elements else { return }
        guard body.hasOneValue, equalPages + 1 < Self.maximumEmptyPages else { throw .repeatedElements }
    }

    /// Ends the walk without another page.
    mutating func end() { isOver = true }

    /// Goes on to the next page.
    mutating func take(_ step: Step) {
        index += 1
        emptyPages = step.isEmpty ? emptyPages + 1 : 0
        equalPages = step.elements != nil && step.elements == elements ? equalPages + 1 : 0
        elements = step.elements
        guard let next = step.next else {
            isOver = true
            return
        }
        position = next
        switch rule.pagination.style {
        // Numbers only grow.
        case .page, .offset: break
        case .cursor, .link: seen.insert(next)
        }
    }

    private func makeStep(after page: Content) throws(PageError) -> Step {
        switch rule.pagination.style {
        case .page(let first, _):
            let total = try page.body.total()
            let current = number ?? first
            let (behind, isTooFar) = current.subtractingReportingOverflow(min(first, start ?? first))
            if isTooFar { throw .numberOutOfRange }
            if total.map({ behind >= $0 - 1 }) ?? (rawCount(of: page) == 0) { return Step(next: nil, total: total) }
            return Step(next: try Self.mark(current, plus: 1), total: total)
        case .offset(let first, _):
            let total = try page.body.total()
            let rawCount = rawCount(of: page)
            let current = number ?? first
            let (before, isTooFar) = current.subtractingReportingOverflow(min(first, start ?? first))
            let (received, isTooMany) = before.addingReportingOverflow(rawCount)
            if isTooFar || isTooMany { throw .numberOutOfRange }
            if total.map({ received >= $0 }) ?? (rawCount == 0) { return Step(next: nil, total: total) }
            if rawCount == 0 { throw .totalNotReached(total: total ?? 0, received: received) }
            return Step(next: try Self.mark(current, plus: rawCount), total: total)
        case .cursor(let place, _):
            let hasMore = try page.body.hasMore()
            if hasMore == false { return Step(next: nil) }
            let cursor = if case .lastElement = place { try page.body.lastCursor() } else { try page.body.cursor() }
            if cursor == nil, hasMore == true { throw .missingCursor }
            return Step(next: cursor.map { .mark(PageMark($0)) })
        case .link(let place, let foreign):
            let target: String?
            switch place {
            case .header(let relation): target = LinkHeader(page.headers).target(of: relation)
            case .response: target = try page.body.link()
            }
            guard let target else { return Step(next: nil) }
            return Step(next: try Self.link(target, foreign, of: page))
        }
    }

    /// How many elements the page has, with those that were left out because they cannot be read: an offset counts them, too, and
    /// a page of nothing else is not the end.
    private func rawCount(of page: Content) -> Int {
        page.body.hasSkipped ? max(page.count, page.body.elementCount) : page.count
    }

    /// The number that the next page is asked for by; nil if the server knows it.
    private var number: Int? {
        if case .mark(let mark) = position { Int(mark.text) } else { start }
    }

    private static func mark(_ number: Int, plus count: Int) throws(PageError) -> Position {
        let (next, isTooFar) = number.addingReportingOverflow(count)
        if isTooFar { throw .numberOutOfRange }
        return .mark(PageMark(next))
    }

    // MARK: Links

    private static func link(
        _ target: String, _ foreign: ForeignLinks, of page: Content
    ) throws(PageError) -> Position {
        guard target.utf8.count <= maximumTextSize, let url = LinkHeader.resolve(target, against: page.url),
            url.utf8.count <= maximumTextSize, let origin = Origin(url)
        else { throw .invalidLink }
        let server = page.server?.origin
        if foreign == .own, let address = page.server, Origin(page.url) == address.origin {
            let path = LinkHeader.pathAndQuery(of: url)
            // A proxy may have taken the base path away, so that the path leads elsewhere.
            guard LinkHeader.isPath(path, below: LinkHeader.pathAndQuery(of: address.base)) else {
                throw .foreignLink(origin: origin.description)
            }
            return .link(PageLink(url: address.origin.description + path, isForeign: false))
        }
        // Once the walk has left the service's origin, it stays abroad: a link back does not get the session.
        let isForeign = origin != server || Origin(page.url) != server
        if isForeign {
            let hasBody = page.method != .get && page.method != .head
            let maySend = server.map { OriginRule.maySend(page.method, hasBody: hasBody, from: $0, to: origin) }
            if foreign == .refused || maySend != true { throw .foreignLink(origin: origin.description) }
        }
        return .link(PageLink(url: url, isForeign: isForeign))
    }
}

/// The cursors and links of a walk, to find one that comes again.
///
/// The first ones are all remembered, as hashes that no server can foresee. A circle that begins later is found by Brent's method
/// (1980): one position is compared with all that follow, and replaced at each power of two, so that the memory stays the same.
struct SeenPositions: Sendable {
    static let limit = 16_384

    private var hashes: Set<Int> = []
    private var landmark: Int?
    private var power = 1
    private var steps = 0

    func contains(_ position: PageWalk.Position) -> Bool {
        let hash = position.hashValue
        return hash == landmark || hashes.contains(hash)
    }

    mutating func insert(_ position: PageWalk.Position) {
        let hash = position.hashValue
        if hashes.count < Self.limit {
            hashes.insert(hash)
            return
        }
        steps += 1
        if landmark == nil || steps == power {
            landmark = hash
            power *= 2
            steps = 0
        }
    }
}
