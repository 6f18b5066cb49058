import Diagnostics
import Testing

/// Fixes are made by ranges; whatever they do not name stays as it is, byte for byte.
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
        #expect(apply([fix(edit(0..<3, "x")), fix(edit(2..<4, "y")), fix(edit(3..<3, "z"))], to: "abcdef") == ("xdef", 1))
    }

    @Test func aFixIsMadeWholeOrNotAtAll() {
        #expect(apply([fix(edit(0..<1, "x"), edit(2..<99, "y"))], to: "abc") == ("abc", 0))
        #expect(apply([fix(edit(0..<1, "x"), edit(1..<2, "y", file: "b.yaml"))], to: "abc") == ("abc", 0))
        #expect(apply([fix()], to: "abc") == ("abc", 0))
    }

    @Test func anInsertionStandsBehindTheFirstBytes() {
        let range = edit(4..<9, "").range
        #expect(apply([fix(Fix.Edit(inserting: "x, ", behind: 1, of: range))], to: "ab: {c: 1}") == ("ab: {x, c: 1}", 1))
    }
}
