/// A place in the document to come back to. Belongs to the reader that made it.
public struct JSONMark: Sendable, Hashable {
    package var offset: Int
    var remainingDepth: Int
    var wideCount: Int
    var skippedCount: Int
}

extension JSONReader {
    /// Where the cursor is.
    public func mark() -> JSONMark {
        JSONMark(
            offset: cursor - start, remainingDepth: remainingDepth, wideCount: wideSeen.count,
            skippedCount: skippedCount)
    }

    /// Moves the cursor to a mark made in the same object or array, backward or forward. Does
    /// nothing after a fault. An invalid element that is met twice in this way is reported once.
    public mutating func rewind(to mark: JSONMark) {
        if !isFaulted { restore(mark) }
    }

    /// Reads one value that may not fit. A value that does not fit is skipped, and the result is nil. A document that isn't
    /// JSON still faults.
    @inlinable
    public mutating func attempt<Value>(_ read: (inout JSONReader) -> Value?) -> Value? {
        let before = mark()
        let value = read(&self)
        if let value, !isFaulted { return value }
        giveUp(at: before)
        return nil
    }

    /// Reads the value at `path` of the next value, and consumes nothing. Nil if nothing is there;
    /// a value that does not fit is a fault.
    @inlinable
    public mutating func read<Value>(
        at path: JSONPath, _ read: (inout JSONReader) -> Value?
    ) -> Value? {
        let before = mark()
        guard moveTo(path) else { return nil }
        let value = read(&self)
        if isFaulted { return nil }
        if value == nil { recordNoValue() }
        rewind(to: before)
        return value
    }

    /// Reads the value at `path` of the next value, and consumes nothing. Nil if nothing is there,
    /// or what is there does not fit.
    @inlinable
    public mutating func attempt<Value>(
        at path: JSONPath, _ read: (inout JSONReader) -> Value?
    ) -> Value? {
        let before = mark()
        guard moveTo(path) else { return nil }
        let value = attempt(read)
        rewind(to: before)
        return value
    }

    /// The kind of the value at `path` of the next value, which is not consumed; `.end` without a value.
    public mutating func kind(at path: JSONPath) -> JSONKind {
        let before = mark()
        guard moveTo(path) else { return .end }
        let kind = peekKind()
        rewind(to: before)
        return kind
    }

    /// Whether something other than null is at `path` of the next value, which is not consumed.
    public mutating func isPresent(at path: JSONPath) -> Bool {
        let kind = kind(at: path)
        return kind != .end && kind != .null
    }

    /// The scalar at `path` of the next value as text, and consumes nothing: a string's content, a
    /// number as it is there, `true` or `false`. Nil for anything else. Codes compare as text.
    public mutating func text(at path: JSONPath) -> String? {
        attempt(at: path) { reader in
            let kind = reader.peekKind()
            return kind == .object || kind == .array || kind == .null ? nil : reader.readLenientString()
        }
    }

    /// The scalars at `path` as text, for messages: one, or all those of an array. Consumes nothing.
    public mutating func texts(at path: JSONPath) -> [String] {
        if kind(at: path) != .array { return text(at: path).map { [$0] } ?? [] }
        let list = attempt(at: path) { reader in
            reader.readArray { $0.readNullable { $0.attempt { $0.readLenientString() } ?? "" } }
        }
        return (list ?? []).compactMap { $0 }.filter { !$0.isEmpty }
    }

    // MARK: Steps

    /// Moves to the value at `path`. Returns false, with the cursor in its former place, if no value is there.
    @usableFromInline
    mutating func moveTo(_ path: JSONPath) -> Bool {
        if isFaulted { return false }
        let before = mark()
        for step in path.steps {
            let isFound =
                switch peekKind() {
                case .object: moveTo(key: step)
                case .array: moveTo(element: step)
                default: false
                }
            if isFound { continue }
            // A malformed document is still a fault. A path without a value isn't.
            if !isFaulted { restore(before) }
            return false
        }
        return peekKind() != .end
    }

    private mutating func moveTo(key: String) -> Bool {
        var fields = beginObject()
        while let found = nextKeyExtent(&fields) {
            if found.spells(key) { return true }
            skipValue()
        }
        return false
    }

    private mutating func moveTo(element: String) -> Bool {
        guard let wanted = Int(element), wanted >= 0 else { return false }
        var elements = beginArray()
        var index = 0
        while nextElement(&elements) {
            if index == wanted { return true }
            skipValue()
            index += 1
        }
        return false
    }

    /// Ends an attempt: no fault, the value skipped.
    @usableFromInline
    mutating func giveUp(at mark: JSONMark) {
        _ = resume(at: mark)
        skipValue()
    }

    /// Takes the fault out and goes back to `mark`, as if nothing had been read since.
    mutating func resume(at mark: JSONMark) -> PendingFault? {
        let fault = takeFault()
        restore(mark)
        // Elements that were skipped inside belong to the value that did not fit.
        forgetSkipped(since: mark)
        return fault
    }

    private mutating func restore(_ mark: JSONMark) {
        cursor = start + min(max(0, mark.offset), end - start)
        remainingDepth = mark.remainingDepth
        if wideSeen.count > mark.wideCount { wideSeen.removeSubrange(mark.wideCount...) }
    }
}

/// Where a value is inside another: `JSONPath("error", "code")`. A step is a key, or for an
/// array the index of an element.
public struct JSONPath: Sendable, Hashable {
    @usableFromInline let steps: [String]

    /// No step means the value itself.
    public init(_ steps: String...) { self.steps = steps }

    /// The same from a list.
    public init(steps: [String]) { self.steps = steps }
}

extension StringExtent {
    /// Whether the string is `name`, byte by byte.
    func spells(_ name: String) -> Bool {
        if isEscaped { return JSONSyntax.makeString(self).utf8.elementsEqual(name.utf8) }
        return name.utf8.elementsEqual(UnsafeBufferPointer(start: start, count: count))
    }
}
