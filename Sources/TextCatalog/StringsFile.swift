/// A strings file (`.strings`) of one language: entries `"key" = "value";` with comments. It has no states, so the comment of an entry
/// has the contract's text, and says what has become of it since the translation.
struct StringsFile {
    struct Entry: Equatable {
        var key: String
        var value: String
        /// The comment directly before the entry; nil if it has none.
        var comment: String?
        /// From the comment, or else from the key, to the semicolon.
        var range: Range<Int>
    }

    private let scalars: [Unicode.Scalar]
    private(set) var entries: [Entry] = []

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
    private static func text(of bytes: [UInt8]) -> String? {
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
        var result = String.UnicodeScalarView()
        var copied = 0
        for entry in entries {
            let replacement: String
            if let text = byKey[entry.key] {
                let (value, note, isChanged) = Self.merged(entry, text)
                if isChanged { update.changed.append(entry.key) }
                update.check(value, of: text)
                replacement = Self.written(text, value: value, note: note)
            } else if keys.isUnused(entry.key) {
                update.unused.append(entry.key)
                guard entry.comment?.contains(Self.unusedNote) != true else { continue }
                let rest = entry.comment.map { "\($0)\n   " } ?? ""
                replacement = "/* \(rest)\(Self.unusedNote) */\n\(Self.line(entry.key, entry.value))"
            } else {
                continue
            }
            result.append(contentsOf: scalars[copied..<entry.range.lowerBound])
            result.append(contentsOf: replacement.unicodeScalars)
            copied = entry.range.upperBound
        }
        result.append(contentsOf: scalars[copied...])
        var text = String(result)
        let present = Set(entries.map(\.key))
        for new in texts where !present.contains(new.key) {
            update.added.append(new.key)
            if !text.isEmpty { text += text.hasSuffix("\n\n") ? "" : text.hasSuffix("\n") ? "\n" : "\n\n" }
            text += Self.written(new, value: new.text, note: nil) + "\n"
        }
        update.text = text
        return update
    }

    // MARK: Merging

    private static let unusedNote = "No contract has this key any more."
    private static let sourceMark = "Text: "
    private static let changeMark = "The text was "
    private static let changeEnd = " when this was translated. Remove this line after a review."

    /// The value of an entry, the note for its translator, and whether the contract's text is another one since the last run.
    private static func merged(_ entry: Entry, _ text: ContractText) -> (value: String, note: String?, isChanged: Bool)
    {
        let lines = (entry.comment ?? "").split(separator: "\n").map { $0.drop(while: \.isWhitespace) }
        let note = lines.first { $0.hasPrefix(changeMark) }.map(String.init)
        let source = lines.first { $0.hasPrefix(sourceMark) }.flatMap {
            unquoted(String($0.dropFirst(sourceMark.count)))
        }
        guard let source, source != text.text else { return (entry.value, note, false) }
        // It has no translation yet.
        if entry.value == source { return (text.text, note, true) }
        return (entry.value, note ?? changeMark + quoted(source) + changeEnd, true)
    }

    private static func unquoted(_ text: String) -> String? {
        var scan = StringsScan(Array(text.unicodeScalars))
        return try? scan.quotedText()
    }

    // MARK: Text

    private static func written(_ text: ContractText, value: String, note: String?) -> String {
        let lines =
            [text.comment.replacing("*/", with: "* /"), sourceMark + quoted(text.text)] + [note].compactMap { $0 }
        return "/* \(lines.joined(separator: "\n   ")) */\n\(line(text.key, value))"
    }

    private static func line(_ key: String, _ value: String) -> String { "\(quoted(key)) = \(quoted(value));" }

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
            case _ where scalar.value < 0x20 || scalar.value == 0x7F || (0x2028...0x2029).contains(scalar.value):
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\U" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
            isAfterStar = scalar == "*"
        }
        return result + "\""
    }
}
