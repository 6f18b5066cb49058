/// Finds the pairs of rows of one rank that one response can match, without comparing each row with each other.
///
/// Rows that name the same paths of the body with other values are never compared, nor rows whose codes or statuses have
/// nothing in common. What is left costs in proportion to the rows and the pairs that are found.
struct ConditionOverlaps {
    private let rows: [DecisionRow]
    /// Takes a pair that may overlap, the earlier row first; false ends the search.
    private let visit: (Int, Int) -> Bool

    /// - Parameter visit: takes the positions of two rows of one rank and of different targets that may overlap. It answers
    ///   whether the search goes on.
    init(_ rows: [DecisionRow], visit: @escaping (Int, Int) -> Bool) {
        self.rows = rows
        self.visit = visit
    }

    /// Goes through all ranks. The rows are in the order of their ranks.
    func search() {
        var start = 0
        while start < rows.count {
            var end = start + 1
            while end < rows.count, rows[end].rank == rows[start].rank { end += 1 }
            if end - start > 1, !search(start..<end) { return }
            start = end
        }
    }

    private func search(_ range: Range<Int>) -> Bool {
        guard let first = range.first, !rows[first].condition.body.isEmpty else { return pairs(Array(range), nil) }
        var groups: [[FieldPath]: [Int]] = [:]
        for position in range {
            groups[rows[position].condition.body.map(\.path.value).sorted(), default: []].append(position)
        }
        let ordered = groups.sorted { ($0.value.first ?? 0) < ($1.value.first ?? 0) }
        for (position, group) in ordered.enumerated() {
            for alike in byValues(group.value, at: group.key).values where alike.count > 1 {
                guard pairs(alike, nil) else { return false }
            }
            for other in ordered[(position + 1)...] {
                let known = Set(other.key)
                let shared = group.key.filter(known.contains)
                let others = byValues(other.value, at: shared)
                for (values, alike) in byValues(group.value, at: shared) {
                    if let partners = others[values], !pairs(alike, partners) { return false }
                }
            }
        }
        return true
    }

    /// The rows by the values that they name at these paths.
    private func byValues(_ positions: [Int], at paths: [FieldPath]) -> [[String]: [Int]] {
        Dictionary(grouping: positions) { position in
            let values = Dictionary(
                rows[position].condition.body.map { ($0.path.value, $0.text.value) },
                uniquingKeysWith: { first, _ in first })
            return paths.map { values[$0] ?? "" }
        }
    }

    // MARK: Pairs

    /// Pairs of rows on the left with rows on the right, or of rows on the left among themselves.
    private func pairs(_ left: [Int], _ right: [Int]?) -> Bool {
        guard let first = left.first else { return true }
        let condition = rows[first].condition
        if !condition.transport.isEmpty {
            return pairsByText(left, right) { $0.transport.map(\.value.rawValue) }
        }
        if !condition.codes.isEmpty {
            guard
                pairsByText(
                    left, right,
                    { condition in
                        condition.codes.compactMap { if case .text(let text) = $0.value { text } else { nil } }
                    })
            else { return false }
            return pairsByNumber(left, right) { condition in
                condition.codes.compactMap { code in
                    code.value.numbers.map { Stretch(numbers: $0, isRange: code.value.isRange) }
                }
            }
        }
        if !condition.statuses.isEmpty {
            return pairsByNumber(left, right) { $0.statuses.map { Stretch(numbers: $0.value, isRange: true) } }
        }
        guard let right else {
            for (index, one) in left.enumerated() {
                for other in left[(index + 1)...] where !meet(one, other) { return false }
            }
            return true
        }
        for one in left {
            for other in right where !meet(one, other) { return false }
        }
        return true
    }

    private func pairsByText(_ left: [Int], _ right: [Int]?, _ texts: (Condition) -> [String]) -> Bool {
        var known: [String: [Int]] = [:]
        for position in left {
            let own = Set(texts(rows[position].condition))
            for text in own {
                if right == nil {
                    for other in known[text] ?? [] where !meet(other, position) { return false }
                }
                known[text, default: []].append(position)
            }
        }
        for position in right ?? [] {
            for text in Set(texts(rows[position].condition)) {
                for other in known[text] ?? [] where !meet(other, position) { return false }
            }
        }
        return true
    }

    private struct Stretch {
        let numbers: ClosedRange<Int>
        let isRange: Bool
    }

    /// Goes through all stretches in their order and keeps those that are not over yet.
    private func pairsByNumber(_ left: [Int], _ right: [Int]?, _ stretches: (Condition) -> [Stretch]) -> Bool {
        typealias Entry = (stretch: Stretch, row: Int, isLeft: Bool)
        var entries: [Entry] = []
        var hasRanges = false
        for (positions, isLeft) in [(left, true), (right ?? [], false)] {
            for position in positions {
                for stretch in stretches(rows[position].condition) {
                    entries.append((stretch, position, isLeft))
                    if stretch.isRange { hasRanges = true }
                }
            }
        }
        guard hasRanges else { return true }
        entries.sort { $0.stretch.numbers.lowerBound < $1.stretch.numbers.lowerBound }
        var open: [Entry] = []
        for entry in entries {
            open.removeAll { $0.stretch.numbers.upperBound < entry.stretch.numbers.lowerBound }
            for other in open where right == nil || other.isLeft != entry.isLeft {
                // Two single codes are compared as texts.
                guard other.stretch.isRange || entry.stretch.isRange else { continue }
                if !meet(min(other.row, entry.row), max(other.row, entry.row)) { return false }
            }
            open.append(entry)
        }
        return true
    }

    private func meet(_ one: Int, _ other: Int) -> Bool {
        if one == other || rows[one].target == rows[other].target { return true }
        return visit(min(one, other), max(one, other))
    }
}
