import ContractDiff
import ContractModel
import Diagnostics
import Testing

@testable import Pipeline
@testable import ProjectTasks

/// The file of accepted breaks.
@Suite struct SignOffFileTests {
    private func decode(_ text: String) -> (signOffs: SignOffs?, diagnostics: [Diagnostic]) {
        SignOffFile.decode(Array(text.utf8), file: SignOffFile.name)
    }

    @Test func whatIsWrittenIsRead() throws {
        let hostile = "it's \"agreed\" \\ #1: [x]\nwith {Ada} \u{1b}[31m \u{2028}"
        let date = try #require(CalendarDay("2026-12-31"))
        let breaks = [
            ChangeFingerprint(text: "Shop endpoints.ask.timeout changed: 10s → 5s"),
            ChangeFingerprint(text: "Shop types.Money changed: {a: \"b\"} → [c]"),
        ]
        let written = SignOffs(breaks.map { SignOff(fingerprint: $0, reason: hostile, expires: date) })
        let read = decode(written.text)
        #expect(read.diagnostics.isEmpty, "\(read.diagnostics.map(\.message))")
        #expect(read.signOffs?.entries == written.entries)
        #expect(read.signOffs?.text == written.text)
        #expect(decode(SignOffs().text).signOffs?.entries == [])
    }

    /// What people wrote is in the file afterwards, and the file has one entry more.
    @Test(arguments: [
        ("", "# Breaks that the team has accepted."),
        ("# ours, without a line break", "# ours, without a line break\nsign-offs:\n  - fingerprint: \"Shop b"),
        (
            "# ours\nsign-offs:\n- {fingerprint: Shop a removed, reason: old, expires: 2026-12-30} # why\n# the end\n",
            "# why\n- fingerprint: \"Shop b removed\"\n  reason: \"new\"\n  expires: 2026-12-31\n# the end\n"
        ),
        (
            "sign-offs:\n    - fingerprint: Shop a removed # not again\n      reason: old\n      expires: 2026-12-30",
            "# not again\n      reason: old\n      expires: 2026-12-30\n    - fingerprint: \"Shop b removed\"\n      reason"
        ),
        (
            "sign-offs:\n  - fingerprint: Shop b removed # ours\n    reason: old\n    expires: 2026-05-31 # once\n",
            "sign-offs:\n  - fingerprint: Shop b removed # ours\n    reason: \"new\"\n    expires: 2026-12-31 # once\n"
        ),
        ("sign-offs: []\n", "sign-offs:\n  - fingerprint: \"Shop b removed\""),
        (
            "sign-offs: [{fingerprint: Shop a removed, reason: old, expires: 2026-12-30}]\n",
            "sign-offs:\n  - fingerprint: \"Shop a removed\""
        ),
    ]) func anEntryIsAdded(_ text: String, _ wanted: String) throws {
        let known = try #require(decode(text).signOffs)
        let (today, expires) = try (
            #require(CalendarDay("2026-06-01")), #require(CalendarDay("2026-12-31"))
        )
        let addition = known.addition(
            for: [ChangeFingerprint(text: "Shop b removed")], reason: "new", expires: expires, today: today)
        let edited = String(decoding: SignOffEdit.text(Array(text.utf8), with: addition), as: UTF8.self)
        #expect(edited.contains(wanted), "\(edited)")
        #expect(decode(edited).signOffs?.entries == known.with(addition).entries, "\(edited)")
        let again = known.with(addition).addition(
            for: [ChangeFingerprint(text: "Shop b removed")], reason: "newer", expires: expires, today: today)
        #expect(again.new.isEmpty && again.renewed.isEmpty)
    }

    @Test func anEmptyFileHasNoEntries() {
        for text in ["", "# nothing yet\n", "sign-offs: []\n"] {
            let read = decode(text)
            #expect(read.signOffs?.entries == [], "\(text)")
            #expect(read.diagnostics.isEmpty, "\(text)")
        }
    }

    @Test(arguments: [
        ("signoffs: []\n", "unknown-key", "a file of sign-offs has no key `signoffs`"),
        ("sign-offs: {a: b}\n", "wrong-kind", "`sign-offs` must be a list, and is a mapping"),
        ("sign-offs: [a]\n", "wrong-kind", "`a sign-off` must be a mapping, and is text"),
        ("sign-offs: [{fingerprint: a, reason: b}]\n", "missing-key", "a sign-off must have `expires`"),
        ("sign-offs: [{fingerprint: a, expires: 2026-01-01}]\n", "missing-key", "a sign-off must have `reason`"),
        (
            "sign-offs: [{fingerprint: a, reason: \"\", expires: 2026-01-01}]\n", "wrong-kind",
            "`reason` must be text, and is an empty text"
        ),
        ("sign-offs: [{fingerprint: a, reason: b, expires: soon}]\n", "unknown-value", "`soon` is not a date"),
        (
            "sign-offs: [{fingerprint: a, reason: b, expires: 2026-02-30}]\n", "unknown-value",
            "`2026-02-30` is not a date"
        ),
        (
            "sign-offs: [{fingerprint: a, reason: b, expires: 2026-01-01, by: me}]\n", "unknown-key",
            "a sign-off has no key `by`"
        ),
    ]) func aMistakeIsNamed(_ text: String, _ rule: String, _ message: String) {
        let read = decode(text)
        #expect(read.signOffs == nil)
        #expect(read.diagnostics.map { "\($0.rule): \($0.message)" } == ["\(rule): \(message)"])
        #expect(read.diagnostics.first?.range != nil)
    }

    @Test func anEntryPointsAtItsLine() throws {
        let text = """
            sign-offs:
              - fingerprint: "Shop a removed"
                reason: agreed
                expires: 2026-01-01
              - {fingerprint: Shop b removed, reason: agreed, expires: 2026-01-01}
            """
        let signOffs = try #require(decode(text).signOffs)
        let result = signOffs.applied(
            to: [ChangeFingerprint(text: "Shop a removed")], ofServices: ["Shop"],
            today: try #require(CalendarDay("2026-02-01")))
        #expect(result.accepted.isEmpty)
        #expect(
            SignOffFile.findings(result).map { "\($0.range?.start.line ?? 0) \($0.severity) \($0.message)" } == [
                "2 error the sign-off of `Shop a removed` ended on 2026-01-01",
                "5 warning no change is `Shop b removed`",
            ])
    }

    @Test func onlyANamedFileMustExist() throws {
        let folder = try TemporaryFolder()
        let boundary = ProjectBoundary(base: folder.path)
        let path = folder.path(SignOffFile.name)
        #expect(SignOffFile.read(path, isNamed: false, in: boundary).signOffs?.entries == [])
        let named = SignOffFile.read(path, isNamed: true, in: boundary)
        #expect(named.signOffs == nil)
        #expect(named.diagnostics.map(\.rule) == ["missing-file"])
    }
}
