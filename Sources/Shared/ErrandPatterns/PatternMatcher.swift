/// Matches texts against one pattern. It follows all paths through the automaton at once, and remembers in a bounded table
/// where each set of places leads (a deterministic automaton, made as far as texts need it).
///
/// A scalar of any text costs at most as many steps as the automaton has states.
package struct PatternMatcher: Sendable {
    /// The maximum number of entries in the table, and of places in its rows. At this limit the table is cleared.
    static let mostEntries = 1 << 14

    private let pattern: RegularPattern
    /// The meaning of each row: the side of the text before it, then the places in the automaton, ascending.
    private var keys: [[Int32]] = []
    private var rows: [[Int32]: Int] = [:]
    /// Row by row the next row for each letter; -1 before the first search.
    private var table: [Int32] = []
    private var places = 0
    private var visited: PlaceSet
    private var reached: PlaceSet
    private var open: [Int32] = []
    /// How many instructions and table entries were looked at, for tests that count instead of waiting.
    package private(set) var steps = 0

    package init(_ pattern: RegularPattern) {
        self.pattern = pattern
        visited = PlaceSet(capacity: pattern.program.count)
        reached = PlaceSet(capacity: pattern.program.count)
    }

    /// Whether the pattern matches all of the text.
    package mutating func matches(_ text: String) -> Bool {
        var row = row(for: [Before.nothing, 0])
        for scalar in text.unicodeScalars {
            let letter = pattern.alphabet.letter(of: scalar)
            let known = table[row * pattern.alphabet.count + letter]
            steps += 1
            row = known >= 0 ? Int(known) : advance(row, scalar, letter)
            if keys[row].count == 1 { return false }  // no way leads on
        }
        return follow(keys[row], next: nil)
    }

    // MARK: The table

    /// The kind of scalar before a place in the text, as far as the pattern needs it.
    private enum Before {
        static let nothing: Int32 = 0
        static let word: Int32 = 1
        static let other: Int32 = 2
    }

    private mutating func row(for key: [Int32]) -> Int {
        if let row = rows[key] { return row }
        let row = keys.count
        rows[key] = row
        keys.append(key)
        places += key.count
        table.append(contentsOf: repeatElement(-1, count: pattern.alphabet.count))
        return row
    }

    /// The row after a scalar, for which the table had none.
    private mutating func advance(_ row: Int, _ scalar: Unicode.Scalar, _ letter: Int) -> Int {
        _ = follow(keys[row], next: scalar)
        var key = [pattern.looksAtWords && ScalarSet.word.contains(scalar) ? Before.word : Before.other]
        reached.drain(into: &key)
        guard table.count + pattern.alphabet.count <= Self.mostEntries, places + key.count <= Self.mostEntries else {
            keys.removeAll(keepingCapacity: true)
            rows.removeAll(keepingCapacity: true)
            table.removeAll(keepingCapacity: true)
            places = 0
            return self.row(for: key)
        }
        let next = self.row(for: key)
        table[row * pattern.alphabet.count + letter] = Int32(next)
        return next
    }

    // MARK: The automaton

    /// Follows all ways from the places of a key as far as they lead without a scalar, and over the next one into
    /// `reached`. The result is whether one of them ends the pattern.
    private mutating func follow(_ key: [Int32], next: Unicode.Scalar?) -> Bool {
        var isAtEnd = false
        let program = pattern.program
        let sets = pattern.alphabet.sets
        visited.removeAll()
        for place in key.dropFirst() { visit(place) }
        while let place = open.popLast() {
            steps += 1
            switch program[Int(place)] {
            case .consume(let set):
                if let next, sets[Int(set)].contains(next) { reached.insert(place + 1) }
            case .split(let one, let other):
                visit(place + one)
                visit(place + other)
            case .jump(let distance): visit(place + distance)
            case .assert(let assertion):
                if holds(assertion, before: key[0], next: next) { visit(place + 1) }
            case .accept: isAtEnd = true
            }
        }
        return isAtEnd
    }

    private mutating func visit(_ place: Int32) {
        if visited.insert(place) { open.append(place) }
    }

    private func holds(_ assertion: Assertion, before: Int32, next: Unicode.Scalar?) -> Bool {
        switch assertion {
        case .start: before == Before.nothing
        case .end: next == nil
        case .wordBoundary: isBoundary(before, next)
        case .noWordBoundary: !isBoundary(before, next)
        }
    }

    private func isBoundary(_ before: Int32, _ next: Unicode.Scalar?) -> Bool {
        (before == Before.word) != (next.map(ScalarSet.word.contains) ?? false)
    }
}

/// Places in an automaton, one bit each.
private struct PlaceSet: Sendable {
    private var words: [UInt64]

    init(capacity: Int) {
        words = Array(repeating: 0, count: capacity / 64 + 1)
    }

    @discardableResult
    mutating func insert(_ place: Int32) -> Bool {
        let bit: UInt64 = 1 << UInt64(place & 63)
        let word = Int(place >> 6)
        guard words[word] & bit == 0 else { return false }
        words[word] |= bit
        return true
    }

    mutating func removeAll() {
        for index in words.indices { words[index] = 0 }
    }

    /// Moves all places to the end of a list, in ascending order.
    mutating func drain(into list: inout [Int32]) {
        for index in words.indices {
            while words[index] != 0 {
                list.append(Int32(index * 64 + words[index].trailingZeroBitCount))
                words[index] &= words[index] - 1
            }
        }
    }
}
