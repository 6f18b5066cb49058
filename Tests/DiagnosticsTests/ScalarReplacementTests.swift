import Testing

@testable import Diagnostics

@Suite struct ScalarReplacementTests {
    /// Readers of bytes see the sign by itself, also if a combining character follows, with which it is one `Character`.
    @Test(arguments: [
        ("it's", "it''s"), ("'", "''"), ("", ""), ("none", "none"), ("'\u{301};", "''\u{301};"),
        ("a'\u{200D}'b", "a''\u{200D}''b"),
    ])
    func aCombiningCharacterHidesNoQuote(_ text: String, _ wanted: String) {
        let made = text.replacing(scalar: "'", with: "''")
        #expect(Array(made.unicodeScalars) == Array(wanted.unicodeScalars))
        #expect(text.dropFirst(0).replacing(scalar: "'", with: "''") == made)
    }

    /// A comma in the name of a file would begin another property of the command for GitHub.
    @Test func aCombiningCharacterHidesNoComma() {
        let finding = Diagnostic(rule: .missingFile, message: "there is no file", file: "a,\u{301}line=1:\u{301}b")
        let text = GitHubReport().render([finding])
        #expect(text.utf8.contains("%2C".utf8) && text.utf8.contains("%3A".utf8), "\(text)")
    }
}
