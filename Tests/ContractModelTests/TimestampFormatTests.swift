import ContractModel
import Diagnostics
import Testing

/// `{type: timestamp, format: …, zone: …}`: which formats there are, and on what.
@Suite struct TimestampFormatTests {
    @Test(arguments: [
        ("yyyy-MM-dd HH:mm:ss", "2026-11-21 08:00:00"), ("yyyyMMddHHmmss", "20261121080000"),
        ("EEE, d MMM yyyy H:mm 'GMT'", "Sat, 21 Nov 2026 8:00 GMT"), ("dd.MM.yyyy hh:mm a", "21.11.2026 08:00 AM"),
        ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2026-11-21T08:00:00.000Z"),
        ("EEE MMM dd HH:mm:ss Z yyyy", "Sat Nov 21 08:00:00 +0000 2026"),
        ("yyyy''MM''dd 'o''clock' HH", "2026'11'21 o'clock 08"),
    ])
    func aFormatFitsItsSample(_ pattern: String, _ sample: String) throws {
        let format = try TimestampFormat(pattern)
        #expect(format.sample == sample)
        #expect(format.fits(sample))
        for wrong in ["", sample + "0", String(sample.dropLast()), sample.replacing("2026", with: "26")] {
            #expect(!format.fits(wrong), "\(pattern): \(wrong)")
        }
    }

    @Test(arguments: [
        ("«YYYY»-MM-dd HH:mm", "the year of a week"), ("yyyy-MM-«DD» HH:mm", "counts the days of a year"),
        ("«yy»-MM-dd HH:mm", "write `yyyy`"), ("yyyy-«MMMM»-dd HH:mm", "write `M` or `MM` or `MMM`"),
        ("yyyy-MM-dd HH:mm:ss «z»", "`'GMT'`"), ("yyyy-MM-dd«T»HH:mm", "`'T'`"), ("«yyyy-MM HH:mm»", "needs `dd`"),
        ("«yyyy-MM-dd»", "a time of day"), ("yyyy-MM-dd HH:mm:ss «mm»", "write each field once"),
        ("yyyy-MM-dd HH:«ss»", "`s` needs `m`"), ("yyyy-MM-dd «hh»:mm", "`h` needs `a`"),
        ("yyyy-MM-dd HH:mm «a»", "cannot be used together"),
        ("yyyy-MM-dd HH:mm.«SSS»", "`S` needs `s`"), ("yyyy-MM-dd HH:mm «'x»", "never closed"),
        ("«yyyyMdd HH:mm»", "its end is ambiguous"), ("yyyy-MM-dd HH:mm:ssXXX«Z»", "cannot be used together"),
        ("«»", "needs `yyyy`"),
    ])
    func whatIsNoFormatIsFoundAtItsPlace(_ marked: String, _ saying: String) throws {
        let fixture = ContractFixture(
            "invalid-format", saying: saying,
            endpoint: "get: /a\nquery:\n  at: {type: timestamp, format: \"\(marked)\"}")
        let result = resolve(fixture.text)
        let found = try #require(result.diagnostics.first)
        #expect(result.diagnostics.map(\.rule) == ["invalid-format"], "\(listing(result.diagnostics))")
        let said = "\(found.message) — \(found.help ?? "")"
        #expect(said.contains(saying), "\(listing(result.diagnostics))")
        if marked != "«»" { #expect(found.range.map { $0.start.offset..<$0.end.offset } == fixture.marked) }
    }

    private static let types = "types:\n  Then: {alias: timestamp, format: yyyy-MM-dd HH:mm}\n"

    @Test(arguments: [
        ContractFixture(
            "conflicting-keys", saying: "remove it; only a `timestamp` has a format",
            endpoint: "get: /a\nquery:\n  at: {type: string, format: «yyyy-MM-dd HH:mm»}"),
        ContractFixture(
            "conflicting-keys", saying: "remove it; only a `timestamp` has a format",
            endpoint: "get: /a\nresponse:\n  at: {type: \"[timestamp(unix)]\", format: «yyyy-MM-dd HH:mm»}"),
        ContractFixture(
            "conflicting-keys", saying: "already has a format",
            endpoint: "get: /a\nresponse:\n  at: {type: \"[Then]\", format: «yyyy-MM-dd HH:mm»}", more: types),
        ContractFixture(
            "missing-key", saying: "only valid with `format`",
            endpoint: "get: /a\nquery:\n  at: {type: timestamp, «zone»: UTC}"),
        ContractFixture(
            "invalid-value", saying: "named time zones change their offset",
            endpoint: "get: /a\nquery:\n  at: {type: timestamp, format: yyyy-MM-dd HH:mm, zone: «Europe/Berlin»}"),
        ContractFixture(
            "invalid-value", saying: "named time zones change their offset",
            endpoint: "get: /a\nquery:\n  at: {type: timestamp, format: yyyy-MM-dd HH:mm, zone: «+24:00»}"),
        ContractFixture(
            "conflicting-keys", saying: "is only valid with `alias`",
            part: "types:\n  Order: {fields: {id: int}, «format»: yyyy-MM-dd HH:mm}\n"),
    ])
    func aFormatIsThatOfATimestamp(_ fixture: ContractFixture) {
        let result = resolve(fixture.text)
        #expect(result.diagnostics.map(\.rule) == [fixture.rule], "\(listing(result.diagnostics))")
        let found = result.diagnostics.first
        let said = "\(found?.message ?? "") — \(found?.help ?? "")"
        #expect(said.contains(fixture.saying), "\(listing(result.diagnostics))")
        #expect(found?.range.map { $0.start.offset..<$0.end.offset } == fixture.marked)
    }

    @Test func aTimestampMayHaveSeveralForms() throws {
        let text =
            ContractFixture.head
                + """
                types:
                  Seen: {alias: timestamp, format: [rfc3339, yyyy-M-d HH:mm, "yyyy-MM-dd HH:mm", unix], zone: "+01:00"}
                endpoints:
                  ask: {get: /a, response: {at: {type: timestamp, format: [milliseconds, rfc3339]}, seen: Seen}}

                """
        let result = resolve(text)
        let contract = try #require(result.contract, "\(listing(result.diagnostics))")
        let alias = contract.types.first { $0.name.value == "Seen" }
        let forms: [TimestampForm] =
            if case .alias(_, let constraints)? = alias?.form { constraints.format?.value ?? [] } else { [] }
        #expect(forms.map(\.spelling) == ["rfc3339", "yyyy-M-d HH:mm", "yyyy-MM-dd HH:mm", "unix"])
        #expect(forms.offset == 3600)
    }

    @Test(arguments: [
        ContractFixture(
            "invalid-format", saying: "which mean different instants",
            endpoint: "get: /a\nresponse: {at: {type: timestamp, format: [unix, rfc3339, «milliseconds»]}}"),
        ContractFixture(
            "invalid-format", saying: "which mean different instants",
            endpoint:
                "get: /a\nresponse: {at: {type: timestamp, format: [MM/dd/yyyy HH:mm, «d/M/yyyy HH:mm»]}}"),
        ContractFixture(
            "invalid-format", saying: "which mean different instants",
            endpoint:
                "get: /a\nresponse: {at: {type: timestamp, format: [rfc3339, «yyyy-dd-MM'T'HH:mm:ssXXX»]}}"),
        ContractFixture(
            "invalid-format", saying: "which mean different instants",
            endpoint:
                "get: /a\nresponse: {at: {type: timestamp, format: [rfc3339, «\"yyyy-MM-dd'T'HH:mm:ss'Z'\"»], zone: \"+08:00\"}}"
        ),
        ContractFixture(
            "invalid-format", saying: "occurs twice",
            endpoint: "get: /a\nresponse: {at: {type: timestamp, format: [unix, rfc3339, «unix»]}}"),
        ContractFixture(
            "invalid-format", saying: "write `type: timestamp(unix)`",
            endpoint: "get: /a\nresponse: {at: {type: timestamp, format: «unix»}}"),
        ContractFixture(
            "invalid-format", saying: "1 to 8 formats, and has 0",
            endpoint: "get: /a\nresponse: {at: {type: timestamp, format: «[]»}}"),
        ContractFixture(
            "conflicting-keys", saying: "a list of formats is only valid in a response",
            endpoint: "get: /a\nquery: {at: {type: timestamp, format: «[rfc3339, unix]»}}"),
    ])
    func mistakesInAListOfFormsAreFound(_ fixture: ContractFixture) { expectIsFound(fixture) }
}
