import Testing

@testable import ContractModel

/// `rateLimit`: the header that says when a limit ends, and what is refused.
@Suite struct RateLimitTests {
    @Test(arguments: [
        ("rateLimit: {reset: X-Reset, unit: seconds}", "X-Reset seconds -"),
        ("rateLimit: {reset: X-Reset, unit: milliseconds, remaining: X-Left}", "X-Reset milliseconds X-Left"),
        ("rateLimit:\n  reset: Retry-After\n  unit: timestamp\n", "Retry-After timestamp -"),
        ("stability: beta", "none"),
    ])
    func theServiceNamesIt(_ part: String, _ wanted: String) throws {
        let result = resolve(ContractFixture("", saying: "", part: part + "\n").text)
        let contract = try #require(result.contract, "\(listing(result.diagnostics))")
        let found = contract.rateLimit.map {
            "\($0.reset.value) \($0.unit.value.rawValue) \($0.remaining?.value ?? "-")"
        }
        #expect(found ?? "none" == wanted)
    }

    @Test(arguments: [
        ContractFixture("missing-key", saying: "`unit`", part: "rateLimit: {«reset»: X-Reset}\n"),
        ContractFixture(
            "unknown-value", saying: "did you mean `seconds`?", part: "rateLimit: {reset: X-Reset, unit: «secnds»}\n"),
        ContractFixture(
            "invalid-header", saying: "cannot be the name of a header",
            part: "rateLimit: {reset: «X Reset», unit: seconds}\n"),
        ContractFixture(
            "duplicate-name", saying: "the same header",
            part: "rateLimit: {reset: X-Reset, unit: seconds, remaining: «x-reset»}\n"),
        ContractFixture(
            "unknown-key", saying: "did you mean `remaining`?",
            part: "rateLimit: {reset: X-Reset, unit: seconds, «remaning»: X-Left}\n"),
    ])
    func whatCannotBeMeantIsRefused(_ fixture: ContractFixture) {
        expectIsFound(fixture)
    }
}
