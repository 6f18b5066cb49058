/// Reads the entries of a strings file, as property lists in the old style have them.
struct StringsScan {
    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    var isAtEnd: Bool { next == nil }

    private func problem(_ message: String) -> CatalogProblem {
        // A place in the text as UTF-8, in which reports show it.
        CatalogProblem(message: message, offset: scalars[..<position].reduce(0) { $0 + UTF8.width($1) })
    }

    mutating func entries() throws(CatalogProblem) -> [StringsFile.Entry] {
        var entries: [StringsFile.Entry] = []
        while true {
            let comment = try skipBlanks()
            guard next != nil else { return entries }
            let start = position
            let key = try text("a key in quotes is missing")
            let keyRange = start..<position
            var valueRange: Range<Int>?
            _ = try skipBlanks()
            var value = key
            if next == "=" {
                position += 1
                _ = try skipBlanks()
                let start = position
                value = try text("the value of `\(key.prefix(200))` is missing")
                valueRange = start..<position
                _ = try skipBlanks()
            }
            guard next == ";" else { throw problem("`;` is missing after the entry `\(key.prefix(200))`") }
            position += 1
            entries.append(
                StringsFile.Entry(
                    key: key, value: value, comment: comment?.text, commentRange: comment?.range, keyRange: keyRange,
                    valueRange: valueRange))
        }
    }

    /// Skips blanks and comments.
    ///
    /// - Returns: the last comment of Errand, whatever people have written after it. Without one, the last comment in `/*` and `*/`, if no
    ///   other comment and no empty line follow it.
    private mutating func skipBlanks() throws(CatalogProblem) -> (text: String, range: Range<Int>)? {
        var comment: (text: String, range: Range<Int>)?
        var own: (text: String, range: Range<Int>)?
        var lineEnds = 0
        while let scalar = next {
            if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
                if scalar == "\n" { lineEnds += 1 }
                if lineEnds > 1 { comment = nil }
                position += 1
            } else if scalar == "/", position + 1 < scalars.count, scalars[position + 1] == "/" {
                while let scalar = next, scalar != "\n", scalar != "\r" { position += 1 }
                comment = nil
            } else if scalar == "/", position + 1 < scalars.count, scalars[position + 1] == "*" {
                comment = try takeComment()
                if let comment, StringsFile.hasSource(comment.text) { own = comment }
                lineEnds = 0
            } else {
                break
            }
        }
        return own ?? comment
    }

    private mutating func takeComment() throws(CatalogProblem) -> (text: String, range: Range<Int>) {
        let start = position
        var end = position + 2
        while end + 1 < scalars.count, !(scalars[end] == "*" && scalars[end + 1] == "/") { end += 1 }
        guard end + 1 < scalars.count else { throw problem("the end of this comment is missing") }
        var content = scalars[(start + 2)..<end]
        while content.first?.properties.isWhitespace == true { content.removeFirst() }
        while content.last?.properties.isWhitespace == true { content.removeLast() }
        position = end + 2
        var text = String.UnicodeScalarView()
        text.append(contentsOf: content)
        return (String(text), start..<position)
    }

    /// A text in quotes, or a word without them.
    private mutating func text(_ absence: String) throws(CatalogProblem) -> String {
        if next == "\"" { return try quotedText() }
        var word = ""
        while let scalar = next, scalar.isASCII,
            scalar.properties.isAlphabetic || "0123456789_.$:-/".unicodeScalars.contains(scalar)
        {
            word.unicodeScalars.append(scalar)
            position += 1
        }
        guard !word.isEmpty else { throw problem(absence) }
        return word
    }

    mutating func quotedText() throws(CatalogProblem) -> String {
        guard next == "\"" else { throw problem("a quote is missing") }
        let start = position
        position += 1
        var units: [UInt16] = []
        while let scalar = next {
            position += 1
            switch scalar {
            case "\"":
                guard let text = String(validating: units, as: UTF16.self) else {
                    position = start
                    throw problem("half of a surrogate pair is missing")
                }
                return text
            case "\\": units += try escape()
            default: units += Array(UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter)
            }
        }
        position = start
        throw problem("the end of this text is missing")
    }

    private mutating func escape() throws(CatalogProblem) -> [UInt16] {
        guard let scalar = next else { throw problem("the end of this text is missing") }
        position += 1
        switch scalar {
        case "n": return [0x0A]
        case "r": return [0x0D]
        case "t": return [0x09]
        case "a": return [0x07]
        case "b": return [0x08]
        case "f": return [0x0C]
        case "v": return [0x0B]
        case "U", "u": return [try number(digits: 4, radix: 16)]
        case "0"..."7":
            position -= 1
            return [try number(digits: 3, radix: 8)]
        default: return Array(UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter)
        }
    }

    /// A number of at most so many digits.
    private mutating func number(digits: Int, radix: Int) throws(CatalogProblem) -> UInt16 {
        var value: UInt16?
        var count = 0
        while count < digits, let scalar = next, scalar.isASCII,
            let digit = Character(scalar).hexDigitValue, digit < radix
        {
            value = (value ?? 0) &* UInt16(radix) &+ UInt16(digit)
            position += 1
            count += 1
        }
        guard let value else { throw problem("digits are missing in an escape") }
        return value
    }
}
