import ErrandJSON

/// Where a walk over a list is, as a value: what the next page is, and what a page says of it. It knows no command and asks for
/// nothing.
///
/// Whatever a server says, a walk takes a bounded amount of memory, and `step` either leads on, ends, or is a `PageProblem`.
struct PageWalk: Sendable {
    /// The place from which the next page is requested.
    enum Position: Sendable, Hashable {
        /// As the caller's command has it.
        case start
        case mark(PageMark)
        case link(PageLink)
    }

    /// The paging values of one page.
    struct Content {
        let body: [UInt8]
        let headers: HTTPHeaders
        /// The URL that the page came from: of the request, or of the last redirect.
        let url: String
        let server: Origin?
        let method: HTTPMethod
        /// How many elements were read, and how many the page has with those that were left out.
        let count: Int
        let rawCount: Int
    }

    /// The consequence of a page.
    struct Step: Sendable {
        /// Nil at the end.
        let next: Position?
        let total: Int?
        let isEmpty: Bool
    }

    let paging: Paging
    private(set) var position = Position.start
    /// How many pages were taken.
    private(set) var index = 0
    private(set) var isOver = false
    private var emptyPages = 0
    private var seen = SeenPositions()
    /// The number that the walk began with.
    private let start: Int?

    /// So many pages without an element may follow each other.
    static let maximumEmptyPages = 100
    /// The longest cursor or link, in bytes.
    static let maximumTextSize = 8 << 10

    /// - Parameter start: what the caller's command asks for.
    init(_ paging: Paging, start: PageMark?) {
        self.paging = paging
        self.start = start.flatMap { Int($0.text) }
        if case .cursor = paging.style, let start { seen.insert(.mark(start)) }
    }

    // MARK: One page

    /// Finds the next page from a page's content. This changes nothing: the page may be requested again.
    func step(after page: Content) -> Result<Step, PageProblem> {
        do throws(PageProblem) {
            let step = try makeStep(after: page)
            guard let next = step.next else { return .success(step) }
            if case .start = position, case .link = next, next == .link(PageLink(url: page.url, isForeign: false)) {
                throw .repeated
            }
            if seen.contains(next) { throw .repeated }
            if step.isEmpty, emptyPages + 1 >= Self.maximumEmptyPages { throw .emptyPages(Self.maximumEmptyPages) }
            return .success(step)
        } catch {
            return .failure(error)
        }
    }

    /// Goes on to the next page.
    mutating func take(_ step: Step) {
        index += 1
        emptyPages = step.isEmpty ? emptyPages + 1 : 0
        guard let next = step.next else {
            isOver = true
            return
        }
        position = next
        switch paging.style {
        // Numbers only grow.
        case .page, .offset: break
        case .cursor, .link: seen.insert(next)
        }
    }

    private func makeStep(after page: Content) throws(PageProblem) -> Step {
        let isEmpty = page.count == 0
        switch paging.style {
        case .page(let first, let path):
            let total = try Self.total(at: path, of: page)
            let current = number ?? first
            let (behind, isTooFar) = current.subtractingReportingOverflow(min(first, start ?? first))
            if isTooFar { throw .numberOutOfRange }
            if total.map({ behind >= $0 - 1 }) ?? (page.rawCount == 0) {
                return Step(next: nil, total: total, isEmpty: isEmpty)
            }
            return Step(next: try Self.mark(current, plus: 1), total: total, isEmpty: isEmpty)
        case .offset(let first, let path):
            let total = try Self.total(at: path, of: page)
            let current = number ?? first
            let (before, isTooFar) = current.subtractingReportingOverflow(min(first, start ?? first))
            let (received, isTooMany) = before.addingReportingOverflow(page.rawCount)
            if isTooFar || isTooMany { throw .numberOutOfRange }
            if total.map({ received >= $0 }) ?? (page.rawCount == 0) {
                return Step(next: nil, total: total, isEmpty: isEmpty)
            }
            if page.rawCount == 0 { throw .totalNotReached(total: total ?? 0, received: received) }
            return Step(next: try Self.mark(current, plus: page.rawCount), total: total, isEmpty: isEmpty)
        case .cursor(let path):
            let next = try Self.cursor(at: path, of: page).map { Position.mark(PageMark($0)) }
            return Step(next: next, total: nil, isEmpty: isEmpty)
        case .link(let relation, let foreign):
            return Step(next: try Self.link(relation, foreign, of: page), total: nil, isEmpty: isEmpty)
        }
    }

    /// The number that the next page is asked for by; nil if the server knows it.
    private var number: Int? {
        if case .mark(let mark) = position { Int(mark.text) } else { start }
    }

    private static func mark(_ number: Int, plus count: Int) throws(PageProblem) -> Position {
        let (next, isTooFar) = number.addingReportingOverflow(count)
        if isTooFar { throw .numberOutOfRange }
        return .mark(PageMark(next))
    }

    // MARK: The page's content

    private static func total(at path: String?, of page: Content) throws(PageProblem) -> Int? {
        guard let path else { return nil }
        switch scalar(at: path, of: page.body) {
        case .none: return nil
        case .text(let text):
            guard let total = Int(text), total >= 0 else { throw .invalidTotal }
            return total
        case .other: throw .invalidTotal
        }
    }

    private static func cursor(at path: String, of page: Content) throws(PageProblem) -> String? {
        switch scalar(at: path, of: page.body) {
        case .none: return nil
        case .text(let text):
            if text.utf8.count > maximumTextSize { throw .invalidCursor }
            return text.isEmpty ? nil : text
        case .other: throw .invalidCursor
        }
    }

    private static func link(_ relation: String, _ foreign: ForeignLinks, of page: Content) throws(PageProblem)
        -> Position?
    {
        guard let target = LinkHeader(page.headers).target(of: relation) else { return nil }
        guard target.utf8.count <= maximumTextSize, let url = LinkHeader.resolve(target, against: page.url),
            url.utf8.count <= maximumTextSize, let origin = Origin(url)
        else { throw .invalidLink }
        // Once the walk has left the service's origin, it stays abroad: a link back does not get the session.
        let isForeign = origin != page.server || Origin(page.url) != page.server
        if isForeign {
            let hasBody = page.method != .get && page.method != .head
            let maySend = page.server.map { OriginRule.maySend(page.method, hasBody: hasBody, from: $0, to: origin) }
            if foreign == .refused || maySend != true { throw .foreignLink(origin: origin.description) }
        }
        return .link(PageLink(url: url, isForeign: isForeign))
    }

    private enum Scalar {
        case none
        case text(String)
        case other
    }

    /// The text or the number at a path of a body.
    private static func scalar(at path: String, of body: [UInt8]) -> Scalar {
        let found = try? JSON.scan(body) { reader -> Scalar? in
            let scalar: Scalar? = reader.readInside(JSONPath(dotted: path)) { reader in
                switch reader.peekKind() {
                case .string, .number: return .text(reader.readLenientString())
                case .null:
                    reader.skipValue()
                    return Scalar.none
                default:
                    reader.skipValue()
                    return .other
                }
            }
            return scalar ?? Scalar.none
        }
        return found ?? .none
    }

    /// How many elements a body has at the first of these places that holds a list; nil if none does.
    static func count(at paths: [String], of body: [UInt8]) -> Int? {
        for path in paths {
            let count = try? JSON.scan(body) { reader -> Int? in
                let steps = path.isEmpty ? JSONPath(steps: []) : JSONPath(dotted: path)
                return reader.readInside(steps) { reader -> Int? in
                    guard reader.peekKind() == .array else {
                        reader.skipValue()
                        return -1
                    }
                    var count = 0
                    var elements = reader.beginArray()
                    while reader.nextElement(&elements) {
                        reader.skipValue()
                        count += 1
                    }
                    return count
                } ?? -1
            }
            if let count, count >= 0 { return count }
        }
        return nil
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
