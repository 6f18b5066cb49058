extension JSONReader {
    /// Enters an object. A fault where something else is next.
    public mutating func beginObject() -> JSONFields {
        open(ASCII.openBrace, "object")
        return JSONFields()
    }

    /// Moves to the value of the next known key, and returns the key's index in `keys`; -1 at the end
    /// of the object, which is then consumed, and on a fault. The caller must consume the value.
    ///
    /// Unknown keys are validated with their values and skipped. A key that comes twice is returned
    /// twice. At the end, a required key that never came is a fault that names it.
    public mutating func nextField(_ keys: JSONKeys, _ fields: inout JSONFields) -> Int {
        // The way of nearly all keys: the separator, the key that is expected, a colon.
        var position = cursor
        if fields.isStarted {
            guard position < end else { return nextUnexpectedField(keys, &fields) }
            if position.pointee == ASCII.comma {
                position = JSONSyntax.skipWhitespace(position + 1, end)
            } else if position.pointee == ASCII.closeBrace, keys.table.wordsBeyond == 0,
                keys.table.required & ~fields.seen == 0, remainingDepth < completeAbove
            {
                remainingDepth += 1
                cursor = position + 1
                return -1
            } else {
                return nextUnexpectedField(keys, &fields)
            }
        } else {
            position = JSONSyntax.skipWhitespace(position, end)
        }
        let index = Int(fields.next)
        if let next = Self.skipKey(index, keys, position, end) {
            cursor = next
            fields.isStarted = true
            note(index, keys, &fields)
            return index
        }
        return nextUnexpectedField(keys, &fields)
    }

    /// The same for all keys, in any order, and for the end of the object.
    @inline(never)
    private mutating func nextUnexpectedField(_ keys: JSONKeys, _ fields: inout JSONFields) -> Int {
        while beginKey(&fields) {
            // Keys that may be absent are the most frequent reason: try the ones after.
            for index in Int(fields.next)..<Int(fields.next) + (fields.isShuffled ? 0 : 3) {
                guard let next = Self.skipKey(index, keys, cursor, end) else { continue }
                cursor = next
                note(index, keys, &fields)
                return index
            }
            let index: Int
            let name = cursor + 1
            let close = JSONSyntax.skipPlain(name, end)
            if end - close >= 2, close[0] == ASCII.quote, close[1] == ASCII.colon {
                cursor = close + 2
                index = keys.table.index(of: name, count: close - name)
            } else {
                guard let extent = finishKey() else { return -1 }
                index = keys.table.index(of: extent)
            }
            if index >= 0 {
                fields.isShuffled = true
                note(index, keys, &fields)
                return index
            }
            skipValue()
        }
        if !isFaulted { checkRequired(keys, fields) }
        return -1
    }

    /// The place just past the key with this index and its colon, if they are at `start`.
    @inline(__always)
    private static func skipKey(
        _ index: Int, _ keys: JSONKeys, _ start: BytePointer, _ end: BytePointer
    ) -> BytePointer? {
        guard let close = keys.table.skip(index, start, end) else { return nil }
        let colon = JSONSyntax.skipWhitespace(close, end)
        return colon < end && colon.pointee == ASCII.colon ? colon + 1 : nil
    }

    /// Notes that a key was there, and expects the one after it.
    @inline(__always)
    mutating func note(_ index: Int, _ keys: JSONKeys, _ fields: inout JSONFields) {
        fields.next = Int32(truncatingIfNeeded: index + 1)
        if index < 64 { fields.seen |= 1 &<< UInt64(index) } else { noteWide(index, keys, &fields) }
    }

    /// Moves to the value of the next key, and returns the key. It accepts any key. Nil on a fault, and at the end of the
    /// object, which is then consumed. The caller must consume the value.
    public mutating func nextKey(_ fields: inout JSONFields) -> String? {
        guard let extent = nextKeyExtent(&fields) else { return nil }
        return JSONSyntax.makeString(extent)
    }

    /// `nextKey` without the text.
    mutating func nextKeyExtent(_ fields: inout JSONFields) -> StringExtent? {
        beginKey(&fields) ? finishKey() : nil
    }

    // MARK: Steps

    /// Consumes an opening bracket or brace.
    mutating func open(_ bracket: UInt8, _ expectation: StaticString) {
        cursor = JSONSyntax.skipWhitespace(cursor, end)
        guard cursor < end, cursor.pointee == bracket else { return recordMismatch(expectation) }
        guard remainingDepth > 0 else { return record(.tooDeep, at: cursor) }
        remainingDepth -= 1
        cursor += 1
    }

    /// Moves past the comma and to the opening quote of a key. False at the end of the object, which
    /// is consumed, and on a fault.
    @inline(__always)
    private mutating func beginKey(_ fields: inout JSONFields) -> Bool {
        var position = JSONSyntax.skipWhitespace(cursor, end)
        if position < end {
            let byte = position.pointee
            if byte == ASCII.closeBrace {
                remainingDepth += 1
                cursor = position + 1
                return false
            }
            if !fields.isStarted {
                fields.isStarted = true
            } else if byte == ASCII.comma {
                position = JSONSyntax.skipWhitespace(position + 1, end)
            } else {
                record(.invalidSyntax, at: position, expected: "comma or closing brace")
                return false
            }
        }
        cursor = position
        guard position < end else {
            record(.unexpectedEnd, at: end, expected: "key")
            return false
        }
        guard position.pointee == ASCII.quote else {
            record(.invalidSyntax, at: position, expected: "key")
            return false
        }
        return true
    }

    /// Validates and consumes the key at the cursor, which is its opening quote, with its colon.
    private mutating func finishKey() -> StringExtent? {
        var syntaxError = SyntaxError.none
        let extent = JSONSyntax.scanString(cursor + 1, end, &syntaxError)
        if syntaxError != .none {
            record(syntaxError.code, at: extent.close, expected: "key")
            return nil
        }
        let next = JSONSyntax.skipColon(extent.close + 1, end, &syntaxError)
        if syntaxError != .none {
            record(syntaxError.code, at: next, expected: "colon")
            return nil
        }
        cursor = next
        return extent
    }

    mutating func checkRequired(_ keys: JSONKeys, _ fields: JSONFields) {
        var missing = -1
        // The object is closed, so that the levels left are those of where it is.
        let required = remainingDepth > completeAbove ? keys.all : keys.table.required
        let absent = required & ~fields.seen
        if absent != 0 { missing = absent.trailingZeroBitCount }
        if keys.table.wordsBeyond > 0 {
            for word in 0..<keys.table.wordsBeyond where missing < 0 {
                let slot = Int(fields.wideBase) + word
                let seen = fields.wideBase >= 0 && slot < wideSeen.count ? wideSeen[slot] : 0
                let absent = keys.table.requiredBeyond(word) & ~seen
                if absent != 0 { missing = (word + 1) * 64 + absent.trailingZeroBitCount }
            }
            if fields.wideBase >= 0, fields.wideBase < wideSeen.count {
                wideSeen.removeSubrange(Int(fields.wideBase)...)
            }
        }
        if missing >= 0, missing < keys.table.count {
            record(.missingKey(keys.table.names[missing]), at: cursor - 1)
        }
    }

    /// Notes a key beyond the 64th.
    @inline(never)
    private mutating func noteWide(_ index: Int, _ keys: JSONKeys, _ fields: inout JSONFields) {
        if fields.wideBase < 0 {
            fields.wideBase = Int32(truncatingIfNeeded: wideSeen.count)
            for _ in 0..<keys.table.wordsBeyond { wideSeen.append(0) }
        }
        let slot = Int(fields.wideBase) + index / 64 - 1
        if slot < wideSeen.count { wideSeen[slot] |= 1 << UInt64(index % 64) }
    }
}
