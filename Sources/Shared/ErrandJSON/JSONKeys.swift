/// The keys of one model, made once and kept for as long as the process runs:
/// `static let keys = JSONKeys(["id", "name", "note"], optional: ["note"])`.
public struct JSONKeys: Sendable {
    let table: NameTable

    /// The first 64 keys, all of them.
    var all: UInt64 { table.count >= 64 ? .max : 1 << UInt64(table.count) - 1 }

    /// - Parameters:
    ///   - names: the keys as they are spelled on the wire, in the order of their indices. It should be the order in which the
    ///     server sends them, which is tried first.
    ///   - optional: the keys among them that may be absent.
    public init(_ names: [String], optional: [String] = []) {
        let optional = Set(optional)
        table = NameTable(names, isRequired: names.map { !optional.contains($0) })
    }
}

/// The words of one enumeration, or the discriminators of one union, made once and kept for as long
/// as the process runs: `static let tokens = JSONTokens(["active", "frozen"])`.
public struct JSONTokens: Sendable {
    let table: NameTable

    /// - Parameter names: the words as they are spelled on the wire, in the order of their indices.
    public init(_ names: [String]) {
        table = NameTable(names)
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
