import ContractModel

/// The provable facts about an endpoint's decision table, from which the generated parser is printed.
///
/// For each row there is either a response that reaches it, or a reason why none does. The search is complete. A table tells
/// responses apart only by the statuses and codes at which a row begins or ends, and by the texts that rows name. A response
/// that lacks a text can only match fewer of the rows before it. Of the texts that match a pattern, one with something in place of the
/// star that no row names matches the fewest other patterns: those that contain this one. A response that matches no row is a success
/// or one of the built-in errors, which together cover every response.
///
/// Rows of one rank that overlap are an error of their own, so no row counts as covered by another of its rank, unless
/// both recognize the same error, or the other's patterns are narrower.
struct TableProof {
    struct Row {
        let row: ResolvedRow
        let finding: Finding
    }

    enum Finding {
        case reached(SampleResponse)
        /// A failure of the transport, or the code of a closed connection reaches it.
        case reachedWithoutResponse
        case unreachable(Reason)
    }

    enum Reason {
        /// It has a code, and the envelope has no path for a code.
        case hasNoCode
        /// It names something in the body, and the response of a HEAD request has no body.
        case hasNoBody
        /// It names something in the body, and a response with the statuses that it names has no body.
        case statusHasNoBody(Int)
        /// It names two things that no body can have together.
        case contradictsItself(String)
        /// Its only code is the text of the envelope's path of the code.
        case codeIsPath(FieldPath)
        /// It names a header or a text, which a frame does not have.
        case frameHasBodyAlone
        /// Each response that matches it is taken by rows before it, for example by this one.
        case isCovered(by: ResolvedRow, example: SampleResponse?)
    }

    let rows: [Row]
    let hasUnreachableRows: Bool
    private let byVerdict: [Verdict: [Int]]

    init(_ endpoint: ResolvedEndpoint, envelope: EnvelopeDefinition?) {
        let search = RowSearch(endpoint.table.rows, envelope, isFrame: endpoint.frame != nil)
        var proved: [Row] = []
        proved.reserveCapacity(endpoint.table.rows.count)
        for (position, row) in endpoint.table.rows.enumerated() {
            let finding: Finding
            if !row.row.isAboutResponse {
                finding = search.findFailure(for: position)
            } else if endpoint.frame != nil, row.row.values.contains(where: { $0.keys == nil }) {
                finding = .unreachable(.frameHasBodyAlone)
            } else if let reason = Self.impossibility(of: row.condition, isHead: endpoint.method == .head, envelope) {
                finding = .unreachable(reason)
            } else {
                finding = search.findResponse(for: position)
            }
            proved.append(Row(row: row, finding: finding))
        }
        rows = proved
        hasUnreachableRows = proved.contains(where: \.isUnreachable)
        byVerdict = Dictionary(grouping: proved.indices) { proved[$0].row.verdict }
    }

    /// The rows of one error or outcome.
    func rows(of verdict: Verdict) -> [Row] { (byVerdict[verdict] ?? []).map { rows[$0] } }

    private static func impossibility(of condition: Condition, isHead: Bool, _ envelope: EnvelopeDefinition?) -> Reason?
    {
        let needsBody = !condition.needsNoBody
        if isHead, needsBody { return .hasNoBody }
        if !condition.codes.isEmpty, envelope?.code == nil { return .hasNoCode }
        if let path = envelope?.code?.value, !condition.codes.isEmpty,
            condition.codes.allSatisfy({ $0.value == .text(path.text) })
        {
            return .codeIsPath(path)
        }
        if needsBody, let first = condition.statuses.first?.value.lowerBound,
            condition.statuses.allSatisfy({ !$0.value.contains(where: HTTPStatus.canHaveBody) })
        {
            return .statusHasNoBody(first)
        }
        let paths = condition.body.map(\.path.value)
        let code = condition.codes.isEmpty ? nil : envelope?.code?.value
        if let (path, deeper) = FieldPath.contradiction(among: paths + [code].compactMap { $0 }) {
            if deeper == code {
                return .contradictsItself("if `\(path.text)` is a value, `\(deeper.text)` cannot have a code")
            }
            return .contradictsItself(
                "if `\(path.text)` is \(path == code ? "the code" : "a value"), `\(deeper.text)` does not exist")
        }
        if let code, let match = condition.body.first(where: { $0.path.value == code }) {
            if CodeMatch.shared([condition.codes.map(\.value)], [TextPattern(match.text.value)]) == nil {
                return .contradictsItself(
                    "`\(code.text)` is the path of the code, so its value cannot be `\(match.text.value)` as well")
            }
        }
        return nil
    }
}

/// Looks for a response that reaches a row of a table.
private struct RowSearch {
    /// RFC 9110 section 15; an interim 1xx isn't a final response.
    private static let usual = 200...599

    private let table: [ResolvedRow]
    private let envelope: EnvelopeDefinition?
    private let isFrame: Bool
    private let index: RowIndex
    /// Each status and each code with which a row may take a response that another one leaves.
    private let statusEdges: [Int]
    private let codeEdges: [Int]
    /// Whether a row has a pattern for the code, which may take any of a range.
    private let hasCodePattern: Bool
    /// What no row has, in place of a star.
    private let filler: String

    init(_ table: [ResolvedRow], _ envelope: EnvelopeDefinition?, isFrame: Bool) {
        self.table = table
        self.envelope = envelope
        self.isFrame = isFrame
        index = RowIndex(table, envelope)
        var statuses = Set<Int>()
        var codes = Set<Int>()
        let code = envelope?.code.map { ResponseMatch.Place.body($0.value.keys) }
        let ofCode = table.flatMap { $0.row.values.filter { $0.place == code }.map(\.pattern) }
        hasCodePattern = ofCode.contains { !$0.isExact }
        filler = TextPattern.filler(apartFrom: table.lazy.flatMap { $0.row.values.lazy.map(\.pattern.literal) })
        for number in ofCode.compactMap({ Int($0.literal) }) { codes.formUnion([number &- 1, number &+ 1]) }
        for range in ofCode.flatMap(\.numberRanges) { codes.formUnion([range.lowerBound - 1, range.upperBound + 1]) }
        for row in table {
            for status in row.condition.statuses {
                statuses.formUnion([status.value.lowerBound - 1, status.value.upperBound + 1])
            }
            for case let numbers? in row.condition.codes.map(\.value.numbers) {
                if numbers.lowerBound > .min { codes.insert(numbers.lowerBound - 1) }
                if numbers.upperBound < .max { codes.insert(numbers.upperBound + 1) }
            }
        }
        // The neighbors of the statuses that have no body.
        statusEdges = statuses.union([203, 205, 303, 305]).sorted()
        codeEdges = codes.sorted()
    }

    func findFailure(for position: Int) -> TableProof.Finding {
        let row = table[position]
        let earlier = table[..<position].lazy.filter { $0.verdict == row.verdict }
        let condition = row.condition
        let closed = earlier.flatMap { $0.condition.close.map(\.value) }
        let isOpen = condition.close.contains { range in
            range.value.contains { code in !closed.contains { $0.contains(code) } }
        }
        if isOpen { return .reachedWithoutResponse }
        let taken = Set(earlier.flatMap { $0.condition.transport.map(\.value) })
        if condition.transport.contains(where: { !taken.contains($0.value) }) { return .reachedWithoutResponse }
        let own = Set(condition.transport.map(\.value))
        let first = earlier.first { other in
            !own.isDisjoint(with: other.condition.transport.map(\.value))
                || condition.close.contains { close in other.condition.close.contains { $0.value.overlaps(close.value) }
                }
        }
        return .unreachable(.isCovered(by: first ?? row, example: nil))
    }

    func findResponse(for position: Int) -> TableProof.Finding {
        let row = table[position]
        var response = SampleResponse(status: 0, isFrame: isFrame)
        for match in row.row.values { response.put(match.pattern.example(filler), at: match.place, in: envelope) }
        let pattern = row.row.values.first { $0.keys == envelope?.code?.value.keys }?.pattern
        let named = response.code
        var covering: (row: ResolvedRow, example: SampleResponse)?
        // Most rows are reached by a code at the end of a stretch.
        for isThorough in hasCodePattern && !row.condition.codes.isEmpty ? [false, true] : [false] {
            let codes = codes(for: row.condition, named: named, pattern, isThorough: isThorough)
            for status in statuses(for: row.condition) {
                for code in codes {
                    response.status = status
                    response.code = code
                    let taken = index.first(matching: response) { other in
                        other < position && (table[other].precedes(row) || table[other].verdict == row.verdict)
                    }
                    guard let taken else { return .reached(response) }
                    covering = covering ?? (table[taken], response)
                }
            }
        }
        return .unreachable(.isCovered(by: covering?.row ?? row, example: covering?.example))
    }

    /// The codes by which rows tell responses apart, as far as a row takes them.
    ///
    /// - Parameters:
    ///   - named: the code that a value of the body is at the same time.
    ///   - pattern: that of this value.
    ///   - isThorough: whether codes within a stretch are looked at, which a pattern may tell apart.
    private func codes(
        for condition: Condition, named: String?, _ pattern: TextPattern?, isThorough: Bool
    ) -> [String?] {
        let own = condition.codes.map(\.value)
        if own.isEmpty || pattern?.isExact ?? false { return [named] }
        if let pattern {
            let texts = pattern.numbers + (isThorough ? own.flatMap(\.texts) : [])
            return texts.filter { text in pattern.matches(text) && own.contains { $0.matches(text) } }
        }
        if isThorough { return own.flatMap(\.texts) }
        var codes: [String?] = []
        for code in own {
            switch code {
            case .text(let text): codes.append(text)
            case .range(let numbers):
                codes.append(String(numbers.lowerBound))
                codes += edges(codeEdges, in: numbers).map { String($0) }
            }
        }
        return codes
    }

    /// One status for each stretch of them that the rows tell apart, as far as a row takes them, unless the row names
    /// nothing but statuses that are unusual.
    private func statuses(for condition: Condition) -> [Int] {
        let own = condition.statuses.map(\.value)
        if isFrame, own.isEmpty { return [200] }
        let isUsual = own.contains { $0.overlaps(Self.usual) }
        let taken =
            own.isEmpty
            ? [Self.usual] : isUsual ? own.filter { $0.overlaps(Self.usual) }.map { $0.clamped(to: Self.usual) } : own
        let candidates = taken.map(\.lowerBound) + taken.flatMap { edges(statusEdges, in: $0) }
        let needsBody = !condition.needsNoBody
        var seen = Set<Int>()
        return candidates.filter { (!needsBody || HTTPStatus.canHaveBody($0)) && seen.insert($0).inserted }
    }

    private func edges(_ all: [Int], in range: ClosedRange<Int>) -> ArraySlice<Int> {
        let start = all.firstPosition { $0 >= range.lowerBound }
        let end = all.firstPosition { $0 > range.upperBound }
        return all[start..<max(start, end)]
    }
}

extension [Int] {
    /// Where the numbers, which are sorted, begin to fulfill a test.
    fileprivate func firstPosition(where test: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if test(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension TableProof.Reason {
    /// The reason in words.
    func text(in envelope: EnvelopeDefinition?) -> String {
        switch self {
        case .hasNoCode:
            envelope.map { "the envelope `\($0.name.value)` has no path for a code" }
                ?? "a response without an envelope has no code"
        case .hasNoBody: "the response of a HEAD request has no body, so it has no code, no text and no body value"
        case .statusHasNoBody(let status):
            "a response with status \(status) has no body, so it has no code, no text and no body value"
        case .frameHasBodyAlone: "a frame has neither headers nor a text beside its JSON"
        case .contradictsItself(let why): why
        case .codeIsPath(let path): "`\(path.text)` is the path of the code, and not a code"
        case .isCovered(let row, let example):
            (example.map { "\($0.text(in: envelope)) is" } ?? "every response that it matches is")
                + " `\(row.verdict.name)`, whose condition precedes it"
        }
    }
}

extension TableProof.Row {
    var isUnreachable: Bool {
        if case .unreachable = finding { true } else { false }
    }
}
