import Testing

@testable import ErrandRuntime

/// A request's texts against the patterns of a contract.
@Suite struct PatternCheckTests {
    @Test func theWholeTextMatches() {
        var check = RequestCheck()
        check.pattern("iban", "DE89370400440532013000", "^[A-Z]{2}[0-9]{2}[A-Z0-9]+$")
        check.pattern("iban", nil, "^[A-Z]{2}[0-9]{2}[A-Z0-9]+$")
        #expect(check.broken.isEmpty)
        check.pattern("iban", "DE89370400440532013000\n", "^[A-Z]{2}[0-9]{2}[A-Z0-9]+$")
        check.pattern("code", "xab", "ab")
        #expect(check.broken.map(\.name) == ["iban", "code"])
        #expect(check.broken.map(\.reason) == ["must match ^[A-Z]{2}[0-9]{2}[A-Z0-9]+$", "must match ab"])
    }

    /// An engine that goes back is at it for years.
    @Test func noTextBlocksACommand() {
        var check = RequestCheck()
        check.pattern("email", String(repeating: "a", count: 19), "^([a-zA-Z0-9]+)*@")
        check.pattern("email", String(repeating: "a", count: 100_000), "^([a-zA-Z0-9]+)*@")
        check.pattern("email", String(repeating: "a", count: 100_000) + "@", "^([a-zA-Z0-9]+)*@")
        #expect(check.broken.count == 2)
    }

    /// Such a contract was not checked by the tool.
    @Test func whatIsNoPatternMatchesNothing() {
        var check = RequestCheck()
        check.pattern("a", "a", "(a)\\1")
        check.pattern("b", "", "(")
        #expect(check.broken.count == 2)
    }

    @Test func theCacheIsBounded() {
        let cache = PatternCache()
        for round in 1...2 {
            for length in 1...200 {
                #expect(cache.matches(String(repeating: "a", count: length), "a{\(length)}"), "round \(round)")
                #expect(!cache.matches("b", "a{\(length)}"), "round \(round)")
                #expect(cache.count <= PatternCache.mostIdle)
            }
        }
        #expect(cache.count > 0)
    }

    @Test func oneMatcherOfAPatternIsKept() {
        let cache = PatternCache()
        for _ in 0..<100 { _ = cache.matches("a", "a+") }
        #expect(cache.count == 1)
    }

    @Test func commandsMatchSideBySide() async {
        let cache = PatternCache()
        let found = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<500 {
                group.addTask {
                    cache.matches(String(repeating: "ab", count: number), "(ab)*") && !cache.matches("b", "[^b]")
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(found == 500)
        #expect(cache.count <= PatternCache.mostIdle)
    }
}
