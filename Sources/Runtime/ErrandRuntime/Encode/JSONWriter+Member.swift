extension JSONWriter {
    /// Writes a member of an object, unless it has no value.
    package mutating func member(_ name: StaticString, _ value: (some JSONWritable)?) {
        guard let value else { return }
        key(name)
        value.write(to: &self)
    }
}
