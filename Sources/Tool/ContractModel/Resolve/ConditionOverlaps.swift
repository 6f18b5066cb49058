/// Finds the pairs of rows of one rank that one response can match, without comparing each row with each other.
///
/// It never compares rows that name the same places with other texts, or rows whose codes or statuses are disjoint. The remaining
/// cost is proportional to the rows and the pairs that are found, and to the rows for each one with a pattern.
struct ConditionOverlaps {
    private let rows: [ResolvedRow]
    /// Takes a pair that may overlap, the earlier row first; false ends the search.
    private let visit: (Int, Int) -> Bool

    /// - Parameter visit: takes the positions of two rows of one rank and with different verdicts that may overlap. It returns
    ///   whether the search continues.
    init(_ rows: [ResolvedRow], visit: @escaping (Int, Int) -> Bool) {
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
        guard let first = range.first, !rows[first].row.values.isEmpty else { return pairs(Array(range), nil) }
        let open = Set(range.filter { position in rows[position].row.values.contains { !$0.pattern.isExact } })
        for one in open.sorted() {
            for other in range where other > one || !open.contains(other) {
                if !areApart(one, other), !meet(one, other) { return false }
            }
        }
        var groups: [[ResponseMatch.Place]: [Int]] = [:]
        for position in range where !open.contains(position) {
            groups[rows[position].row.values.map(\.place).sorted(), default: []].append(position)
        }
        let ordered = groups.sorted { ($0.value.first ?? 0) < ($1.value.first ?? 0) }
        for group in ordered {
            for alike in byValues(group.value, at: group.key).values where alike.count > 1 {
                guard pairs(alike, nil) else { return false }
            }
        }
        return ordered.count < 2 || (pairsAcross(ordered.map(\.value)) && pairsApart(ordered))
    }

    /// Whether two rows name texts at one place that no response has both of.
    private func areApart(_ one: Int, _ other: Int) -> Bool {
        rows[one].row.values.contains { first in
            rows[other].row.values.contains { second in
                first.place == second.place && TextPattern.shared(first.pattern, second.pattern, "") == nil
            }
        }
    }

    /// Pairs of rows that name different paths, at least one of them in common.
    private func pairsAcross(_ groups: [[Int]]) -> Bool {
        var numbers: [ResponseMatch.Place: [String: Int]] = [:]
        var paths: [ResponseMatch.Place: Int] = [:]
        var buckets: [[(row: Int, group: Int)]] = []
        var entries: [Int: [(path: Int, value: Int)]] = [:]
        for (group, rows) in groups.enumerated() {
            for row in rows {
                for match in self.rows[row].row.values {
                    let path = paths[match.place] ?? paths.count
                    paths[match.place] = path
                    let value = numbers[match.place]?[match.pattern.literal] ?? buckets.count
                    if value == buckets.count { buckets.append([]) }
                    numbers[match.place, default: [:]][match.pattern.literal] = value
                    buckets[value].append((row, group))
                    entries[row, default: []].append((path, value))
                }
                entries[row]?.sort { $0.path < $1.path }
            }
        }
        for (group, rows) in groups.enumerated() {
            for row in rows {
                let own = entries[row] ?? []
                for entry in own {
                    for other in buckets[entry.value] where other.row > row && other.group != group {
                        // Met once, at the first path that both name.
                        guard Self.firstShared(own, entries[other.row] ?? []) == entry.path else { continue }
                        if !meet(row, other.row) { return false }
                    }
                }
            }
        }
        return true
    }

    /// The first path that both name; nil if they name another value at one.
    private static func firstShared(_ one: [(path: Int, value: Int)], _ other: [(path: Int, value: Int)]) -> Int? {
        var (left, right) = (0, 0)
        var first: Int?
        while left < one.count, right < other.count {
            if one[left].path < other[right].path {
                left += 1
            } else if other[right].path < one[left].path {
                right += 1
            } else {
                if one[left].value != other[right].value { return nil }
                first = first ?? one[left].path
                left += 1
                right += 1
            }
        }
        return first
    }

    /// Pairs of rows without a common path.
    private func pairsApart(_ groups: [(key: [ResponseMatch.Place], value: [Int])]) -> Bool {
        var users: [ResponseMatch.Place: [Int]] = [:]
        for (group, paths) in groups.map(\.key).enumerated() {
            for path in Set(paths) { users[path, default: []].append(group) }
        }
        for (position, group) in groups.enumerated() {
            // A path that all of them name leaves none over.
            if group.key.contains(where: { users[$0]?.count == groups.count }) { continue }
            let near = Set(group.key.flatMap { users[$0] ?? [] })
            for other in groups.indices where other > position && !near.contains(other) {
                guard pairs(group.value, groups[other].value) else { return false }
            }
        }
        return true
    }

    /// The rows by the texts that they name at these places.
    private func byValues(_ positions: [Int], at places: [ResponseMatch.Place]) -> [[String]: [Int]] {
        Dictionary(grouping: positions) { position in
            let values = Dictionary(
                rows[position].row.values.map { ($0.place, $0.pattern.literal) },
                uniquingKeysWith: { first, _ in first })
            return places.map { values[$0] ?? "" }
        }
    }

    // MARK: Pairs

    /// Pairs of rows on the left with rows on the right, or of rows on the left among themselves.
    private func pairs(_ left: [Int], _ right: [Int]?) -> Bool {
        guard let first = left.first else { return true }
        let condition = rows[first].condition
        if !condition.close.isEmpty {
            return pairsByNumber(left, right) { $0.close.map { Stretch(numbers: $0.value, isRange: true) } }
        }
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
        if one == other || rows[one].verdict == rows[other].verdict { return true }
        return visit(min(one, other), max(one, other))
    }
}
