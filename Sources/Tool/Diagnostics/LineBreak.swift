/// The line break of a file. Editors on Windows write `\r\n`, and inserted text must match the rest of the file.
package enum LineBreak {
    /// The line break before a place. It is the first line break after the place if none precedes it, and `\n` if the file has
    /// none.
    package static func before(_ offset: Int, in bytes: [UInt8]) -> Character {
        let end = min(max(offset, 0), bytes.count)
        guard let last = bytes[..<end].lastIndex(where: isPart) ?? bytes[end...].firstIndex(where: isPart) else {
            return "\n"
        }
        if bytes[last] == 0x0A { return last > 0 && bytes[last - 1] == 0x0D ? "\r\n" : "\n" }
        return last + 1 < bytes.count && bytes[last + 1] == 0x0A ? "\r\n" : "\r"
    }

    private static func isPart(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}

extension Fix.Edit {
    /// The same edit of a file with these bytes. Each `\n` in its new text is replaced by the line break before the place, so
    /// that code that makes an edit does not need to know the file's line breaks. A `\r\n` in copied text is kept.
    package func withLineBreaks(of bytes: [UInt8]) -> Fix.Edit {
        guard replacement.utf8.contains(0x0A) else { return self }
        let lineBreak = LineBreak.before(range.start.offset, in: bytes)
        guard lineBreak != "\n" else { return self }
        return Fix.Edit(replacing: range, with: String(replacement.map { $0 == "\n" ? lineBreak : $0 }))
    }
}

extension Diagnostic {
    /// The same finding, with the line breaks of a file in the texts that its fix inserts into that file.
    package func withLineBreaks(of bytes: [UInt8], in file: String) -> Diagnostic {
        guard let fix, fix.edits.contains(where: { $0.range.file == file && $0.replacement.utf8.contains(0x0A) }) else {
            return self
        }
        let edits = fix.edits.map { $0.range.file == file ? $0.withLineBreaks(of: bytes) : $0 }
        var finding = self
        finding.fix = Fix(title: fix.title, applicability: fix.applicability, edits: edits)
        return finding
    }
}
