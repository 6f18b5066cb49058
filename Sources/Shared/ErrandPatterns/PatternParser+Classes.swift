extension PatternParser {
    /// `[a-z\d_]`, from its bracket on.
    mutating func characterClass() throws(PatternError) -> ScalarSet {
        let start = index
        index += 1
        let isNegated = peek() == "^"
        if isNegated { index += 1 }
        if peek() == "]" {
            throw problem(
                .emptyClass, start..<(index + 1),
                "\(quoted(start..<(index + 1))) is an empty class in some engines, and is not closed in others",
                isNegated
                    ? "write `[\\s\\S]` for any character, or `[^\\]` for all but the bracket"
                    : "write `[\\]` for the bracket")
        }
        var ranges: [ClosedRange<UInt32>] = []
        var categories: UInt32 = 0
        while let scalar = peek(), scalar != "]" {
            let first = index
            switch try member() {
            case .set(let set):
                ranges += set.ranges
                categories |= set.categories
                if peek() == "-" { try hyphenBehindSet(from: first) }
            case .scalar(let lower):
                guard let upper = try upperEnd() else {
                    ranges.append(lower.value...lower.value)
                    continue
                }
                guard lower.value <= upper.value else {
                    throw problem(
                        .reversedRange, first..<index, "the range \(quoted(first..<index)) begins above its end",
                        "write the lesser character first, or `\\-` for the hyphen")
                }
                ranges.append(lower.value...upper.value)
            case .assertion: break  // an escape in a class isn't an assertion
            }
        }
        guard peek() == "]" else {
            throw problem(
                .unclosedClass, start..<(start + 1), "the class that opens here is never closed",
                "write `]` at its end, or `\\[` for the character")
        }
        index += 1
        return ScalarSet(ranges, categories: categories, isNegated: isNegated)
    }

    /// Reads the upper end of a range after a member; nil without one. A hyphen before `]` or a set is a hyphen.
    private mutating func upperEnd() throws(PatternError) -> Unicode.Scalar? {
        guard peek() == "-", let next = peek(1), next != "]" else { return nil }
        let hyphen = index
        index += 1
        if next == "-" { throw operation(hyphen..<(hyphen + 2)) }
        if case .scalar(let upper) = try member() { return upper }
        index = hyphen
        return nil
    }

    /// All engines read `[\w-.]` the same way, but each reads `[\w-a-z]` differently.
    private func hyphenBehindSet(from first: Int) throws(PatternError) {
        guard peek(2) == "-", let last = peek(3), last != "]", peek(1) != "\\" else { return }
        throw problem(
            .setOperation, first..<(index + 4),
            "the hyphens in \(quoted(first..<(index + 4))) mean different things in different engines",
            "write `\\-` for the hyphen")
    }

    private mutating func member() throws(PatternError) -> EscapeMeaning {
        let scalar = scalars[index]
        switch scalar {
        case "\\": return try escape(inClass: true)
        case "[":
            if let sign = peek(1), ":.=".unicodeScalars.contains(sign) {
                throw problem(
                    .nestedClass, index..<(index + 2),
                    "\(quoted(index..<(index + 2))) begins a POSIX class, which patterns do not support",
                    "write `0-9`, `a-zA-Z`, `\\p{L}` and the like, or `\\[` for the bracket")
            }
            throw problem(
                .nestedClass, index..<(index + 1),
                "`[` in a class is a bracket in some engines, and opens another class in others",
                "write `\\[` for the bracket")
        case "&", "-", "~":
            if peek(1) == scalar { throw operation(index..<(index + 2)) }
        default: break
        }
        index += 1
        return .scalar(scalar)
    }

    private func operation(_ range: Range<Int>) -> PatternError {
        problem(
            .setOperation, range,
            "\(quoted(range)) in a class is two characters in some engines, and combines two classes in others",
            "write the character once, with a backslash: `\\\(scalars[range.lowerBound])`")
    }
}
