import Diagnostics
import Testing

@testable import YAMLTree

/// Files that are refused although their syntax is correct, and files that aren't text.
@Suite struct TreeProblemTests {
    static let mistakes: [Mistake] = [
        Mistake("yaml-duplicate-key", "‹a›: 1\nb: 2\n«\"a\"»: 3\n"),
        Mistake("yaml-duplicate-key", "x: {‹a›: 1, b: 2, «\"\\x61\"»: 3}\n"),
        Mistake("yaml-duplicate-key", (0..<40).map { $0 == 7 ? "‹k7›: 0\n" : "k\($0): 0\n" }.joined() + "«k7»: 1\n"),
        Mistake("yaml-key-not-text", "format:\n  «{token}»: x\n", help: "\"{token}\""),
        Mistake("yaml-key-not-text", "{«[a, b]»: x}\n", help: "\"[a, b]\""),
        Mistake("yaml-key-not-text", "? «- a»\n: x\n", help: "a name"),
        Mistake("yaml-missing-key", "a: {«:» x}\n"),
        Mistake("yaml-missing-key", "?«»\n: x\n"),
        Mistake("yaml-merge-key", "x: &x {a: 1}\ny:\n  «<<»: *x\n"),
        Mistake("yaml-unknown-alias", "limits: &limits 1\nb: «*limit»\n", help: "'*limits'"),
        Mistake("yaml-unknown-alias", "a: «*b»\nc: &b 1\n"),
        Mistake("yaml-recursive-alias", "a: ‹&a› [«*a»]\n"),
        Mistake("yaml-recursive-alias", "a: &a\n  b: {c: [«*a»]}\n"),
        Mistake("yaml-anchor-without-value", "a: «&value»\nb: 1\n", help: "\"&value\""),
        Mistake("yaml-anchor-redefined", "a: ‹&a› 1\nb: «&a» 2\nc: *a\n"),
        Mistake("yaml-tag", "a: «!!int» 3\n", help: "delete"),
        Mistake("yaml-tag", "a: «!foo» bar\n", help: "\"!foo bar\""),
        Mistake("yaml-tag", "a: «!» x\n", help: "\"! x\""),
        Mistake("yaml-tag", "a: «!!map» {b: c}\n"),
        Mistake("yaml-multiple-documents", "a: 1\n«---»\nb: 1\n--- [\n"),
        Mistake("yaml-empty-file", ""),
        Mistake("yaml-empty-file", " \n\n"),
        Mistake("yaml-empty-file", "---\n"),
        Mistake("yaml-only-comments", "# a\n\n  # b"),
        Mistake("yaml-only-comments", "--- # a\n"),
        Mistake("yaml-control-character", "a: b«\u{1}»c\n", help: "\"\\x01\""),
        Mistake("yaml-control-character", "a: b«\0»c\n", help: "\"\\x00\""),
        Mistake("yaml-control-character", "é: b«\u{2028}»c\n", help: "\"\\u2028\""),
        Mistake("yaml-control-character", "# b«\u{85}»c: d\na: 1\n"),
        Mistake("yaml-control-character", "a: b\n«\u{FEFF}»c: d\n"),
        Mistake(
            "yaml-nesting-too-deep", String(repeating: "[", count: 64) + "«[»a" + String(repeating: "]", count: 65)),
    ]

    @Test(arguments: mistakes)
    func isReportedOnce(_ mistake: Mistake) throws {
        let marked = MarkedText(mistake.yaml)
        try mistake.check(in: YAMLParser().parse(marked.text, file: "a.yaml").diagnostics, marked)
    }

    @Test func everythingIsReportedInOneRun() {
        let text = "a: !x 1\na: *b\nc:\n  <<: {d: 1}\n  {e}: f\ng: &h\n"
        let parsed = YAMLParser().parse(text, file: "a.yaml")
        #expect(
            parsed.diagnostics.map(\.rule) == [
                "yaml-tag", "yaml-duplicate-key", "yaml-unknown-alias", "yaml-merge-key", "yaml-key-not-text",
                "yaml-anchor-without-value",
            ])
        #expect(parsed.document?.root.mapping?.count == 4)
        #expect(parsed.document?.root.mapping?[1].value.kind == .unreadable)
    }

    @Test func bytesThatAreNotUTF8HaveAPlace() throws {
        // Each after "é: x\na: b" and before a duplicate key, which is found all the same.
        let flaws: [[UInt8]] = [[0xFF], [0xE9], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5], [0xF0, 0x9F, 0x92]]
        for flaw in flaws {
            let before = Array("é: x\na: b".utf8)
            let parsed = YAMLParser().parse(before + flaw + Array("\na: 1\n".utf8), file: "a.yaml")
            #expect(parsed.document == nil)
            let first = try #require(parsed.diagnostics.first)
            #expect(first.rule == "yaml-invalid-utf8")
            #expect(first.range?.start == SourcePosition(line: 2, column: 5, offset: before.count))
            #expect(parsed.diagnostics.last?.rule == "yaml-duplicate-key")
        }
    }

    @Test(
        arguments: [[0xFE, 0xFF, 0, 0x61], [0xFF, 0xFE, 0x61, 0], [0, 0x61, 0, 0x3A], [0x61, 0, 0x3A, 0]] as [[UInt8]])
    func utf16IsRefused(_ bytes: [UInt8]) {
        #expect(YAMLParser().parse(bytes, file: "a.yaml").diagnostics.map(\.rule) == ["yaml-not-utf8"])
    }

    @Test func aFileThatIsNoTextIsReportedBriefly() {
        let parsed = YAMLParser().parse([UInt8](repeating: 0, count: 5000), file: "a.yaml")
        #expect(parsed.diagnostics.count < 30)
        #expect(parsed.diagnostics.contains { $0.rule == "yaml-not-text" })
    }

    @Test func anOldLibraryIsNamed() {
        #expect(LibraryDiagnostics.tooOld((0, 2, 4), file: "a")?.rule == "yaml-library-too-old")
        #expect(LibraryDiagnostics.tooOld((0, 2, 5), file: "a") == nil)
        #expect(LibraryDiagnostics.tooOld((0, 10, 0), file: "a") == nil)
        #expect(LibraryDiagnostics.tooOld(EventReader.version, file: "a") == nil)
    }

    @Test func aFileThatIsTooLargeIsNotRead() {
        var limits = YAMLParser.Limits()
        limits.bytes = 3
        #expect(YAMLParser(limits: limits).parse("a: b", file: "a").diagnostics.map(\.rule) == ["yaml-file-too-large"])
    }
}
