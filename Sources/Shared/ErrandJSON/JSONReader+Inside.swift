extension JSONReader {
    /// Reads the value at `path` of the next value, which is consumed as a whole. Unlike `read(at:)`, which returns to its
    /// start, it reads the bytes only once.
    ///
    /// - Parameters:
    ///   - path: only keys of objects. The first of two duplicate keys is taken.
    ///   - read: reads the value. Nil without a fault means that no value is available there.
    /// - Returns: nil if no value is at the path, and on a fault.
    @inlinable
    public mutating func readInside<Value>(
        _ path: JSONPath, _ read: (inout JSONReader) -> Value?
    ) -> Value? {
        var found: Value?
        readInside(path.steps[...]) { found = read(&$0) }
        return isFaulted ? nil : found
    }

    @usableFromInline
    mutating func readInside(_ steps: ArraySlice<String>, _ read: (inout JSONReader) -> Void) {
        guard let step = steps.first else { return read(&self) }
        guard peekKind() == .object else { return skipValue() }
        var isFound = false
        var fields = beginObject()
        while let key = nextKeyExtent(&fields) {
            if !isFound, key.spells(step) {
                isFound = true
                readInside(steps.dropFirst(), read)
            } else {
                skipValue()
            }
        }
    }
}
