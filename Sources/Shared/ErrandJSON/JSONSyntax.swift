/// JSON's grammar as functions over a pointer and an end. Static, because a helper that does not
/// mutate the reader would copy it, which measured as 40 % of the time spent on keys.
enum JSONSyntax {
    /// RFC 8259 section 2, `ws`.
    @inline(__always)
    static func skipWhitespace(_ start: BytePointer, _ end: BytePointer) -> BytePointer {
        // Compact documents have no white space, so this takes one comparison.
        if start < end, start.pointee > ASCII.space { return start }
        return skipSomeWhitespace(start, end)
    }

    @inline(never)
    private static func skipSomeWhitespace(_ start: BytePointer, _ end: BytePointer) -> BytePointer {
        var position = start
        while position < end {
            switch position.pointee {
            case ASCII.space, ASCII.carriageReturn, ASCII.tab: position += 1
            case ASCII.lineFeed:
                position += 1
                // Indentation: eight spaces at a time.
                while end - position >= 8,
                    UnsafeRawPointer(position).loadUnaligned(as: UInt64.self) == 0x2020_2020_2020_2020
                {
                    position += 8
                }
            default: return position
            }
        }
        return position
    }

    /// The kind of a value that starts with `byte`; `.end` if no value does.
    static func kind(startingWith byte: UInt8) -> JSONKind {
        switch byte {
        case ASCII.openBrace: .object
        case ASCII.openBracket: .array
        case ASCII.quote: .string
        case ASCII.minus, ASCII.zero...ASCII.nine: .number
        case ASCII.lowerT, ASCII.lowerF: .bool
        case ASCII.lowerN: .null
        default: .end
        }
    }

    /// Whether the bytes here are these four, the first one in the lowest place.
    @inline(__always)
    static func isWord(_ word: UInt32, _ start: BytePointer, _ end: BytePointer) -> Bool {
        end - start >= 4
            && UInt32(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)) == word
    }

    /// Moves past `true`, `false` or `null`. Another word is reported at its start, so that the path is
    /// that of the value.
    static func skipLiteral(
        _ literal: StaticString, _ start: BytePointer, _ end: BytePointer,
        _ syntaxError: inout SyntaxError
    ) -> BytePointer {
        let bytes = literal.utf8Start
        for index in 0..<literal.utf8CodeUnitCount {
            if end - start <= index {
                syntaxError = .unexpectedEnd
                return end
            }
            if start[index] != bytes[index] {
                syntaxError = .invalidSyntax
                return start
            }
        }
        return start + literal.utf8CodeUnitCount
    }

    /// Validates a string, a number or a literal and moves past it; `start` is its first byte.
    @inline(__always)
    static func skipScalar(
        _ start: BytePointer, _ end: BytePointer, _ syntaxError: inout SyntaxError
    ) -> BytePointer {
        switch start.pointee {
        case ASCII.quote:
            let extent = scanString(start + 1, end, &syntaxError)
            return syntaxError == .none ? extent.close + 1 : extent.close
        case ASCII.minus, ASCII.zero...ASCII.nine: return skipNumber(start, end, &syntaxError)
        case ASCII.lowerT: return skipLiteral("true", start, end, &syntaxError)
        case ASCII.lowerF: return skipLiteral("false", start, end, &syntaxError)
        case ASCII.lowerN: return skipLiteral("null", start, end, &syntaxError)
        default:
            syntaxError = .invalidSyntax
            return start
        }
    }

    /// Validates one value and moves past it; on a syntax error, to the byte where it is.
    ///
    /// A loop rather than a recursion: hostile nesting costs a bit per level and no stack.
    static func skipValue(
        _ start: BytePointer, _ end: BytePointer, _ maximumDepth: Int,
        _ syntaxError: inout SyntaxError
    ) -> BytePointer {
        var position = start
        var levels = OpenLevels()
        while true {
            position = skipWhitespace(position, end)
            guard position < end else { return stop(.unexpectedEnd, end, &syntaxError) }
            let byte = position.pointee
            if byte == ASCII.openBrace || byte == ASCII.openBracket {
                guard levels.count < maximumDepth else { return stop(.tooDeep, position, &syntaxError) }
                let isObject = byte == ASCII.openBrace
                levels.push(isObject: isObject)
                position = skipWhitespace(position + 1, end)
                guard position < end else { return stop(.unexpectedEnd, end, &syntaxError) }
                if position.pointee == (isObject ? ASCII.closeBrace : ASCII.closeBracket) {
                    levels.pop()
                    position += 1
                } else if isObject {
                    position = skipKey(position, end, &syntaxError)
                    if syntaxError != .none { return position }
                    continue
                } else {
                    continue
                }
            } else {
                position = skipScalar(position, end, &syntaxError)
                if syntaxError != .none { return position }
            }
            // A value is complete: go on in the container around it, or up.
            while true {
                if levels.count == 0 { return position }
                position = skipWhitespace(position, end)
                guard position < end else { return stop(.unexpectedEnd, end, &syntaxError) }
                let isObject = levels.isInObject
                if position.pointee == ASCII.comma {
                    position += 1
                    if isObject {
                        position = skipKey(skipWhitespace(position, end), end, &syntaxError)
                        if syntaxError != .none { return position }
                    }
                    break
                }
                guard position.pointee == (isObject ? ASCII.closeBrace : ASCII.closeBracket) else {
                    return stop(.invalidSyntax, position, &syntaxError)
                }
                levels.pop()
                position += 1
            }
        }
    }

    /// Validates a key with its colon and moves past them.
    private static func skipKey(
        _ start: BytePointer, _ end: BytePointer, _ syntaxError: inout SyntaxError
    ) -> BytePointer {
        guard start < end else { return stop(.unexpectedEnd, end, &syntaxError) }
        guard start.pointee == ASCII.quote else { return stop(.invalidSyntax, start, &syntaxError) }
        let extent = scanString(start + 1, end, &syntaxError)
        if syntaxError != .none { return extent.close }
        return skipColon(extent.close + 1, end, &syntaxError)
    }

    /// Moves past a colon and the white space before it.
    @inline(__always)
    static func skipColon(
        _ start: BytePointer, _ end: BytePointer, _ syntaxError: inout SyntaxError
    ) -> BytePointer {
        let position = skipWhitespace(start, end)
        guard position < end else { return stop(.unexpectedEnd, end, &syntaxError) }
        guard position.pointee == ASCII.colon else {
            return stop(.invalidSyntax, position, &syntaxError)
        }
        return position + 1
    }

    @inline(__always)
    static func stop(
        _ found: SyntaxError, _ position: BytePointer, _ syntaxError: inout SyntaxError
    ) -> BytePointer {
        syntaxError = found
        return position
    }
}

/// Which of the open levels are objects: a bit each, the innermost 64 in a register.
private struct OpenLevels {
    private(set) var count = 0
    private var innermost: UInt64 = 0
    private var outer: [UInt64] = []

    var isInObject: Bool { innermost & 1 == 1 }

    mutating func push(isObject: Bool) {
        if count > 0, count & 63 == 0 { outer.append(innermost) }
        innermost = innermost << 1 | (isObject ? 1 : 0)
        count += 1
    }

    mutating func pop() {
        count -= 1
        innermost >>= 1
        if count > 0, count & 63 == 0, let block = outer.popLast() { innermost = block }
    }
}
