/// The meaning of an escape.
enum EscapeMeaning {
    case scalar(Unicode.Scalar)
    case set(ScalarSet)
    case assertion(Assertion)
}

extension PatternParser {
    /// The meaning of a backslash and the characters after it.
    mutating func escape(inClass: Bool) throws(PatternError) -> EscapeMeaning {
        let start = index
        guard let scalar = peek(1) else {
            throw problem(
                .incompleteEscape, start..<(start + 1), "nothing follows the backslash at the end",
                "write `\\\\` for a backslash")
        }
        index += 2
        switch scalar {
        case "d": return .set(.digits)
        case "D": return .set(ScalarSet.digits.complement)
        case "w": return .set(.word)
        case "W": return .set(ScalarSet.word.complement)
        case "s": return .set(.space)
        case "S": return .set(ScalarSet.space.complement)
        case "t": return .scalar("\t")
        case "n": return .scalar("\n")
        case "r": return .scalar("\r")
        case "f": return .scalar("\u{0C}")
        case "v": return .scalar("\u{0B}")
        case "b": return inClass ? .scalar("\u{08}") : .assertion(.wordBoundary)
        case "B" where !inClass: return .assertion(.noWordBoundary)
        case "x": return .scalar(try hexadecimal(digits: 2, from: start))
        case "u": return .scalar(try unicodeEscape(from: start))
        case "p", "P": return .set(try property(from: start))
        case "0" where !(peek().map(ScalarSet.digits.contains) ?? false): return .scalar("\0")
        case _
        where scalar.value < 0x80 && !ScalarSet.word.contains(scalar) && scalar.value >= 0x20 && scalar.value != 0x7F:
            return .scalar(scalar)
        default: throw refusal(of: scalar, from: start, inClass: inClass)
        }
    }

    private func refusal(of scalar: Unicode.Scalar, from start: Int, inClass: Bool) -> PatternError {
        let range = start..<index
        let text = quoted(range)
        switch scalar {
        case "1"..."9" where !inClass, "k" where !inClass:
            return problem(
                .backreference, range, "\(text) refers back to a group, which patterns cannot",
                "write the part again, or leave this check to the server")
        case "A" where !inClass:
            return problem(.otherAnchor, range, "\(text) is the start of the text in other languages", "write `^`")
        case "z" where !inClass, "Z" where !inClass:
            return problem(.otherAnchor, range, "\(text) is the end of the text in other languages", "write `$`")
        case "G" where !inClass, "K" where !inClass:
            return problem(
                .otherAnchor, range, "\(text) is about a search, and a pattern matches all of a text", "remove it")
        case "h":
            return problem(.otherEscape, range, "patterns have no \(text)", inClass ? "write ` \\t`" : "write `[ \\t]`")
        case "R", "X", "N", "C", "Q", "E", "H", "V", "e", "a", "c", "0":
            return problem(
                .otherEscape, range, "patterns have no \(text)",
                "write the characters that it means; any character can be written as `\\u` and four hexadecimal digits")
        default:
            return problem(
                .unknownEscape, range, "\(text) is not an escape",
                "write `\(scalar)` without the backslash, or `\\\\` for a backslash")
        }
    }

    // MARK: Characters by number

    private mutating func hexadecimal(digits: Int, from start: Int) throws(PatternError) -> Unicode.Scalar {
        guard let value = number(digits), let scalar = Unicode.Scalar(value) else {
            throw incomplete(from: start, "write `\\x` and two hexadecimal digits, `\\u` and four, or `\\u{…}`")
        }
        return scalar
    }

    private mutating func unicodeEscape(from start: Int) throws(PatternError) -> Unicode.Scalar {
        if peek() == "{" {
            index += 1
            var value: UInt32 = 0
            let first = index
            while let digit = peek()?.hexadecimalValue, value <= 0x10FFFF {
                value = value * 16 + digit
                index += 1
            }
            guard index > first, peek() == "}", let scalar = Unicode.Scalar(value) else {
                throw incomplete(from: start, "write the number of a character in braces: `\\u{1F600}`")
            }
            index += 1
            return scalar
        }
        guard let value = number(4) else {
            throw incomplete(from: start, "write `\\u` and four hexadecimal digits, or `\\u{…}`")
        }
        if let scalar = Unicode.Scalar(value) { return scalar }
        // Two halves of UTF-16 make one character.
        if value < 0xDC00, peek() == "\\", peek(1) == "u" {
            index += 2
            if let low = number(4), (0xDC00...0xDFFF).contains(low),
                let scalar = Unicode.Scalar(0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00))
            {
                return scalar
            }
        }
        throw incomplete(from: start, "a character beyond `\\uFFFF` is written `\\u{1F600}`")
    }

    private mutating func number(_ digits: Int) -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = peek()?.hexadecimalValue else { return nil }
            value = value * 16 + digit
            index += 1
        }
        return value
    }

    private func incomplete(from start: Int, _ help: String) -> PatternError {
        problem(.incompleteEscape, start..<index, "\(quoted(start..<index)) is not a character", help)
    }

    // MARK: Properties

    /// `\p{Lu}`, a general category; `\P{Lu}` is everything else.
    private mutating func property(from start: Int) throws(PatternError) -> ScalarSet {
        let isNegated = scalars[index - 1] == "P"
        guard peek() == "{" else {
            throw problem(
                .otherProperty, start..<index, "\(quoted(start..<index)) needs the name of a category in braces",
                "write `\\p{L}` for letters")
        }
        index += 1
        var name = ""
        while let scalar = peek(), scalar != "}" {
            name.unicodeScalars.append(scalar)
            index += 1
        }
        if peek() != nil { index += 1 }
        guard scalars[index - 1] == "}", let bits = GeneralCategory.bits(named: name) else {
            throw problem(
                .otherProperty, start..<index, "\(quoted(start..<index)) is not the short name of a general category",
                "write for example `\\p{L}` for letters, `\\p{Lu}` for capitals or `\\p{N}` for numbers; a script is written as ranges: `[\\u0370-\\u03FF]`"
            )
        }
        let set = ScalarSet(categories: bits)
        return isNegated ? set.complement : set
    }
}

extension Unicode.Scalar {
    fileprivate var hexadecimalValue: UInt32? {
        switch self {
        case "0"..."9": value - 0x30
        case "A"..."F": value - 0x41 + 10
        case "a"..."f": value - 0x61 + 10
        default: nil
        }
    }
}
