/// Reads a pattern into an automaton. Groups are kept on a stack of its own, so that nothing recurses.
struct PatternParser {
    let scalars: [Unicode.Scalar]
    var index = 0
    /// The groups that are open, the whole pattern first.
    private var groups = [Group(opening: 0)]
    private var sets: [ScalarSet] = []
    private var setIndexes: [ScalarSet: Int32] = [:]
    /// The instructions of all open groups.
    private var size = 1

    /// The part of a group that has been read.
    private struct Group {
        let opening: Int
        var alternatives: [Fragment] = []
        var sequence = Fragment()
        /// Where in `sequence` begins what a quantifier would repeat.
        var repeatable: Int?

        var isEmpty: Bool { alternatives.isEmpty && sequence.count == 0 }
    }

    init(_ text: String) throws(PatternError) {
        scalars = Array(text.unicodeScalars.prefix(RegularPattern.longest + 1))
        guard scalars.count <= RegularPattern.longest else {
            throw problem(
                .tooLong, 0..<RegularPattern.longest, "a pattern has at most \(RegularPattern.longest) characters",
                "write a shorter one, and leave the rest to the server")
        }
    }

    mutating func parse() throws(PatternError) -> (program: [Instruction], sets: [ScalarSet]) {
        while let scalar = peek() {
            switch scalar {
            case "(": try openGroup()
            case ")": try closeGroup()
            case "|":
                groups[groups.count - 1].alternatives.append(groups[groups.count - 1].sequence)
                groups[groups.count - 1].sequence = Fragment()
                groups[groups.count - 1].repeatable = nil
                index += 1
                try grow(by: 2, from: index - 1)
            case "*", "+", "?", "{": try repetition()
            default: try atom()
            }
        }
        guard groups.count == 1 else {
            let opening = groups[groups.count - 1].opening
            throw problem(
                .unclosedGroup, opening..<(opening + 1), "the group that opens here is never closed",
                "write `)` at its end, or `\\(` for the character")
        }
        var whole = Fragment.any(of: groups[0].alternatives + [groups[0].sequence])
        whole.append(.accept)
        return (whole.instructions, sets)
    }

    // MARK: Atoms

    private mutating func atom() throws(PatternError) {
        let start = index
        let instruction: Instruction
        switch scalars[index] {
        case "[": instruction = .consume(set: number(of: try characterClass()))
        case ".":
            index += 1
            instruction = .consume(set: number(of: .dot))
        case "^":
            index += 1
            instruction = .assert(.start)
        case "$":
            index += 1
            instruction = .assert(.end)
        case "\\":
            switch try escape(inClass: false) {
            case .scalar(let scalar): instruction = .consume(set: number(of: ScalarSet(scalar)))
            case .set(let set): instruction = .consume(set: number(of: set))
            case .assertion(let assertion): instruction = .assert(assertion)
            }
        case let scalar:
            index += 1
            instruction = .consume(set: number(of: ScalarSet(scalar)))
        }
        try grow(by: 1, from: start)
        groups[groups.count - 1].repeatable =
            if case .assert = instruction { nil } else { groups[groups.count - 1].sequence.count }
        groups[groups.count - 1].sequence.append(instruction)
    }

    private mutating func number(of set: ScalarSet) -> Int32 {
        if let number = setIndexes[set] { return number }
        let number = Int32(sets.count)
        sets.append(set)
        setIndexes[set] = number
        return number
    }

    // MARK: Groups

    private mutating func openGroup() throws(PatternError) {
        let start = index
        index += 1
        if peek() == "?" { try groupKind(from: start) }
        groups.append(Group(opening: start))
    }

    private mutating func closeGroup() throws(PatternError) {
        guard groups.count > 1, let group = groups.popLast() else {
            throw problem(
                .unopenedGroup, index..<(index + 1), "nothing opens the group that `)` closes",
                "remove it, or write `\\)` for the character")
        }
        index += 1
        groups[groups.count - 1].repeatable = groups[groups.count - 1].sequence.count
        groups[groups.count - 1].sequence.append(.any(of: group.alternatives + [group.sequence]))
    }

    // MARK: Repetitions

    private mutating func repetition() throws(PatternError) {
        let start = index
        let (least, most) = try repetitionCounts()
        guard let first = groups[groups.count - 1].repeatable else {
            throw problem(
                .nothingToRepeat, start..<index, "there is nothing that \(quoted(start..<index)) could repeat",
                "write it after a character, a class or a group, or `\\\(scalars[start])` for the character")
        }
        if peek() == "+" {
            throw problem(
                .possessiveRepetition, start..<(index + 1),
                "\(quoted(start..<(index + 1))) is a possessive repetition, which patterns do not support",
                "remove the last `+`: nothing is ever tried twice here")
        }
        // All of the text has to match: lazy or not, the same texts do.
        if peek() == "?" { index += 1 }
        let part = groups[groups.count - 1].sequence.removeLast(from: first)
        try grow(by: part.size(repeated: least, most) - part.count, from: start)
        groups[groups.count - 1].sequence.append(part.repeated(least, most))
        groups[groups.count - 1].repeatable = nil
    }

    private mutating func repetitionCounts() throws(PatternError) -> (least: Int, most: Int?) {
        let start = index
        index += 1
        switch scalars[start] {
        case "*": return (0, nil)
        case "+": return (1, nil)
        case "?": return (0, 1)
        default: break
        }
        guard let least = count() else {
            throw problem(
                .unclosedRepetition, start..<(start + 1), "`{` begins a repetition such as `{2,3}`, and none follows",
                peek() == "," ? "write the least number too: `{0,`" : "write `\\{` for the character")
        }
        var most: Int? = least
        if peek() == "," {
            index += 1
            most = count()
        }
        guard peek() == "}" else {
            throw problem(
                .unclosedRepetition, start..<index, "the repetition \(quoted(start..<index)) is not closed",
                "write `{2}`, `{2,}` or `{2,3}`, or `\\{` for the character")
        }
        index += 1
        if let most, most < least {
            throw problem(
                .reversedRepetition, start..<index, "the repetition \(quoted(start..<index)) begins above its end",
                "write the lesser number first")
        }
        return (least, most)
    }

    /// Reads a number of repetitions. A number above the limit is read as the limit plus one.
    private mutating func count() -> Int? {
        var count: Int?
        while let digit = peek(), ("0"..."9").contains(digit) {
            count = min((count ?? 0) * 10 + Int(digit.value - 0x30), RegularPattern.mostStates + 1)
            index += 1
        }
        return count
    }

    // MARK: Reading

    func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        index + distance < scalars.count ? scalars[index + distance] : nil
    }

    private mutating func grow(by count: Int, from start: Int) throws(PatternError) {
        size += count
        guard size <= RegularPattern.mostStates else {
            throw problem(
                .tooManyStates, start..<index,
                "the pattern has more than \(RegularPattern.mostStates) states with \(quoted(start..<index))",
                "repeat less, and bound long texts with `length`")
        }
    }

    /// A part of the pattern for a message, cut if it is long.
    func quoted(_ range: Range<Int>) -> String {
        let text = scalars[range].prefix(24).map { scalar in
            scalar.properties.generalCategory == .control ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }.joined()
        return range.count > 24 ? "`\(text)…`" : "`\(text)`"
    }

    /// - Parameter range: in scalars.
    func problem(_ reason: PatternError.Reason, _ range: Range<Int>, _ message: String, _ help: String)
        -> PatternError
    {
        let range = range.clamped(to: 0..<scalars.count)
        func bytes(_ range: Range<Int>) -> Int { scalars[range].reduce(0) { $0 + UTF8.width($1) } }
        let start = bytes(0..<range.lowerBound)
        return PatternError(reason: reason, range: start..<(start + bytes(range)), message: message, help: help)
    }
}
