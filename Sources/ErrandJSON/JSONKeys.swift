/// The keys of one model, made once: `static let keys = JSONKeys("id", "name", required: 0b01)`.
public struct JSONKeys: Sendable {
    let table: NameTable
    /// Bit i: key i must be there. The first 64 keys.
    let required: UInt64
    /// The same for the keys beyond, 64 a word.
    let requiredBeyond: [UInt64]

    /// The first 64 keys, all of them.
    var all: UInt64 { table.entries.count >= 64 ? .max : 1 << UInt64(table.entries.count) - 1 }

    /// - Parameters:
    ///   - names: the keys as they are spelled on the wire. Their order is that of the indices, and
    ///     should be that in which the server sends them: it is tried first.
    ///   - required: which keys must be there, bit i of the first word for key i; a second word for
    ///     keys 64 to 127, and so on. Words left out mean that nothing is required.
    public init(_ names: StaticString..., required: UInt64...) {
        table = NameTable(names)
        self.required = required.first ?? 0
        var beyond = Array(required.dropFirst())
        let words = max(0, (names.count + 63) / 64 - 1)
        while beyond.count < words { beyond.append(0) }
        requiredBeyond = Array(beyond.prefix(words))
    }
}

/// The words of one enumeration, or the discriminators of one union, made once:
/// `static let tokens = JSONTokens(["active", "frozen"])`.
public struct JSONTokens: Sendable {
    let table: NameTable

    /// - Parameter names: the words as they are spelled on the wire, in the order of their indices.
    public init(_ names: [StaticString]) {
        table = NameTable(names)
    }
}

/// How far the reading of one object has come. Made by `beginObject`, moved by `nextField`.
public struct JSONFields {
    /// Bit i: key i was there.
    var seen: UInt64 = 0
    /// The key that is expected next, tried before the table is asked.
    var next: Int32 = 0
    /// Where this object's words beyond the 64th key start in the reader's stack; -1 before.
    var wideBase: Int32 = -1
    var isStarted = false
}

/// How far the reading of one array has come. Made by `beginArray`, moved by `nextElement`.
public struct JSONElements {
    var isStarted = false
}
