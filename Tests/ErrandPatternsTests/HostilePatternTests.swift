import ErrandPatterns
import TestSeeds
import Testing

/// Hostile patterns and texts: stack, memory and time are bounded.
@Suite struct HostilePatternTests {
    @Test(arguments: ["[", "(", "(?:", "(a|", "[^", "((a{1000}){1000})", "a{1000}", "\\", "(a*)*", "é", "\u{0}", "(?"])
    func thousandsOfAPieceAreTooLong(_ piece: String) {
        let found = RefusalTests.problem(String(repeating: piece, count: 3_000))
        #expect(found?.reason == .tooLong || found?.reason == .tooManyStates, "\(String(describing: found))")
    }

    @Test(arguments: ["(", "(?:", "(a|", "((a+)*", "(?<a>"])
    func groupsAsDeepAsAPatternIsLong(_ opening: String) throws {
        let depth = (RegularPattern.longest - 1) / (opening.count + 2)
        let closing = opening == "((a+)*" ? ")*" : ")"
        let text = String(repeating: opening, count: depth) + "a" + String(repeating: closing, count: depth)
        let pattern = try RegularPattern(text)
        #expect(!pattern.matches("b"))
        #expect(RefusalTests.problem(String(text.dropLast()))?.reason == .unclosedGroup || closing == ")*")
    }

    @Test func lengthIsCountedInCharacters() throws {
        let longest = String(repeating: "é", count: RegularPattern.longest)
        let pattern = try RegularPattern(longest)
        #expect(pattern.matches(longest))
        #expect(
            RefusalTests.problem(String(repeating: "é", count: RegularPattern.longest + 1))?.range == 0..<2
                * RegularPattern.longest)
    }

    /// Most of the text is never looked at: a count of what is would be the time that it takes.
    @Test func aHundredMegabytesAreRefused() {
        var text = "(a*)*"
        while text.utf8.count < 100_000_000 { text += text }
        let found = RefusalTests.problem(text)
        #expect(found?.reason == .tooLong)
        #expect((found?.message.utf8.count ?? 0) < 200)
    }

    @Test(arguments: [
        "(((a{1000}){1000}){1000})", "((a{100}){100}){100}", "(a{0,5000}){0,2}", "(((a|b){50}|c){50}|d){50}",
        "(a*){5001}",
        "((((((((((a{1,9}){1,9}){1,9}){1,9}){1,9}){1,9}){1,9}){1,9}){1,9}){1,9})",
    ])
    func repetitionsOfRepetitionsHaveTooManyStates(_ pattern: String) {
        #expect(RefusalTests.problem(pattern)?.reason == .tooManyStates)
    }

    @Test func repetitionsOfNothingAreBounded() {
        #expect(RefusalTests.problem("((){9999}){9999}") == nil)
        #expect(RefusalTests.problem("(((){0,9999}){0,9999})")?.reason == .tooManyStates)
    }

    /// Patterns that engines that go back need exponential or quadratic time for.
    @Test(arguments: [
        "^([a-zA-Z0-9]+)*@", "(a+)+", "(a|aa)+b", "(a*)*(a*)*(a*)*b", "((a*)*)*c", "(.*a){20}", "(a?){50}a{50}",
        "(\\w+\\s?)*:", "(a|a|a)*$^",
        "^(([a-z])+.)+[A-Z]([a-z])+$", "(\\ba|a\\B|a)*!",
    ])
    func stepsGrowWithTheText(_ pattern: String) throws {
        let pattern = try RegularPattern(pattern)
        func steps(_ length: Int) -> Int {
            var matcher = PatternMatcher(pattern)
            _ = matcher.matches(String(repeating: "a", count: length))
            return matcher.steps
        }
        // A step that is not in the table yet costs the states of the automaton; the rest of the text costs one step each.
        let (short, long) = (steps(1_000), steps(100_000))
        #expect(long - short <= 99_000 + 1_000, "\(short) \(long)")
        #expect(short <= 40_000, "\(short)")
    }

    /// The set of places is another one after nearly each character, so that the table never helps.
    @Test func anAutomatonWithTooManyRowsStaysLinear() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let pattern = try RegularPattern("(.*a.{500}b)|x")
        var text = ""
        for _ in 0..<2_000 { text += Bool.random(using: &random) ? "a" : "b" }
        var matcher = PatternMatcher(pattern)
        let isMatch = text.last == "b" && text.suffix(502).first == "a"
        let found = matcher.matches(text)
        #expect(found == isMatch, "seed \(seed)")
        #expect(matcher.steps < text.utf8.count * 1_100, "seed \(seed)")
    }

    @Test func aMegabyteOfText() throws {
        var matcher = PatternMatcher(try RegularPattern("^([a-zA-Z0-9]+)*@?$"))
        let isMatch = matcher.matches(String(repeating: "a", count: 1_000_000) + "@")
        #expect(isMatch)
        #expect(matcher.steps < 1_000_200)
    }

    /// Any text is a pattern or is refused, within its own bounds.
    @Test func anyTextIsReadOrRefused() {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "^", "$", ".", "-", "\\", "a", "b", "9", ",", "{2,3}",
            "{9999}", "(?:", "(?<n>", "(?=", "[^",
            "\\d", "\\p{L}", "\\P{Lu}", "\\u", "\\u{1F600}", "\\x4", "\\b", "\\W", "é", "🧾", "\u{0}", "&", "~", ":",
            "\r\n", "e\u{301}",
        ]
        var taken = 0
        for round in 0..<3_000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            do throws(PatternError) {
                let pattern = try RegularPattern(text)
                taken += 1
                _ = pattern.matches("ab9é🧾\n-")
            } catch {
                #expect(
                    error.range.upperBound <= text.utf8.count && !error.message.isEmpty,
                    "seed \(seed), round \(round): \(text.debugDescription)")
                #expect(
                    text.utf8.isEmpty || !error.range.isEmpty, "seed \(seed), round \(round): \(text.debugDescription)")
            }
        }
        #expect(taken > 300, "seed \(seed)")
    }
}
