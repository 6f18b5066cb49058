import ErrandPatterns
import Testing

@Suite struct PatternSampleTests {
    @Test(arguments: [
        ("^[A-Z]{2}[0-9]{2}[A-Z0-9]+$", 15), ("^[a-z][a-z0-9_]*$", 3), ("^[+]?[0-9]{6,15}$", 0), ("a|bc|def", 3),
        ("(ab){3,}c?", 9), ("\\d{4}-\\d{2}", 0), ("", 0), ("[^a-z]{5}", 5), ("\\p{Lu}+", 2), ("x{1000}", 0),
        (".*", 256),
        ("\\bword\\b", 0),
    ])
    func aSampleMatches(_ pattern: String, _ least: Int) throws {
        let regular = try RegularPattern(pattern)
        var turn = 0
        let sample = regular.sample(ofAtLeast: least) { count in
            turn += 1
            return turn % count
        }
        if pattern == "x{1000}" {
            #expect(sample == nil, "it is longer than any sample")
        } else {
            let sample = try #require(sample)
            #expect(regular.matches(sample) && sample.unicodeScalars.count >= least, "\(sample)")
        }
    }

    @Test(arguments: ["a$b", "[a-c]{2}"]) func thereIsNoneThatIsLongEnough(_ pattern: String) throws {
        #expect(try RegularPattern(pattern).sample(ofAtLeast: 3) { _ in 0 } == nil)
    }
}
