import Diagnostics
import Testing

/// Fixes are made by ranges. All other bytes are unchanged.
@Suite struct FixApplicationTests {
    private func edit(_ range: Range<Int>, _ text: String, file: String = "a.yaml") -> Fix.Edit {
        let start = SourcePosition(line: 1, column: range.lowerBound + 1, offset: range.lowerBound)
        let end = SourcePosition(line: 1, column: range.upperBound + 1, offset: range.upperBound)
        return Fix.Edit(replacing: SourceRange(file: file, start: start, end: end), with: text)
    }

    private func fix(_ edits: Fix.Edit...) -> Fix { Fix(title: "mend", applicability: .certain, edits: edits) }

    private func apply(_ fixes: [Fix], to text: String) -> (String, Int) {
        let result = FixApplication(fixes, to: Array(text.utf8), of: "a.yaml")
        return (String(decoding: result.bytes, as: UTF8.self), result.count)
    }

    @Test func editsAreMadeWhereTheyPoint() {
        #expect(apply([fix(edit(0..<1, "bb"), edit(4..<4, "!")), fix(edit(2..<3, ""))], to: "a b c") == ("bb  !c", 2))
    }

    @Test func whatTouchesAnEarlierFixWaits() {
        #expect(
            apply([fix(edit(0..<3, "x")), fix(edit(2..<4, "y")), fix(edit(3..<3, "z"))], to: "abcdef") == ("xdef", 1))
    }

    @Test func aFixIsMadeWholeOrNotAtAll() {
        #expect(apply([fix(edit(0..<1, "x"), edit(2..<99, "y"))], to: "abc") == ("abc", 0))
        #expect(apply([fix(edit(0..<1, "x"), edit(1..<2, "y", file: "b.yaml"))], to: "abc") == ("abc", 0))
        #expect(apply([fix()], to: "abc") == ("abc", 0))
    }

    @Test func anInsertionStandsBehindTheFirstBytes() {
        let range = edit(4..<9, "").range
        #expect(
            apply([fix(Fix.Edit(inserting: "x, ", behind: 1, of: range))], to: "ab: {c: 1}") == ("ab: {x, c: 1}", 1))
    }

    @Test(arguments: [
        ("a\r\nb\r\n", 3, "\r\n"), ("a\nb\n", 2, "\n"), ("a\rb\r", 2, "\r"), ("a\r\nb\n", 3, "\r\n"),
        ("a\nb\r\n", 2, "\n"),
        ("a\nb\r\nc", 5, "\r\n"), ("ab\r\n", 1, "\r\n"), ("ab\rc\n", 1, "\r"), ("ab", 1, "\n"), ("", 0, "\n"),
        ("a\r\n", 3, "\r\n"),
    ])
    func whatIsPutInEndsLinesAsTheLineBeforeDoes(_ text: String, _ offset: Int, _ lineBreak: String) {
        let made = edit(offset..<offset, "x\ny\r\nz\n").withLineBreaks(of: Array(text.utf8))
        #expect(made.replacement == "x\(lineBreak)y\r\nz\(lineBreak)")
        #expect(made.range == edit(offset..<offset, "").range)
        #expect(made.withLineBreaks(of: Array(text.utf8)) == made)
    }

    @Test func aFindingKeepsEverythingElse() {
        let elsewhere = edit(0..<0, "\n", file: "b.yaml")
        let finding = Diagnostic(
            rule: .sample("r"), message: "m", at: elsewhere.range, help: "h", fix: fix(edit(0..<0, "\n"), elsewhere))
        let changed = finding.withLineBreaks(of: Array("\r\n".utf8), in: "a.yaml")
        #expect(
            changed
                == Diagnostic(
                    rule: .sample("r"), message: "m", at: elsewhere.range, help: "h",
                    fix: fix(edit(0..<0, "\r\n"), elsewhere)))
    }
}
