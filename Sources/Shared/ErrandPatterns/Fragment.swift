/// One step of a pattern's automaton (Thompson: Regular Expression Search Algorithm, 1968). Targets are relative, so that a
/// copied run of instructions keeps its meaning.
enum Instruction: Hashable, Sendable {
    /// Takes one scalar of a set, and goes on after.
    case consume(set: Int32)
    /// Goes on at both places.
    case split(Int32, Int32)
    case jump(Int32)
    /// Goes on if the assertion holds at the place in the text.
    case assert(Assertion)
    /// The end of the pattern.
    case accept
}

/// A pattern's condition on a place between two scalars.
enum Assertion: Hashable, Sendable {
    case start, end, wordBoundary, noWordBoundary
}

/// The automaton of a part of a pattern: entered at its first instruction, left after its last one.
struct Fragment {
    private(set) var instructions: [Instruction] = []

    var count: Int { instructions.count }

    init() {}

    init(_ instruction: Instruction) {
        instructions = [instruction]
    }

    mutating func append(_ other: Fragment) {
        instructions += other.instructions
    }

    mutating func append(_ instruction: Instruction) {
        instructions.append(instruction)
    }

    /// Takes off what begins at an index.
    mutating func removeLast(from start: Int) -> Fragment {
        var last = Fragment()
        last.instructions = Array(instructions[start...])
        instructions.removeSubrange(start...)
        return last
    }

    /// `a|b|c`. There is at least one alternative.
    static func any(of alternatives: [Fragment]) -> Fragment {
        let total = size(ofAny: alternatives)
        var result = Fragment()
        result.instructions.reserveCapacity(total)
        for (index, alternative) in alternatives.enumerated() {
            guard index < alternatives.count - 1 else {
                result.append(alternative)
                continue
            }
            result.append(.split(1, Int32(alternative.count + 2)))
            result.append(alternative)
            result.append(.jump(Int32(total - result.count)))
        }
        return result
    }

    static func size(ofAny alternatives: [Fragment]) -> Int {
        alternatives.reduce(2 * (alternatives.count - 1)) { $0 + $1.count }
    }

    /// `a{least,most}`, without an end where `most` is nil.
    func repeated(_ least: Int, _ most: Int?) -> Fragment {
        var result = Fragment()
        result.instructions.reserveCapacity(size(repeated: least, most))
        for _ in 0..<least { result.append(self) }
        if let most {
            let size = count + 1
            for left in stride(from: most - least, to: 0, by: -1) {
                result.append(.split(1, Int32(left * size)))
                result.append(self)
            }
        } else {
            result.append(.split(1, Int32(count + 2)))
            result.append(self)
            result.append(.jump(Int32(-count - 1)))
        }
        return result
    }

    /// How many instructions ``repeated(_:_:)`` makes. The counts are bounded by the caller, so that nothing overflows.
    func size(repeated least: Int, _ most: Int?) -> Int {
        least * count + (most.map { ($0 - least) * (count + 1) } ?? count + 2)
    }
}
