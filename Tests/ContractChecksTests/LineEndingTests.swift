import ContractChecks
import Diagnostics
import Testing

/// A contract whose lines end with `\r\n` is the contract whose lines end with `\n`: the same findings at the same lines and
/// columns, the same fixes, and what they put in looks like the rest of the file.
@Suite struct LineEndingTests {
    static let file = FixTests.file
    private static let head =
        "errand: 1\nservice: Sample\nservers: {main: https://a.example}\ndefaults: {timeout: 10s}\nendpoints:\n"
    /// The mistake for each fix that inserts a line, and the fixed text.
    static let insertions = [
        (
            "  ask:\n    get: /a\n    response: string\n    retry:\n      base: 2s   # slow\n",
            "  ask:\n    get: /a\n    response: string\n    retry:\n      attempts: 3\n      base: 2s   # slow\n"
        ),
        (
            "  ask:\n    post: /a\n    effect: idempotent\n    body:\n      password:\n        doc: It.\n        type: string\n",
            "  ask:\n    post: /a\n    effect: idempotent\n    body:\n      password:\n        doc: It.\n        sensitive: true\n        type: string\n"
        ),
    ]

    @Test(arguments: insertions, ["\n", "\r\n", "\r"])
    func aLineThatIsPutInEndsAsTheOthers(_ texts: (String, String), _ lineBreak: String) {
        let text = (Self.head + texts.0).replacing("\n", with: lineBreak)
        let fixed = Self.mended(text, [:])
        #expect(fixed == (Self.head + texts.1).replacing("\n", with: lineBreak))
        #expect(Self.mended(fixed, [:]) == fixed)
    }

    @Test(arguments: insertions)
    func inAMixedFileTheLineBeforeDecides(_ texts: (String, String)) {
        // Windows wrote the last line, and the one before, where the fix is, is another's.
        let lines = (Self.head + texts.0).split(separator: "\n", omittingEmptySubsequences: false)
        let text = lines.dropLast(2).joined(separator: "\n") + "\n" + lines.suffix(2).joined(separator: "\r\n")
        let windows = lines.dropLast(2).joined(separator: "\r\n") + "\r\n" + lines.suffix(2).joined(separator: "\n")
        let wanted = String((Self.head + texts.1).dropLast())
        #expect(Self.mended(text, [:]) == wanted + "\r\n")
        #expect(Self.mended(windows, [:]) == Self.windows(wanted) + "\n")
    }

    @Test(arguments: RuleCaseTests.cases)
    func whatIsFoundAndMendedIsTheSame(_ item: RuleCase) throws {
        let text = try #require(item.files[Self.file])
        let windows = Self.windows(text)
        let findings = RuleCase.findings(in: Self.file, item.files)
        let found = RuleCase.findings(in: Self.file, item.files.mapValues(Self.windows))
        // With the lines, the places in them and what is there.
        var sources = item.files
        sources[Self.file] = text
        #expect(
            TextReport(sources: item.files.mapValues(Self.windows)).render(found)
                == TextReport(sources: sources).render(findings))
        try #require(found.count == findings.count)
        for (finding, other) in zip(findings, found) {
            #expect(finding.fix?.title == other.fix?.title)
            guard let fix = finding.fix, let otherFix = other.fix else { continue }
            let fixed = FixApplication([fix], to: Array(text.utf8), of: Self.file).bytes
            let otherFixed = FixApplication([otherFix], to: Array(windows.utf8), of: Self.file).bytes
            #expect(String(decoding: otherFixed, as: UTF8.self) == Self.windows(String(decoding: fixed, as: UTF8.self)))
        }
        let mended = Self.mended(text, item.files)
        let otherMended = Self.mended(windows, item.files)
        #expect(otherMended == Self.windows(mended))
    }

    @Test func aSuppressionIsOneThereToo() {
        let text =
            Self.head
            + "  # errand:ignore verb-in-path so it is\n  a: {get: /getA, response: string}\n  b: {get: /getB, response: string} # errand:ignore verb-in-path\n"
        #expect(lint(text).map(\.rule) == ["suppression-without-reason"])
        #expect(lint(Self.windows(text)).map(\.rule) == ["suppression-without-reason"])
    }

    private static func windows(_ text: String) -> String { text.replacing("\n", with: "\r\n") }

    /// With all fixes made.
    private static func mended(_ text: String, _ files: [String: String]) -> String {
        let findings = RuleCase.findings(in: file, files.merging([file: text]) { $1 })
        return String(
            decoding: FixApplication(findings.compactMap(\.fix), to: Array(text.utf8), of: file).bytes, as: UTF8.self)
    }
}
