extension JSONReader {
    /// Reads a string.
    public mutating func readString() -> String {
        guard let extent = readStringExtent("string") else { return "" }
        return JSONSyntax.makeString(extent)
    }

    /// Reads `true` or `false`.
    public mutating func readBool() -> Bool {
        cursor = JSONSyntax.skipWhitespace(cursor, end)
        guard cursor < end else {
            recordMismatch("bool")
            return false
        }
        switch cursor.pointee {
        case ASCII.lowerT:
            if JSONSyntax.isWord(0x6575_7274, cursor, end) {
                cursor += 4
                return true
            }
            return consumeLiteral("true")
        case ASCII.lowerF:
            // The last four bytes: the first one was looked at.
            if end - cursor > 4, JSONSyntax.isWord(0x6573_6C61, cursor + 1, end) {
                cursor += 5
                return false
            }
            _ = consumeLiteral("false")
            return false
        default:
            recordMismatch("bool")
            return false
        }
    }

    // MARK: Words

    /// Reads a string that should be one of `tokens`, and returns its index; -1 for another word,
    /// which `takeToken` then gives, and on a fault.
    public mutating func readToken(_ tokens: JSONTokens) -> Int {
        guard let extent = readStringExtent("string") else { return -1 }
        return index(of: extent, tokens)
    }

    /// Looks ahead for the value of `key` in the next object, which is not consumed, and returns that value's index in
    /// `tokens`. This finds the discriminator of a union in any position. The result is -1 for another word, which `takeToken`
    /// then returns. A missing key, or a value that isn't a string, is a fault.
    public mutating func peekToken(at key: StaticString, _ tokens: JSONTokens) -> Int {
        peek(at: key) { $0.readToken(tokens) }
    }

    /// The same for a discriminator that is an integer. `tokens` has the numbers as text, and the number's text is compared. A
    /// value that isn't a number is a fault.
    public mutating func peekNumber(at key: StaticString, _ tokens: JSONTokens) -> Int {
        peek(at: key) { $0.readNumberToken(tokens) }
    }

    /// The same for a union that has a case for all other objects: -1 also means that the object does not have the key, or has it with
    /// a value that is no text.
    public mutating func peekToken(at key: StaticString, orOther tokens: JSONTokens) -> Int {
        peek(at: key, .string, tokens)
    }

    /// The same for a discriminator that is an integer.
    public mutating func peekNumber(at key: StaticString, orOther tokens: JSONTokens) -> Int {
        peek(at: key, .number, tokens)
    }

    private mutating func peek(at key: StaticString, _ kind: JSONKind, _ tokens: JSONTokens) -> Int {
        let before = mark()
        var fields = beginObject()
        var index = -1
        while let found = nextKeyExtent(&fields) {
            if found.count >= key.utf8CodeUnitCount, found.spells(key), peekKind() == kind {
                index = readScalarExtent().map { tokens.table.index(of: $0) } ?? -1
                break
            }
            skipValue()
        }
        rewind(to: before)
        return index
    }

    @inline(__always)
    private mutating func peek(at key: StaticString, _ read: (inout JSONReader) -> Int) -> Int {
        let before = mark()
        var fields = beginObject()
        while let found = nextKeyExtent(&fields) {
            if found.count >= key.utf8CodeUnitCount, found.spells(key) {
                let index = read(&self)
                rewind(to: before)
                return index
            }
            skipValue()
        }
        if !isFaulted { record(.missingKey("\(key)"), at: cursor - 1) }
        return -1
    }

    /// Looks ahead into the next object without consuming it, and returns the index of the one key of `tokens` that it has with a
    /// value other than null. Unions by keys use it to identify their case. Returns -1 if the object has none of the keys, or
    /// several. The order of the keys doesn't matter.
    public mutating func peekKey(_ tokens: JSONTokens) -> Int {
        let before = mark()
        var fields = beginObject()
        var found = -1
        var isClear = true
        while let key = nextKeyExtent(&fields) {
            let index = tokens.table.index(of: key)
            if index >= 0, index != found, peekKind() != .null {
                if found >= 0 { isClear = false }
                found = index
            }
            skipValue()
        }
        if isFaulted { return -1 }
        if found < 0, completeAbove != .max, let first = tokens.table.names.first {
            record(.missingKey(first), at: cursor - 1)
            return -1
        }
        rewind(to: before)
        return isClear ? found : -1
    }

    private mutating func readNumberToken(_ tokens: JSONTokens) -> Int {
        _ = peekKind()
        let first = cursor
        guard readNumberExtent("int") != nil else { return -1 }
        return index(of: StringExtent(start: first, close: cursor, isEscaped: false), tokens)
    }

    /// The unknown word that `readToken` or `peekToken` met last, or the unknown number of `peekNumber`. Empty without one.
    public mutating func takeToken() -> String {
        guard let extent = token else { return "" }
        token = nil
        return JSONSyntax.makeString(extent)
    }

    /// Raises a fault for the unknown word that `readToken` or `peekToken` met last: a closed
    /// enumeration, or a union without a case for others.
    public mutating func faultUnknownToken(_ tokens: JSONTokens) {
        guard !isFaulted else { return }
        let names = tokens.table.names.joined(separator: ", ")
        let position = token?.start ?? cursor
        record(
            PendingFault(
                code: .unknownToken, offset: position - start, expectation: .text("one of \(names)")))
    }

    private mutating func index(of extent: StringExtent, _ tokens: JSONTokens) -> Int {
        let index = tokens.table.index(of: extent)
        if index < 0 {
            token = extent
            if completeAbove != .max { faultUnknownToken(tokens) }
        }
        return index
    }

    // MARK: Steps

    /// Validates and consumes a string.
    @inline(__always)
    mutating func readStringExtent(_ expectation: StaticString) -> StringExtent? {
        cursor = JSONSyntax.skipWhitespace(cursor, end)
        guard cursor < end, cursor.pointee == ASCII.quote else {
            recordMismatch(expectation)
            return nil
        }
        var syntaxError = SyntaxError.none
        let extent = JSONSyntax.scanString(cursor + 1, end, &syntaxError)
        guard syntaxError == .none else {
            record(syntaxError.code, at: extent.close, expected: expectation)
            return nil
        }
        cursor = extent.close + 1
        return extent
    }

    /// Validates and consumes a string, a number or a bool; the extent is that of its text.
    mutating func readScalarExtent() -> StringExtent? {
        let kind = peekKind()
        guard kind == .number || kind == .bool else { return readStringExtent("string") }
        let first = cursor
        skipValue()
        return isFaulted ? nil : StringExtent(start: first, close: cursor, isEscaped: false)
    }

    /// Consumes a string and parses its text with escapes resolved. Nil from `parse` is a fault.
    mutating func readText<Value>(
        _ expectation: StaticString, _ parse: (UnsafeBufferPointer<UInt8>) -> Value?
    ) -> Value? {
        guard let extent = readStringExtent(expectation) else { return nil }
        if let value = extent.withText(parse) { return value }
        record(.malformedText, at: extent.start - 1, expected: expectation)
        return nil
    }
}

extension StringExtent {
    /// Lends the string's text with escapes resolved.
    func withText<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        if !isEscaped { return body(UnsafeBufferPointer(start: start, count: count)) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer in
            let length = JSONSyntax.unescape(self, into: buffer)
            return body(UnsafeBufferPointer(rebasing: buffer[..<length]))
        }
    }

    /// Whether the string is `name`, byte by byte.
    func spells(_ name: StaticString) -> Bool {
        withText { text in
            guard text.count == name.utf8CodeUnitCount, let base = text.baseAddress else {
                return text.count == name.utf8CodeUnitCount
            }
            return NameTable.isEqual(base, name.utf8Start, text.count)
        }
    }
}
