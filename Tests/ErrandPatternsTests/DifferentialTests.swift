import ErrandPatterns
import Foundation
import TestSeeds
import Testing

/// Random patterns of the subset match what they do by definition, and what another engine says that is asked in its own
/// spelling.
@Suite struct DifferentialTests {
    @Test func agreesWithTheDefinitionAndWithFoundation() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var (matches, refusals, compared) = (0, 0, 0)
        for round in 0..<800 {
            let example = RandomPattern.random(depth: 3, &random)
            guard let pattern = try? RegularPattern(example.ours) else {
                Issue.record("seed \(seed), round \(round): \(example.ours) is refused")
                continue
            }
            let other = example.repeatsNothing ? nil : try NSRegularExpression(pattern: "\\A(?:\(example.theirs))\\z")
            var matcher = PatternMatcher(pattern)
            for _ in 0..<6 {
                let text = Self.text(&random)
                let found = matcher.matches(text)
                let wanted = example.matches(Array(text.unicodeScalars))
                #expect(found == wanted, "seed \(seed), round \(round): \(example.ours) and \(text.debugDescription)")
                #expect(
                    pattern.matches(text) == found,
                    "seed \(seed), round \(round): a fresh matcher and \(text.debugDescription)")
                if let other {
                    let theirs =
                        other.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
                    #expect(
                        found == theirs,
                        "seed \(seed), round \(round): \(example.ours), \(example.theirs) and \(text.debugDescription)")
                    compared += 1
                }
                if wanted { matches += 1 } else { refusals += 1 }
            }
        }
        print("\(matches) texts match, \(refusals) do not; \(compared) were shown to Foundation")
        #expect(matches > 300 && refusals > 1_000 && compared > 1_000)
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        let letters = ["a", "b", "c", "A", "0", "1", "_", "-", " ", "\n", "é", "🧾"]
        return (0..<Int.random(in: 0...5, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }
            .joined()
    }
}
