/// The reason why a response is unreadable although its server has carried the command out: in place of a number, it has a word that JSON
/// does not have (RFC 8259 section 6). Many web frameworks write it for a number that is none. It is the `underlying` error of a
/// `malformed` failure.
public struct NonFiniteNumberError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The first such word: `NaN`, `Infinity` or `-Infinity`.
    public let word: String

    public var description: String { "the response has \(word) in place of a number, which JSON does not have" }

    /// The words outside of texts, and the document with `null` in their places; nil for one without them.
    static func find(in document: [UInt8]) -> (error: NonFiniteNumberError, rest: [UInt8])? {
        var rest: [UInt8] = []
        var error: NonFiniteNumberError?
        var isText = false
        var index = 0
        while index < document.count {
            let byte = document[index]
            if !isText, let word = words.first(where: { document[index...].starts(with: $0.utf8) }) {
                error = error ?? NonFiniteNumberError(word: word)
                rest += "null".utf8
                index += word.utf8.count
                continue
            }
            // The byte after a backslash ends no text.
            let isEscape = isText && byte == UInt8(ascii: "\\")
            if byte == UInt8(ascii: "\"") { isText.toggle() }
            rest += document[index..<min(index + (isEscape ? 2 : 1), document.count)]
            index += isEscape ? 2 : 1
        }
        return error.map { ($0, rest) }
    }

    private static let words = ["NaN", "Infinity", "-Infinity"]
}
