import ContractChecks
import ContractModel

/// The values by which two tables tell the codes of responses apart.
struct ValueStretches {
    /// A text that no row and no condition of a success names.
    let other: String
    /// What no row names, in place of a star.
    let filler: String
    /// Whether a row has a pattern for a code, and a row a range of codes, so that the search may miss a code that both take.
    let hasOpenCodes: Bool
    private let edges: [Int]
    /// The numbers that a row or a condition of a success names as a text.
    private let named: Set<Int>

    init(_ classifiers: [ResponseClassifier]) {
        var texts = Set<String>()
        var edges = Set<Int>()
        var named = Set<Int>()
        func add(_ code: CodeMatch) {
            if case .text(let text) = code {
                texts.insert(text)
                if let number = Int(text) { named.insert(number) }
            }
            guard let numbers = code.numbers else { return }
            edges.insert(numbers.lowerBound)
            if numbers.upperBound < .max { edges.insert(numbers.upperBound + 1) }
        }
        for classifier in classifiers {
            for code in classifier.envelope?.success ?? [] { add(code.value) }
            for row in classifier.endpoint.table.rows {
                for code in row.condition.codes { add(code.value) }
                for match in row.row.values {
                    texts.insert(match.pattern.literal)
                    // The value can be at the path of the code.
                    add(.text(match.pattern.literal))
                }
            }
        }
        let rows = classifiers.flatMap(\.endpoint.table.rows)
        let places = Set(classifiers.compactMap { $0.envelope?.code.map { ResponseMatch.Place.body($0.value.keys) } })
        hasOpenCodes =
            rows.contains { $0.row.values.contains { places.contains($0.place) && !$0.pattern.isExact } }
            && rows.contains { $0.condition.codes.contains(where: \.value.isRange) }
        filler = TextPattern.filler(apartFrom: texts)
        self.edges = edges.sorted()
        self.named = named
        other = texts.contains("other") || rows.contains { $0.takes("other") } ? filler : "other"
    }

    /// One text for each stretch of these codes that the tables can tell apart.
    func texts(in codes: [CodeMatch]) -> [String] {
        codes.flatMap { code -> [String] in
            guard case .range(let numbers) = code else { return [code.example] }
            let found = [numbers.lowerBound] + edges.filter { numbers.contains($0) }
            return found.flatMap { number in
                // A range takes a number however it is written, and a text only as it is written.
                named.contains(number) ? ["\(number)", Self.padded(number)] : ["\(number)"]
            }
        }.unique
    }

    private static func padded(_ number: Int) -> String { number < 0 ? "-0\(number.magnitude)" : "0\(number)" }
}

extension ResolvedRow {
    /// Whether one of its patterns takes a text, other than one that takes any.
    fileprivate func takes(_ text: String) -> Bool {
        row.values.contains { !$0.pattern.literal.isEmpty && $0.pattern.matches(text) }
    }
}

/// The statuses that two tables, the condition of a success and the built-in errors tell apart.
struct StatusStretches {
    /// RFC 9110 section 15; an interim 1xx isn't a final response.
    private static let usual = 200...599
    /// Where a success, a built-in error or a response without a body begins, and where it is over.
    private static let builtIn: Set<Int> = [
        200, 204, 205, 300, 304, 305, 400, 401, 402, 408, 409, 429, 430, 500, 502, 503, 504, 505, 600,
    ]

    private let edges: [Int]
    private let isFrame: Bool
    private let hasReply: Bool

    init(_ classifiers: [ResponseClassifier]) {
        var edges = Self.builtIn
        for classifier in classifiers {
            edges.formUnion(classifier.endpoint.request.echoStatuses.flatMap { [$0, $0 + 1] })
            for status in classifier.endpoint.table.rows.flatMap(\.condition.statuses) {
                edges.formUnion([status.value.lowerBound, status.value.upperBound + 1])
            }
        }
        isFrame = classifiers.contains(where: \.isFrame)
        hasReply = classifiers.allSatisfy { $0.endpoint.delivery != .none }
        // A status of a frame other than 200 is that of a refused handshake.
        if isFrame { edges.formUnion([200, 201]) }
        self.edges = edges.sorted()
    }

    /// The stretches that are in one of the ranges of each list.
    func stretches(in lists: [[ClosedRange<Int>]], hasBody: Bool) -> [ClosedRange<Int>] {
        var ranges = [isFrame ? (lists.isEmpty && hasBody ? 200...200 : Self.usual) : Self.usual]
        if let first = lists.first {
            ranges = lists.dropFirst().reduce(first) { common, list in
                common.flatMap { range in
                    list.filter { $0.overlaps(range) }.map { $0.clamped(to: range) }
                }
            }
            let usual = ranges.filter { $0.overlaps(Self.usual) }.map { $0.clamped(to: Self.usual) }
            if !usual.isEmpty { ranges = usual }
        }
        return ranges.joined.flatMap(split).filter { stretch in
            if isFrame, (201...299).contains(stretch.lowerBound) || (!hasReply && stretch.contains(200)) {
                return false
            }
            return !hasBody || HTTPStatus.canHaveBody(stretch.lowerBound)
        }
    }

    private func split(_ range: ClosedRange<Int>) -> [ClosedRange<Int>] { range.split(at: edges) }
}

/// The codes of closed connections that two tables tell apart.
struct CloseStretches {
    let all: [ClosedRange<Int>]

    init(_ classifiers: [ResponseClassifier]) {
        // Codes with a meaning of their own, and the ends of the ranges that are sent.
        var edges = Set(1000...1016).union([3000, 3001, 3003, 3004, 3008, 3009, 4000])
        for classifier in classifiers {
            for code in classifier.endpoint.table.rows.flatMap(\.condition.close) {
                edges.formUnion([code.value.lowerBound, code.value.upperBound + 1])
            }
        }
        all = (1000...4999).split(at: edges.sorted()).filter {
            CloseCode(rawValue: UInt16($0.lowerBound)).isSendable
        }
    }
}

extension ClosedRange<Int> {
    /// The parts between the edges, which are sorted. Each edge begins a part.
    func split(at edges: [Int]) -> [ClosedRange<Int>] {
        var parts: [ClosedRange<Int>] = []
        var start = lowerBound
        for edge in edges where edge > start && edge <= upperBound {
            parts.append(start...(edge - 1))
            start = edge
        }
        parts.append(start...upperBound)
        return parts
    }
}

extension [ClosedRange<Int>] {
    /// The same numbers, in their order and with no range that continues another.
    var joined: [ClosedRange<Int>] {
        var result: [ClosedRange<Int>] = []
        for range in sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound <= last.upperBound + 1 {
                result[result.count - 1] = last.lowerBound...Swift.max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}

extension Array where Element: Hashable {
    /// The elements without repetitions, in their order.
    var unique: [Element] {
        var seen = Set<Element>()
        return filter { seen.insert($0).inserted }
    }
}
