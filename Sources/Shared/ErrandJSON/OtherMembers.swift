// The members of an object beside those that a model declares: `additionalProperties` in the contract language.

extension JSONReader {
    /// Moves to the value of the next known key, as ``nextField(_:_:)`` does, and reads the values of all other keys before it
    /// into a map. A key that comes twice has its last value.
    ///
    /// - Parameter value: reads one value. If it returns nil without a fault, that is a fault.
    public mutating func nextField<Value>(
        _ keys: JSONKeys, _ fields: inout JSONFields, others: inout [String: Value],
        _ value: (inout JSONReader) -> Value?
    ) -> Int {
        while let extent = nextKeyExtent(&fields) {
            let index = keys.table.index(of: extent)
            if index >= 0 {
                note(index, keys, &fields)
                return index
            }
            let key = JSONSyntax.makeString(extent)
            guard let value = value(&self) else {
                recordNoValue()
                return -1
            }
            others[key] = value
        }
        if !isFaulted { checkRequired(keys, fields) }
        return -1
    }
}

extension JSONWriter {
    /// Writes the members of a map into the open object, their keys in the order of their text.
    ///
    /// - Parameter declared: the keys that the object has in any case. One of them in the map is a fault, because the object would
    ///   have it twice.
    @inlinable
    public mutating func writeMembers<Value>(
        _ map: [String: Value], except declared: [String], _ value: (Value, inout JSONWriter) -> Void
    ) {
        for (key, item) in map.sorted(by: { $0.key < $1.key }) {
            if declared.contains(key) { fail("a further member has the name of a declared one") }
            self.key(dynamic: key)
            value(item, &self)
        }
    }
}
