/// Statements inside of braces, one line each.
enum Block {
    /// A call with a trailing closure, on one line where the closure has one statement.
    static func closure(_ call: String, _ body: [String]) -> [String] {
        body.count == 1 ? ["\(call) { \(body[0]) }"] : lines(call, body)
    }

    static func lines(_ head: String, _ body: [String]) -> [String] { [head + " {"] + body + ["}"] }
}

extension [String] {
    /// The lines with their line breaks.
    var text: String { map { $0 + "\n" }.joined() }
}
