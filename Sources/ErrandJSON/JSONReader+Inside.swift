extension JSONReader {
    /// Reads the value at `path` of the next value, which is consumed as a whole: other than `read(at:)`, which
    /// goes back to where it began, this goes over the bytes once.
    ///
    /// - Parameters:
    ///   - path: keys of objects only. Of a key that comes twice, the first one is taken.
    ///   - read: reads the value. Nil without a fault stands for nothing to be had there.
    /// - Returns: nil where nothing is at the path, and on a fault.
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
