extension PatternParser {
    /// Reads the kind of a group after `(`: `?:` and `?<name>`. A group with or without a name only groups.
    mutating func groupKind(from start: Int) throws(PatternError) {
        index += 1
        let second = peek()
        switch second {
        case ":":
            index += 1
        case "<" where peek(1) != "=" && peek(1) != "!": try groupName(from: start)
        case "=", "!", "<":
            let end = index + (second == "<" ? 2 : 1)
            throw problem(
                .lookaround, start..<end,
                "\(quoted(start..<end)) looks \(second == "<" ? "behind" : "ahead"), which patterns do not support",
                "describe the whole text from start to end, or leave this check to the server")
        case ">":
            throw problem(
                .atomicGroup, start..<(index + 1), "`(?>` is an atomic group, which patterns do not support",
                "write `(?:`: nothing is ever tried twice here")
        case "P" where peek(1) == "<":
            throw problem(
                .unknownGroup, start..<(index + 2), "`(?P<` names a group in Python's way",
                "write `(?<`, or `(?:` for a group without a name")
        case .some(let scalar) where "imsuxnUJ-^".unicodeScalars.contains(scalar):
            throw problem(
                .inlineOption, start..<(index + 1),
                "\(quoted(start..<(index + 1))) sets an option, which patterns do not support",
                scalar == "i"
                    ? "write both cases: `[Aa]`" : "write its meaning; for example, `[\\s\\S]` is any character")
        default:
            let end = min(index + 1, scalars.count)
            throw problem(
                .unknownGroup, start..<end, "\(quoted(start..<end)) begins no group that patterns have",
                "write `(?:` or `(`")
        }
    }

    private mutating func groupName(from start: Int) throws(PatternError) {
        index += 1
        let first = index
        while let scalar = peek(), ScalarSet.word.contains(scalar) { index += 1 }
        guard index > first, !ScalarSet.digits.contains(scalars[first]), peek() == ">" else {
            throw problem(
                .unknownGroup, start..<index, "\(quoted(start..<index)) is not the name of a group",
                "write `(?<name>` with letters and digits, or `(?:`")
        }
        index += 1
    }
}
