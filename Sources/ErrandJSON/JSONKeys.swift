/// The keys of one model, made once and kept for as long as the process runs:
/// `static let keys = JSONKeys(joined: "id,name", required: 0b01)`.
public struct JSONKeys: Sendable {
    let table: NameTable

    /// The first 64 keys, all of them.
    var all: UInt64 { table.count >= 64 ? .max : 1 << UInt64(table.count) - 1 }

    /// - Parameters:
    ///   - names: the keys as they are spelled on the wire. Their order is that of the indices, and
    ///     should be that in which the server sends them: it is tried first.
    ///   - required: which keys must be there, bit i of the first word for key i; a second word for
    ///     keys 64 to 127, and so on. Words left out mean that nothing is required.
    public init(_ names: StaticString..., required: UInt64...) {
        table = NameTable(names, required: required)
    }

    /// The same from one literal, which compiles much faster than a list of them.
    ///
    /// - Parameters:
    ///   - names: the keys, separated only by commas: `"id,name"`. An empty literal has no keys. A key that contains a comma
    ///     needs the other initializer.
    ///   - required: the keys that must be present, as above.
    public init(joined names: StaticString, required: UInt64...) {
        table = NameTable(joined: names, required: required)
    }

    /// Keys that are known only when the program runs, none of them required.
    package init(_ names: [String]) {
        let bytes = names.flatMap(\.utf8)
        table = bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            return NameTable(
                names.map { name in
                    defer { start += name.utf8.count }
                    return UnsafeBufferPointer(rebasing: bytes[start..<(start + name.utf8.count)])
                })
        }
    }
}

/// The words of one enumeration, or the discriminators of one union, made once and kept for as long
/// as the process runs: `static let tokens = JSONTokens(joined: "active,frozen")`.
public struct JSONTokens: Sendable {
    let table: NameTable

    /// - Parameter names: the words as they are spelled on the wire, in the order of their indices.
    public init(_ names: [StaticString]) {
        table = NameTable(names)
    }

    /// The same from one literal, which compiles much faster than a list of them.
    ///
    /// - Parameter names: the words, separated only by commas. An empty literal has no words. A word that contains a comma
    ///   needs the other initializer.
    public init(joined names: StaticString) {
        table = NameTable(joined: names)
    }
}

/// How far the reading of one object has come. Made by `beginObject`, moved by `nextField`.
public struct JSONFields {
    /// Bit i: key i was there.
    var seen: UInt64 = 0
    /// The key that is expected next, tried before the table is asked.
    var next: Int32 = 0
    /// Where this object's words beyond the 64th key start in the reader's stack; -1 before that.
    var wideBase: Int32 = -1
    var isStarted = false
    /// Whether the object has its keys in another order than the table.
    var isShuffled = false
}

/// How far the reading of one array has come. Made by `beginArray`, moved by `nextElement`.
public struct JSONElements {
    var isStarted = false
}
