import Diagnostics

/// The words for what ``TextSurvey`` found.
enum EncodingDiagnostics {
    static func tooLarge(file: String, bytes: Int, limit: Int) -> Diagnostic {
        Diagnostic(
            rule: .yamlFileTooLarge,
            message: "the file has \(bytes) bytes; at most \(limit) are read",
            file: file,
            help: "split it into several files and name them under 'imports'"
        )
    }

    static func utf16(file: String) -> Diagnostic {
        Diagnostic(
            rule: .yamlNotUTF8,
            message: "the file is written in UTF-16 or UTF-32; it has to be UTF-8",
            file: file,
            help: "save it again as UTF-8"
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
                    help: "check that this is the file that was meant"
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
                    "save the file as UTF-8; another encoding, such as Latin-1, writes letters beyond ASCII differently"
            )
        case .control(let scalar) where scalar.value == 0xFEFF:
            return Diagnostic(
                rule: .yamlControlCharacter,
                message: "a byte order mark (U+FEFF) is in the middle of the text",
                at: range,
                help: "delete it; it is invisible, and comes from joining files",
                fix: delete(range)
            )
        case .control(let scalar):
            let name = hexadecimal(scalar.value, digits: 4)
            let isBreak = [0x85, 0x2028, 0x2029].contains(scalar.value)
            let kind =
                scalar.value == 0
                ? "a NUL character" : isBreak ? "a line break that YAML readers disagree on" : "a control character"
            return Diagnostic(
                rule: .yamlControlCharacter,
                message: "\(kind) (U+\(name)) is in the text",
                at: range,
                help: "delete it; where a value needs it, write \"\\\(escape(scalar.value))\" in double quotes",
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
