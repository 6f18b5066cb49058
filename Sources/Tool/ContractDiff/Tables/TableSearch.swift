import ContractChecks
import ContractModel

/// Searches for the responses that two tables give different meanings.
///
/// Each response reaches one row of the old table, or none, and one row of the new table, or none. For each such pair, the search
/// looks at the responses with nothing but what both rows name: a response that lacks a value matches fewer of the rows before
/// them. Where a response reaches no row, the condition of a success and the built-in errors also tell responses apart, by the
/// code, the error and the status. The tables tell statuses and codes apart only where a row begins or ends, so one of each stretch
/// is enough. A pattern has a text with something in place of its star that no row names. Statuses outside 200 to 599 are looked at
/// only for rows that name no others.
///
/// Pairs of rows that both tables have are left out. Both tables try them in the same order, by their ranks and their patterns, and
/// other rows of one rank are disjoint, so no response that reaches the one in the old table reaches the other in the new one.
struct TableSearch {
    private let old: TableSide
    private let new: TableSide
    private let hasSameBasis: Bool
    private let values: ValueStretches
    private let statuses: StatusStretches

    /// The work that one endpoint may take: a pair of rows is one unit, and a response ten.
    private static let mostWork = 4_000_000

    init(_ old: ResponseClassifier, _ new: ResponseClassifier) {
        hasSameBasis = old.basis == new.basis
        let keys = [RowKey.all(of: old), RowKey.all(of: new)]
        self.old = TableSide(old, keys[0], other: Set(keys[1]))
        self.new = TableSide(new, keys[1], other: Set(keys[0]))
        values = ValueStretches([old, new])
        statuses = StatusStretches([old, new])
    }

    /// Whether the two tables are not the same at first sight.
    var isNeeded: Bool { !hasSameBasis || !old.changed.isEmpty || !new.changed.isEmpty }

    func run() -> TableComparison {
        var found = FoundDifferences()
        searchFailures(&found)
        var work = 0
        func search(_ one: Int?, _ other: Int?) -> Bool {
            work += 1
            if let one, let other, old.classifier.meanings[one] == new.classifier.meanings[other] { return true }
            return forEachResponse(one, other) { response, stretch in
                work += 10
                let meanings = (old.classifier.meaning(of: response), new.classifier.meaning(of: response))
                if meanings.0 != meanings.1 { record(response, meanings, stretch, &found) }
                return work < Self.mostWork && !found.isFull
            } && work < Self.mostWork
        }
        let isComplete =
            (hasSameBasis || search(nil, nil))
            && old.changed.allSatisfy { one in search(one, nil) && new.all.allSatisfy { search(one, $0) } }
            && new.changed.allSatisfy { other in search(nil, other) && old.unchanged.allSatisfy { search($0, other) } }
        return TableComparison(
            differences: found.differences, isComplete: isComplete && !found.isFull && !values.hasOpenCodes)
    }

    // MARK: Responses

    /// Visits the responses that can reach a row of each table, with the stretch of their statuses, until the visitor has
    /// enough.
    private func forEachResponse(
        _ one: Int?, _ other: Int?, _ visit: (SampleResponse, ClosedRange<Int>) -> Bool
    ) -> Bool {
        let rows = [(old, one), (new, other)].map { side, row in
            (side: side, row: row.map { side.classifier.endpoint.table.rows[$0] })
        }
        var patterns: [ResponseMatch.Place: TextPattern] = [:]
        var fixed = SampleResponse(status: 0, isFrame: old.classifier.isFrame)
        var codes: [FieldPath: [[CodeMatch]]] = [:]
        for (side, row) in rows {
            guard let row else { continue }
            let condition = row.condition
            for match in row.row.values {
                let known = patterns.updateValue(match.pattern, forKey: match.place) ?? match.pattern
                guard let text = TextPattern.shared(known, match.pattern, values.filler) else { return true }
                fixed.put(text, at: match.place, in: nil)
            }
            guard !condition.codes.isEmpty else { continue }
            guard let path = side.classifier.envelope?.code?.value else { return true }
            codes[path, default: []].append(condition.codes.map(\.value))
        }
        // A body that is text has neither a code nor a value, and a frame neither a header nor a text.
        let hasText = fixed.plainText != nil
        if hasText, !fixed.body.isEmpty || !codes.isEmpty { return true }
        if fixed.isFrame, hasText || !fixed.headers.isEmpty { return true }
        var choices: [(path: FieldPath, texts: [String?])] = []
        for (path, sets) in codes.sorted(by: { $0.key < $1.key }) {
            let pattern = patterns[.body(path.keys)]
            func isWanted(_ text: String) -> Bool {
                (pattern?.matches(text) ?? true) && sets.allSatisfy { set in set.contains { $0.matches(text) } }
            }
            if let pattern, pattern.isExact {
                if !isWanted(pattern.literal) { return true }
                continue
            }
            let texts = sets.flatMap { values.texts(in: $0) }.filter(isWanted).unique
            if texts.isEmpty { return true }
            choices.append((path, texts))
        }
        for (side, row) in rows where row == nil && !hasText {
            for (path, all) in side.successChoices(values) where codes[path] == nil {
                let pattern = patterns[.body(path.keys)]
                if pattern?.isExact ?? false { continue }
                let texts =
                    pattern.map { pattern in [fixed.body[path]] + all.filter { $0.map(pattern.matches) ?? false } }
                    ?? all
                if let known = choices.firstIndex(where: { $0.path == path }) {
                    choices[known].texts = (choices[known].texts + texts).unique
                } else {
                    choices.append((path, texts))
                }
            }
        }
        let named = rows.compactMap { $0.row?.condition.statuses.map(\.value) }.filter { !$0.isEmpty }
        return forEachBody(fixed.body, choices[...]) { body in
            let hasBody = hasText || !body.isEmpty
            if hasBody, old.isHead || new.isHead { return true }
            if body.count > 1, FieldPath.contradiction(among: Array(body.keys)) != nil { return true }
            for stretch in statuses.stretches(in: named, hasBody: hasBody) {
                var response = fixed
                response.status = stretch.lowerBound
                response.body = body
                guard visit(response, stretch) else { return false }
                guard response.isFrame, response.status == 200, old.classifier.hasFailureFrame,
                    new.classifier.hasFailureFrame
                else { continue }
                response.isFailureFrame = true
                guard visit(response, stretch) else { return false }
            }
            return true
        }
    }

    private func forEachBody(
        _ body: [FieldPath: String], _ choices: ArraySlice<(path: FieldPath, texts: [String?])>,
        _ visit: ([FieldPath: String]) -> Bool
    ) -> Bool {
        guard let choice = choices.first else { return visit(body) }
        return choice.texts.allSatisfy { text in
            var body = body
            body[choice.path] = text
            return forEachBody(body, choices.dropFirst(), visit)
        }
    }

    private func record(
        _ response: SampleResponse, _ meanings: (ResponseMeaning, ResponseMeaning), _ stretch: ClosedRange<Int>,
        _ found: inout FoundDifferences
    ) {
        found.add(.response, meanings, stretch, size: response.size) {
            TableDifference(
                example: .response(response), old: old.side(meanings.0, of: response),
                new: new.side(meanings.1, of: response), numbers: [])
        }
    }

    // MARK: Failures

    private func searchFailures(_ found: inout FoundDifferences) {
        let (before, after) = (old.classifier, new.classifier)
        for kind in TransportFaultKind.declarable {
            let meanings = (before.meaning(of: kind), after.meaning(of: kind))
            guard meanings.0 != meanings.1 else { continue }
            found.add(.transport, meanings, nil, size: 0) {
                TableDifference(
                    example: .transport(kind),
                    old: TableDifference.Side(meaning: meanings.0, consequence: before.consequence(of: kind)),
                    new: TableDifference.Side(meaning: meanings.1, consequence: after.consequence(of: kind)),
                    numbers: [])
            }
        }
        guard before.isFrame else { return }
        for stretch in CloseStretches([before, after]).all {
            let code = CloseCode(rawValue: UInt16(stretch.lowerBound))
            let meanings = (before.meaning(of: code), after.meaning(of: code))
            guard meanings.0 != meanings.1 else { continue }
            found.add(.close, meanings, stretch, size: 0) {
                TableDifference(
                    example: .close(code),
                    old: TableDifference.Side(meaning: meanings.0, consequence: before.consequence(of: code)),
                    new: TableDifference.Side(meaning: meanings.1, consequence: after.consequence(of: code)),
                    numbers: [])
            }
        }
    }
}

/// One table with its rows about responses.
private struct TableSide {
    let classifier: ResponseClassifier
    let all: [Int]
    /// The rows that the other table does not have.
    let changed: [Int]
    let unchanged: [Int]
    let isHead: Bool

    init(_ classifier: ResponseClassifier, _ keys: [RowKey], other: Set<RowKey>) {
        self.classifier = classifier
        isHead = classifier.endpoint.method == .head
        let rows = classifier.endpoint.table.rows
        all = rows.indices.filter { rows[$0].row.isAboutResponse }
        changed = rows.indices.filter { !other.contains(keys[$0]) }
        unchanged = all.filter { other.contains(keys[$0]) }
    }

    /// The values by which the condition of a success and the built-in errors tell responses apart.
    func successChoices(_ values: ValueStretches) -> [(path: FieldPath, texts: [String?])] {
        guard let envelope = classifier.envelope else { return [] }
        var choices: [(path: FieldPath, texts: [String?])] = []
        if let code = envelope.code?.value {
            choices.append((code, [nil, values.other] + values.texts(in: envelope.success.map(\.value))))
        }
        if let error = envelope.error?.value, error != envelope.code?.value {
            choices.append((error, [nil, values.other]))
        }
        return choices
    }

    func side(_ meaning: ResponseMeaning, of response: SampleResponse) -> TableDifference.Side {
        TableDifference.Side(meaning: meaning, consequence: classifier.consequence(of: response))
    }
}

/// A row by all that it says, however the contract writes it.
private struct RowKey: Hashable {
    let transport: Set<TransportFaultKind>
    let close: [ClosedRange<Int>]
    let statuses: [ClosedRange<Int>]
    let codes: Set<CodeMatch>
    /// Where the codes are.
    let code: FieldPath?
    let values: [ResponseMatch.Place: TextPattern]
    let meaning: RowMeaning

    static func all(of classifier: ResponseClassifier) -> [RowKey] {
        classifier.endpoint.table.rows.enumerated().map { position, row in
            let condition = row.condition
            return RowKey(
                transport: Set(condition.transport.map(\.value)), close: condition.close.map(\.value).joined,
                statuses: condition.statuses.map(\.value).joined, codes: Set(condition.codes.map(\.value)),
                code: condition.codes.isEmpty ? nil : classifier.envelope?.code?.value,
                values: Dictionary(
                    row.row.values.map { ($0.place, $0.pattern) }, uniquingKeysWith: { first, _ in first }),
                meaning: classifier.meanings[position])
        }
    }
}
