import Diagnostics

/// The words for what ``TextSurvey`` found.
enum EncodingDiagnostics {
    static func tooLarge(file: String, bytes: Int, limit: Int) -> Diagnostic {
        Diagnostic(
            rule: .yamlFileTooLarge,
            message: "the file has \(bytes) bytes, and the limit is \(limit)",
            file: file,
            help: "split it into several files and name them under 'imports'"
        )
    }

    static func utf16(file: String) -> Diagnostic {
        Diagnostic(
            rule: .yamlNotUTF8,
            message: "the file is in UTF-16 or UTF-32, and must be in UTF-8",
            file: file,
            help: "save the file as UTF-8"
        )
    }

    static func flaws(_ survey: TextSurvey, in source: SourceText) -> [Diagnostic] {
        var found = survey.flaws.map { diagnostic($0, in: source) }
        let unreported = survey.flawCount - survey.flaws.count
        if unreported > 0 {
            found.append(
                Diagnostic(
                    rule: .yamlNotText,
                    message: "the file has \(unreported) more bytes or characters that are not text",
                    file: source.file,
                    help: "check the path of the file"
                ))
        }
        return found
    }

    private static func diagnostic(_ flaw: TextSurvey.Flaw, in source: SourceText) -> Diagnostic {
        let range = source.range(flaw.offset, flaw.offset + flaw.length)
        switch flaw.kind {
        case .invalidUTF8:
            return Diagnostic(
                rule: .yamlInvalidUTF8,
                message: "the bytes \(hexadecimal(flaw, source)) at offset \(flaw.offset) are not UTF-8",
                at: range,
                help:
                    "save the file as UTF-8; other encodings, such as Latin-1, have different bytes for letters outside ASCII"
            )
        case .control(let scalar) where scalar.value == 0xFEFF:
            return Diagnostic(
                rule: .yamlControlCharacter,
                message: "a byte order mark (U+FEFF) is in the middle of the text",
                at: range,
                help: "delete this invisible character, which remains when files are joined",
                fix: delete(range)
            )
        case .control(let scalar):
            let name = hexadecimal(scalar.value, digits: 4)
            let isBreak = [0x85, 0x2028, 0x2029].contains(scalar.value)
            let kind =
                scalar.value == 0
                ? "a NUL character" : isBreak ? "a line break that YAML parsers disagree about" : "a control character"
            return Diagnostic(
                rule: .yamlControlCharacter,
                message: "\(kind) (U+\(name)) is in the text",
                at: range,
                help: "delete it; if a value needs it, write \"\\\(escape(scalar.value))\" in double quotes",
                fix: delete(range)
            )
        }
    }

    private static func delete(_ range: SourceRange) -> Fix {
        Fix(title: "delete the character", applicability: .needsALook, edits: [.init(replacing: range, with: "")])
    }

    private static func escape(_ value: UInt32) -> String {
        value < 0x100 ? "x" + hexadecimal(value, digits: 2) : "u" + hexadecimal(value, digits: 4)
    }

    private static func hexadecimal(_ flaw: TextSurvey.Flaw, _ source: SourceText) -> String {
        source.bytes[flaw.offset..<(flaw.offset + flaw.length)]
            .map { hexadecimal(UInt32($0), digits: 2) }
            .joined(separator: " ")
    }

    private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
