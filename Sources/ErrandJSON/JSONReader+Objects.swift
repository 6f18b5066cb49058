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
        while beginKey(&fields) {
            var index = expectedKey(keys.table, Int(fields.next))
            if index < 0 {
                guard let extent = finishKey() else { return -1 }
                index = keys.table.index(of: extent)
            }
            var malformation = Malformation.none
            let next = JSONSyntax.skipColon(cursor, end, &malformation)
            if malformation != .none {
                record(malformation.code, at: next, expected: "colon")
                return -1
            }
            cursor = next
            if index >= 0 {
                fields.next = Int32(truncatingIfNeeded: index + 1)
                if index < 64 { fields.seen |= 1 << UInt64(index) } else { noteWide(index, keys, &fields) }
                return index
            }
            skipValue()
        }
        if !isFaulted { checkRequired(keys, fields) }
        return -1
    }

    /// Moves to the value of the next key, whatever it is, and returns the key; nil at the end of the
    /// object, which is then consumed, and on a fault. The caller must consume the value.
    public mutating func nextKey(_ fields: inout JSONFields) -> String? {
        guard let extent = nextKeyExtent(&fields) else { return nil }
        return JSONSyntax.makeString(extent)
    }

    /// `nextKey` without the text.
    mutating func nextKeyExtent(_ fields: inout JSONFields) -> StringExtent? {
        guard beginKey(&fields), let extent = finishKey() else { return nil }
        var malformation = Malformation.none
        let next = JSONSyntax.skipColon(cursor, end, &malformation)
        if malformation != .none {
            record(malformation.code, at: next, expected: "colon")
            return nil
        }
        cursor = next
        return extent
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

    /// If the key at the cursor is the one expected, consumes it and returns its index; -1 otherwise.
    @inline(__always)
    private mutating func expectedKey(_ table: NameTable, _ index: Int) -> Int {
        guard index < table.entries.count else { return -1 }
        let entry = table.entries[index]
        guard entry.isPlain, end - cursor >= entry.count + 2, cursor[entry.count + 1] == ASCII.quote,
            NameTable.isEqual(cursor + 1, entry.name.utf8Start, entry.count)
        else { return -1 }
        cursor += entry.count + 2
        return index
    }

    /// Validates and consumes the key at the cursor, which is its opening quote.
    private mutating func finishKey() -> StringExtent? {
        var malformation = Malformation.none
        let extent = JSONSyntax.scanString(cursor + 1, end, &malformation)
        if malformation != .none {
            record(malformation.code, at: extent.close, expected: "key")
            return nil
        }
        cursor = extent.close + 1
        return extent
    }

    private mutating func checkRequired(_ keys: JSONKeys, _ fields: JSONFields) {
        var missing = -1
        // The object is closed, so it lies one level deeper than what is left says.
        let required = remainingDepth > completeAbove ? keys.all : keys.required
        if required & ~fields.seen != 0 {
            missing = (required & ~fields.seen).trailingZeroBitCount
        }
        if !keys.requiredBeyond.isEmpty {
            for (word, required) in keys.requiredBeyond.enumerated() where missing < 0 {
                let slot = Int(fields.wideBase) + word
                let seen = fields.wideBase >= 0 && slot < wideSeen.count ? wideSeen[slot] : 0
                let absent = required & ~seen
                if absent != 0 { missing = (word + 1) * 64 + absent.trailingZeroBitCount }
            }
            if fields.wideBase >= 0, fields.wideBase < wideSeen.count {
                wideSeen.removeSubrange(Int(fields.wideBase)...)
            }
        }
        if missing >= 0, missing < keys.table.entries.count {
            record(.missingKey("\(keys.table.entries[missing].name)"), at: cursor - 1)
        }
    }

    /// Notes a key beyond the 64th.
    private mutating func noteWide(_ index: Int, _ keys: JSONKeys, _ fields: inout JSONFields) {
        if fields.wideBase < 0 {
            fields.wideBase = Int32(truncatingIfNeeded: wideSeen.count)
            for _ in keys.requiredBeyond { wideSeen.append(0) }
        }
        let slot = Int(fields.wideBase) + index / 64 - 1
        if slot < wideSeen.count { wideSeen[slot] |= 1 << UInt64(index % 64) }
    }
}
