/// Converts a name of the contract into a Swift identifier.
///
/// The rule: the name is cut into words at all characters other than letters, digits and combining marks (blanks, dots,
/// slashes, hyphens, underscores, emoji). The words are joined. Each gets a capital, except the first word of a value. A name
/// without any small letter (`NOT_FOUND`) is lower-cased first. An identifier that would begin with a digit gets an underscore
/// before it. A name without any letter or digit is spelled by the numbers of its characters (`u1F600`).
package enum SwiftIdentifier {
    package enum Style {
        /// A property, a case, a function: begins with a small letter.
        case value
        /// A type: begins with a capital.
        case type
    }

    package static func make(from name: String, _ style: Style) -> String {
        switch (plainStyle(of: name), style) {
        case (.value, .value), (.type, .type): return name
        case (.value, .type): return withCapital(name)
        case (.type, .value), (nil, _): break
        }
        let words = words(of: name)
        guard let first = words.first else { return spelledOut(name) }
        let shouts = !name.contains(where: \.isLowercase)
        var identifier = ""
        if words.count == 1, style == .type {
            identifier = NameWords.capitalized(first)
        } else {
            for (position, word) in words.enumerated() {
                let word = shouts ? word.lowercased() : word
                identifier +=
                    position == 0 && style == .value ? NameWords.uncapitalized(word) : NameWords.capitalized(word)
            }
        }
        return startsValid(identifier) ? identifier : "_" + identifier
    }

    /// Whether a name given under `swift:` can be an identifier as it is.
    package static func isValid(_ name: String) -> Bool {
        startsValid(name) && name.unicodeScalars.allSatisfy(isPart) && name.unicodeScalars.contains { $0 != "_" }
    }

    /// The identifier as source code spells it: keywords in backticks.
    package static func spelled(_ identifier: String) -> String {
        ReservedNames.keywords.contains(identifier) ? "`" + identifier + "`" : identifier
    }

    /// The identifier as the label of an argument in a call: Swift warns about backticks there, and needs them for one word.
    package static func label(_ identifier: String) -> String { identifier == "inout" ? "`inout`" : identifier }

    /// The form of an identifier without case and underscores. Identifiers with the same form are confusable.
    package static func folded(_ identifier: String) -> String {
        let small = identifier.lowercased()
        return small.utf8.contains(UInt8(ascii: "_")) ? small.filter { $0 != "_" } : small
    }

    // MARK: Words

    /// The identifier for a name that contains only letters and digits of ASCII and begins with a letter, as most names do.
    private static func plainStyle(of name: String) -> Style? {
        var name = name
        return name.withUTF8 { bytes in
            guard let first = bytes.first, first >= 0x41, bytes.allSatisfy(isPlain) else { return nil }
            return first >= 0x61 ? .value : .type
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (byte >= 0x61 && byte <= 0x7A) || (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x30 && byte <= 0x39)
    }

    /// Of a name of ASCII.
    private static func withCapital(_ name: String) -> String {
        var bytes = Array(name.utf8)
        bytes[0] &= 0xDF
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func words(of name: String) -> [String] {
        var words: [String] = []
        var word = ""
        for scalar in name.unicodeScalars {
            if scalar != "_", isPart(scalar) {
                word.unicodeScalars.append(scalar)
            } else if !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "_" { return true }
        if scalar.isASCII { return isPlain(UInt8(truncatingIfNeeded: scalar.value)) }
        // Swift's lexer begins an operator at these, though Unicode counts some of them as letters.
        if (0x3008...0x3030).contains(scalar.value) { return false }
        return scalar.properties.isXIDContinue && !HiddenCharacter.contains(scalar)
    }

    private static func startsValid(_ identifier: String) -> Bool {
        guard let first = identifier.unicodeScalars.first else { return false }
        return first == "_" || first.properties.isXIDStart
    }

    private static func spelledOut(_ name: String) -> String {
        name.unicodeScalars.isEmpty
            ? "u" : name.unicodeScalars.map { "u" + String($0.value, radix: 16, uppercase: true) }.joined()
    }
}
