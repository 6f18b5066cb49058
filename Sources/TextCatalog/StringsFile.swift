import ContractModel

/// A strings file (`.strings`) of one language: entries `"key" = "value";` with comments. It has no states, so the comment of an entry
/// has the contract's text, and says what has become of it since the translation.
struct StringsFile {
    struct Entry: Equatable {
        var key: String
        var value: String
        /// The comment directly before the entry; nil if it has none.
        var comment: String?
        /// The places of comment, key and value in the text. An entry without `=` has no value of its own.
        var commentRange: Range<Int>?
        var keyRange: Range<Int>
        var valueRange: Range<Int>?
    }

    private let scalars: [Unicode.Scalar]
    private(set) var entries: [Entry] = []
    /// How the lines of the file end.
    private var lineEnd: String {
        guard let end = scalars.firstIndex(of: "\n"), end > 0, scalars[end - 1] == "\r" else { return "\n" }
        return "\r\n"
    }

    init(_ bytes: [UInt8]?) throws(CatalogProblem) {
        guard let bytes else {
            scalars = []
            return
        }
        guard let text = Self.text(of: bytes) else {
            throw CatalogProblem(message: "the file is neither UTF-8 nor UTF-16", offset: 0)
        }
        scalars = Array(text.unicodeScalars)
        var scan = StringsScan(scalars)
        entries = try scan.entries()
    }

    /// A strings file is UTF-8, or UTF-16 with a byte order mark.
    static func text(of bytes: [UInt8]) -> String? {
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else {
            let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            return String(validating: bytes.dropFirst(start), as: UTF8.self)
        }
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: 2, to: bytes.count, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return String(validating: units, as: UTF16.self)
    }

    func updated(with texts: [ContractText], _ keys: ContractKeys) -> CatalogUpdate {
        var update = CatalogUpdate(text: "")
        let byKey = Dictionary(texts.map { ($0.key, $0) }) { $1 }
        let lineEnd = lineEnd
        func comment(_ lines: [String]) -> String { "/* \(lines.joined(separator: lineEnd + "   ")) */" }
        var edits: [(range: Range<Int>, text: String)] = []
        for entry in entries {
            let lines: [String]
            if let text = byKey[entry.key] {
                let merged = Self.merged(entry, text)
                if merged.isChanged { update.changed.append(entry.key) }
                update.check(merged.value, of: text)
                lines = merged.lines
                if merged.value != entry.value { edits.append(Self.edit(of: entry, merged.value)) }
            } else if keys.isUnused(entry.key) {
                update.unused.append(entry.key)
                let present = Self.lines(of: entry.comment)
                guard !present.contains(Self.unusedNote) else { continue }
                lines = present + [Self.unusedNote]
            } else {
                continue
            }
            // What is right stays as it is, with all of its blanks.
            guard lines != Self.lines(of: entry.comment) else { continue }
            if let range = entry.commentRange {
                edits.append((range, comment(lines)))
            } else {
                edits.append((entry.keyRange.lowerBound..<entry.keyRange.lowerBound, comment(lines) + lineEnd))
            }
        }
        var text = edited(edits.sorted { $0.range.lowerBound < $1.range.lowerBound })
        let present = Set(entries.map(\.key))
        for new in texts where !present.contains(new.key) {
            update.added.append(new.key)
            if !text.isEmpty {
                let emptyLine = lineEnd + lineEnd
                text += text.hasSuffix(emptyLine) ? "" : text.hasSuffix(lineEnd) ? lineEnd : emptyLine
            }
            let lines = Self.lines(of: new, note: nil, own: [])
            text += "\(comment(lines))\(lineEnd)\(Self.quoted(new.key)) = \(Self.quoted(new.text));\(lineEnd)"
        }
        update.text = text
        update.places = places
        return update
    }

    private func edited(_ edits: [(range: Range<Int>, text: String)]) -> String {
        var result = String.UnicodeScalarView()
        var copied = 0
        for (range, text) in edits {
            result.append(contentsOf: scalars[copied..<range.lowerBound])
            result.append(contentsOf: text.unicodeScalars)
            copied = range.upperBound
        }
        result.append(contentsOf: scalars[copied...])
        return String(result)
    }

    /// The bytes before the keys, in the text as UTF-8.
    private var places: [String: Int] {
        var places: [String: Int] = [:]
        var (position, offset) = (0, 0)
        for entry in entries {
            while position < entry.keyRange.lowerBound {
                offset += UTF8.width(scalars[position])
                position += 1
            }
            if places[entry.key] == nil { places[entry.key] = offset }
        }
        return places
    }

    // MARK: Merging

    private static let unusedNote = "No contract has this key any more."
    private static let sourceMark = "Text: "
    private static let changeMark = "The text was "
    private static let changeEnd = " when this was translated. Remove this line after a review."

    /// The value of an entry, the lines of its comment, and whether the contract's text is another one since the last run.
    private static func merged(
        _ entry: Entry, _ text: ContractText
    ) -> (value: String, lines: [String], isChanged: Bool) {
        let comment = EntryComment(entry.comment, of: text.key, isMark: isMark)
        let note = comment.line(changeMark)
        let source = comment.line(sourceMark).flatMap { quotedText(in: $0, after: sourceMark) }
        guard let source, source != text.text else {
            return (entry.value, lines(of: text, note: note, own: comment.own), false)
        }
        // It has no translation yet.
        if entry.value == source { return (text.text, lines(of: text, note: note, own: comment.own), true) }
        let change = note ?? changeMark + quoted(source) + changeEnd
        return (entry.value, lines(of: text, note: change, own: comment.own), true)
    }

    /// The lines of the contract, and then those of people.
    private static func lines(of text: ContractText, note: String?, own: [String]) -> [String] {
        [inComment(text.comment), sourceMark + quoted(text.text)] + [note].compactMap { $0 } + own
    }

    /// The lines of a comment without the blanks around them.
    private static func lines(of comment: String?) -> [String] {
        guard let comment else { return [] }
        return comment.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(\.trimmed)
    }

    private static func edit(of entry: Entry, _ value: String) -> (range: Range<Int>, text: String) {
        if let range = entry.valueRange { return (range, quoted(value)) }
        return (entry.keyRange.upperBound..<entry.keyRange.upperBound, " = " + quoted(value))
    }

    /// Whether a line of a comment is one that Errand writes. Translators also begin lines with these words.
    private static func isMark(_ line: String) -> Bool {
        line == unusedNote || quotedText(in: line, after: sourceMark) != nil
            || quotedText(in: line, after: changeMark, before: changeEnd) != nil
    }

    /// Whether a comment has the text of a contract.
    static func hasSource(_ comment: String) -> Bool {
        lines(of: comment).contains { quotedText(in: $0, after: sourceMark) != nil }
    }

    /// The text in quotes that a line consists of, beside its beginning and its end.
    private static func quotedText(in line: String, after start: String, before end: String = "") -> String? {
        guard line.hasPrefix(start), line.hasSuffix(end), line.count > start.count + end.count else { return nil }
        var scan = StringsScan(Array(line.dropFirst(start.count).dropLast(end.count).unicodeScalars))
        guard let text = try? scan.quotedText(), scan.isAtEnd else { return nil }
        return text
    }

    // MARK: Text

    /// A text that does not end a comment, also not with a combining character behind the slash.
    private static func inComment(_ text: String) -> String {
        var result = ""
        var isAfterStar = false
        for scalar in text.unicodeScalars {
            if isAfterStar, scalar == "/" { result += " " }
            result.unicodeScalars.append(scalar)
            isAfterStar = scalar == "*"
        }
        return result
    }

    /// A text in quotes. It cannot end a comment.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        var isAfterStar = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "/" where isAfterStar: result += "\\/"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F || HiddenCharacter.endsLine(scalar):
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\U" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
            isAfterStar = scalar == "*"
        }
        return result + "\""
    }
}
