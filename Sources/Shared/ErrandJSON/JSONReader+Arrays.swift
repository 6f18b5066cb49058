extension JSONReader {
    /// Enters an array. A fault where something else is next.
    public mutating func beginArray() -> JSONElements {
        open(ASCII.openBracket, "array")
        if remainingDepth == notedDepth { notedStart = cursor - start - 1 }
        return JSONElements()
    }

    /// Moves to the next element; false at the end of the array, which is then consumed, and on a
    /// fault. The caller must consume the element.
    public mutating func nextElement(_ elements: inout JSONElements) -> Bool {
        let position = JSONSyntax.skipWhitespace(cursor, end)
        guard position < end else {
            record(.unexpectedEnd, at: end, expected: "element or closing bracket")
            return false
        }
        let byte = position.pointee
        if !elements.isStarted {
            elements.isStarted = true
            cursor = position
            guard byte == ASCII.closeBracket else { return true }
        } else if byte == ASCII.comma {
            cursor = position + 1
            return true
        } else if byte != ASCII.closeBracket {
            record(.invalidSyntax, at: position, expected: "comma or closing bracket")
            return false
        }
        cursor = position + 1
        if remainingDepth == notedDepth { noteArray() }
        remainingDepth += 1
        return false
    }

    /// Reads an array.
    ///
    /// - Parameter element: reads one element: `Account.load`, or `{ $0.readInt() }`. Where it returns
    ///   nil without a fault, that is a fault.
    @inlinable
    public mutating func readArray<Element>(
        _ element: (inout JSONReader) -> Element?
    ) -> [Element] {
        var list: [Element] = []
        var elements = beginArray()
        let likely = likelyCount()
        if likely > 0 { list.reserveCapacity(likely) }
        while nextElement(&elements) {
            guard let value = element(&self) else {
                recordNoValue()
                break
            }
            list.append(value)
        }
        return list
    }

    /// Reads an array, or one value in place of a list, as a list of one: `single: true`. For
    /// `null` the list is empty, since servers that unwrap a single element send that for none.
    @inlinable
    public mutating func readArrayOrSingle<Element>(
        _ element: (inout JSONReader) -> Element?
    ) -> [Element] {
        if peekKind() == .array { return readArray(element) }
        if readNull() { return [] }
        guard let value = element(&self) else {
            recordNoValue()
            return []
        }
        return isFaulted ? [] : [value]
    }

    /// Reads an array and skips the elements that do not fit: `skipInvalid: true`. `JSON.scanReportingSkipped` reports each
    /// with its fault. A document that isn't JSON still faults.
    @inlinable
    public mutating func readArraySkippingInvalid<Element>(
        _ element: (inout JSONReader) -> Element?
    ) -> [Element] {
        var list: [Element] = []
        var elements = beginArray()
        while nextElement(&elements) {
            if let value = readOrSkip(element) { list.append(value) }
        }
        return list
    }

    /// Reads an array or a single value, and leaves out what does not fit; `null` is an empty list.
    @inlinable
    public mutating func readArrayOrSingleSkippingInvalid<Element>(
        _ element: (inout JSONReader) -> Element?
    ) -> [Element] {
        if peekKind() == .array { return readArraySkippingInvalid(element) }
        if readNull() { return [] }
        return readOrSkip(element).map { [$0] } ?? []
    }

    /// Reads an object as a map. The last of several values with one key is kept.
    ///
    /// - Parameter value: reads one value. If it returns nil without a fault, that is a fault.
    @inlinable
    public mutating func readMap<Value>(
        _ value: (inout JSONReader) -> Value?
    ) -> [String: Value] {
        var map: [String: Value] = [:]
        var fields = beginObject()
        while let key = nextKey(&fields) {
            guard let value = value(&self) else {
                recordNoValue()
                break
            }
            map[key] = value
        }
        return map
    }

    /// Reads an object as a map, and leaves out the values that do not fit, as ``readArraySkippingInvalid(_:)`` does.
    @inlinable
    public mutating func readMapSkippingInvalid<Value>(
        _ value: (inout JSONReader) -> Value?
    ) -> [String: Value] {
        var map: [String: Value] = [:]
        var fields = beginObject()
        while let key = nextKey(&fields) {
            if let value = readOrSkip(value) { map[key] = value }
        }
        return map
    }

    /// Reads a value, or skips one that does not fit and returns nil: `lenient: true`. `JSON.scanReportingSkipped` reports it with
    /// its fault. A document that isn't JSON still faults.
    @inlinable
    public mutating func readOrSkip<Value>(_ value: (inout JSONReader) -> Value?) -> Value? {
        let before = mark()
        let value = value(&self)
        if let value, !isFaulted { return value }
        skipInvalid(from: before)
        return nil
    }

    /// Reads a value or null, for lists and maps of optionals:
    /// `readArray { $0.readNullable { $0.readInt() } }`.
    ///
    /// - Returns: nil only on a fault; a null is `.some(nil)`.
    @inlinable
    public mutating func readNullable<Value>(
        _ value: (inout JSONReader) -> Value?
    ) -> Value?? {
        if readNull() { return .some(nil) }
        guard let value = value(&self) else { return nil }
        return .some(value)
    }

    /// How many elements follow in the array just opened, as far as a look at its first bytes tells: so
    /// much room spares a list of numbers or words its growing. 0 where objects or arrays follow.
    @usableFromInline
    mutating func likelyCount() -> Int {
        // Few enough bytes that a wrong guess costs little: strings may be full of commas.
        let stop = cursor + min(end - cursor, 256)
        guard cursor < stop, cursor.pointee != ASCII.openBrace, cursor.pointee != ASCII.closeBracket else { return 0 }
        let ones: UInt64 = 0x0101_0101_0101_0101
        var position = cursor
        var commas = 0
        while stop - position >= 8 {
            let word = UInt64(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
            // One bit tells brackets from braces.
            let folded = word | ones &* 0x20
            let brackets =
                JSONSyntax.zeroBytes(of: folded ^ (ones &* 0x7B)) | JSONSyntax.zeroBytes(of: folded ^ (ones &* 0x7D))
            let before = brackets == 0 ? UInt64.max : (brackets & (~brackets &+ 1)) &- 1
            let found = JSONSyntax.zeroBytes(of: word ^ (ones &* 0x2C)) & before
            commas += Int(truncatingIfNeeded: (found >> 7 &* ones) >> 56)
            if brackets != 0 {
                return position[brackets.trailingZeroBitCount >> 3] == ASCII.closeBracket ? commas + 1 : 0
            }
            position += 8
        }
        return commas + 1
    }

    /// Turns the fault of the value that starts at `mark` into a report and moves past the value. A value that isn't JSON stays a
    /// fault.
    @usableFromInline
    mutating func skipInvalid(from mark: JSONMark) {
        if !isFaulted { recordNoValue() }
        guard let fault = resume(at: mark) else { return }
        skipValue()
        if !isFaulted { note(skipped: fault, at: mark) }
    }
}
