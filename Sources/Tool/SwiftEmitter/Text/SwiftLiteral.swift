import ContractModel

/// The one place where text from a contract becomes part of a string literal.
///
/// Architecture invariant: no other code puts quotes around text. Whatever is in a contract, the compiled literal
/// holds it scalar for scalar, and nothing of it is read as Swift.
enum SwiftLiteral {
    /// A literal that holds exactly this text.
    static func string(_ text: String) -> String {
        "\"" + escaped(text) + "\""
    }

    /// Characters of a word that stay on one line.
    private static let longestWord = 64

    /// A literal that becomes one of several lines where one line has no room for it.
    ///
    /// - Parameter isLabeled: whether a label or an equals sign is before the literal. The lines are then indented.
    static func add(_ pieces: [Piece], isLabeled: Bool, to layout: inout Layout) {
        layout.add(.open(.usual))
        if isLabeled { layout.add(.indent) }
        layout.add(.breakable(.openLiteral))
        for (position, word) in words(pieces).enumerated() {
            if position > 0 { layout.add(.breakable(.word)) }
            layout.add(word)
        }
        layout.add(.breakable(.closeLiteral))
        if isLabeled { layout.add(.outdent) }
        layout.add(.close)
    }

    /// A literal made of fixed text and of expressions that are interpolated between.
    static func interpolated(_ pieces: [Piece]) -> String { "\"" + words(pieces).joined() + "\"" }

    enum Piece {
        case text(String)
        /// Swift that the emitter wrote itself.
        case expression(String)
    }

    /// The content of a literal, in parts between which a line can end: after a space or a comma, beside an expression, and
    /// inside a word that is too long for a line.
    private static func words(_ pieces: [Piece]) -> [String] {
        pieces.flatMap { piece -> [String] in
            switch piece {
            case .expression(let expression): return ["\\(" + expression + ")"]
            case .text(let text):
                var words: [String] = []
                var word = ""
                var length = 0
                for character in text {
                    word.append(character)
                    length += 1
                    if character == " " || character == "," || length == longestWord {
                        words.append(escaped(word))
                        word = ""
                        length = 0
                    }
                }
                return word.isEmpty ? words : words + [escaped(word)]
            }
        }
    }

    /// The digits of an integer, in groups where there are many.
    static func decimal(_ magnitude: some BinaryInteger) -> String {
        let digits = magnitude.description
        return digits.utf8.count < 7 ? digits : grouped(digits)
    }

    private static func grouped(_ digits: String) -> String {
        var result = ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.utf8.count - position) % 3 == 0 { result += "_" }
            result.append(digit)
        }
        return result
    }

    private static func escaped(_ text: String) -> String {
        if text.utf8.allSatisfy(isPlain) { return text }
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if HiddenCharacter.contains(scalar) {
                    result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }

    /// Printable ASCII that means nothing inside a literal.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != 0x22 && byte != 0x5C
    }
}
