/// Writes numbers, texts and lists one after the other. Each has its length before it.
struct RecordWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ number: Int64) {
        let bits = UInt64(bitPattern: number)
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
    }

    /// Nil has the length -1.
    mutating func add(_ data: [UInt8]?) {
        add(data.map { Int64($0.count) } ?? -1)
        bytes += data ?? []
    }

    mutating func add(_ text: String?) { add(text.map { Array($0.utf8) }) }

    mutating func add<Element>(_ list: [Element], _ element: (inout RecordWriter, Element) -> Void) {
        add(Int64(list.count))
        for item in list { element(&self, item) }
    }
}

/// Reads what a `RecordWriter` has written. Each step gives nil for bytes that it has not written.
struct RecordReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number() -> Int64? {
        guard rest.count >= 8 else { return nil }
        var bits: UInt64 = 0
        for (position, byte) in rest.prefix(8).enumerated() { bits |= UInt64(byte) << (position * 8) }
        rest = rest.dropFirst(8)
        return Int64(bitPattern: bits)
    }

    /// The inner nil is a written one.
    mutating func data() -> [UInt8]?? {
        guard let count = number() else { return nil }
        if count == -1 { return .some(nil) }
        guard count >= 0, count <= Int64(rest.count) else { return nil }
        let data = Array(rest.prefix(Int(count)))
        rest = rest.dropFirst(Int(count))
        return .some(data)
    }

    mutating func text() -> String?? {
        guard let data = data() else { return nil }
        guard let data else { return .some(nil) }
        guard let text = String(validating: data, as: UTF8.self) else { return nil }
        return .some(text)
    }

    /// A name with its value, which may be a written nil.
    mutating func pair() -> (name: String, value: String?)? {
        guard let name = text(), let name, let value = text() else { return nil }
        return (name, value)
    }

    mutating func list<Element>(_ element: (inout RecordReader) -> Element?) -> [Element]? {
        // An element has a number at least, so a wrong count takes no memory.
        guard let count = number(), count >= 0, count <= Int64(rest.count / 8) else { return nil }
        var list: [Element] = []
        for _ in 0..<count {
            guard let next = element(&self) else { return nil }
            list.append(next)
        }
        return list
    }
}
