import ErrandPatterns
import TestSeeds
import Testing

/// Whether one pattern matches each text of another one.
@Suite struct ContainmentTests {
    @Test(arguments: [
        ("a+", "a*", true, false), ("[a-z]+", "[a-z0-9]+", true, false), ("(a|b)*c", "[ab]*c", true, true),
        ("a{2,3}", "a{1,9}", true, false), ("^ab$", "ab", true, true), ("[^a]", "[\\s\\S]", true, false),
        ("", "a*", true, false), ("a", "b", false, false), ("(ab)*", "(a|b)*", true, false),
        ("\\u{1F9FE}+", "[^a]+", true, false), ("[\\uD000-\\uE000]", "[\\uD000-\\uF000]", true, false),
        ("a$b", "c", true, false),
    ]) func isKnown(_ one: String, _ other: String, _ isWithin: Bool, _ isAround: Bool) throws {
        let (one, other) = (try RegularPattern(one), try RegularPattern(other))
        #expect(one.isWithin(other) == isWithin && other.isWithin(one) == isAround)
    }

    /// Categories and the borders of words are not compared, and neither is what would take long.
    @Test func isUnknownForSome() throws {
        #expect(try RegularPattern("\\p{L}").isWithin(RegularPattern("[\\s\\S]")) == nil)
        #expect(try RegularPattern("\\ba").isWithin(RegularPattern("a")) == nil)
        let wide = try RegularPattern("(a|b)*a(a|b){14}")
        #expect(try wide.isWithin(RegularPattern("(a|b)*b(a|b){14}|[ab]*")) == nil)
    }

    /// No text that a pattern matches is outside of one that it is within.
    @Test func agreesWithTexts() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var counts = (within: 0, not: 0)
        for round in 0..<600 {
            let pair = (RandomPattern.random(depth: 2, &random), RandomPattern.random(depth: 3, &random))
            let (one, other) = (try RegularPattern(pair.0.ours), try RegularPattern(pair.1.ours))
            // A pattern is within the choice of itself and any other one.
            let both = try RegularPattern("(?:\(pair.0.ours))|(?:\(pair.1.ours))")
            #expect(one.isWithin(both) != false, "seed \(seed), round \(round): \(pair.0.ours) and \(pair.1.ours)")
            guard let isWithin = one.isWithin(other) else { continue }
            if isWithin { counts.within += 1 } else { counts.not += 1 }
            for _ in 0..<40 {
                let letters = ["a", "b", "c", "A", "0", "1", "_", "-", " ", "\n", "é", "🧾"]
                let text = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                    letters.randomElement(using: &random) ?? ""
                }
                .joined()
                guard isWithin, one.matches(text) else { continue }
                #expect(
                    other.matches(text),
                    "seed \(seed), round \(round): \(pair.0.ours), \(pair.1.ours), \(text.debugDescription)")
            }
        }
        #expect(counts.within > 10 && counts.not > 100, "\(counts)")
    }
}
