import ContractModel
import Testing

/// Patterns with a star at an end, held against all texts of a small alphabet.
@Suite struct TextPatternTests {
    private static let letters = ["a", "b", "*"]
    /// All texts of up to four letters.
    private static let texts: [String] = {
        var all = [""]
        var last = [""]
        for _ in 1...4 {
            last = last.flatMap { text in letters.map { text + $0 } }
            all += last
        }
        return all
    }()
    /// All patterns whose literal has up to two letters.
    private static let patterns: [TextPattern] = {
        let spellings = texts + texts.map { "\\" + $0 }
        let all = spellings.map { TextPattern($0) } + texts.map { TextPattern(exactly: $0) }
        return Set(all.filter { $0.literal.count <= 2 && !$0.literal.contains("\\") }).sorted {
            $0.spelling < $1.spelling
        }
    }()

    @Test func starsAtTheEndsStandForAnyText() {
        let matching: [(TextPattern, [String], [String])] = [
            ("busy", ["busy"], ["", "busy ", "Busy", "busy*"]),
            ("quota*", ["quota", "quota_day"], ["quot", " quota"]),
            ("*failure", ["failure", "connection failure"], ["failure.", ""]),
            ("*connection failure*", ["connection failure", "a connection failure: b"], ["connection  failure", ""]),
            ("*", ["", "anything"], []),
            ("\\*", ["*"], ["", "a"]),
            ("\\*a\\*", ["*a*"], ["a", "*a", "xa*"]),
            ("a*b", ["a*b"], ["ab", "acb"]),
            ("a**", ["a*", "a*b"], ["a", "ab"]),
            ("\\*a*", ["*a", "*ab"], ["a"]),
            ("", [""], ["a"]),
            // The accent alone: the same character in other bytes.
            ("*\u{e9}", ["caf\u{e9}"], ["cafe\u{301}"]),
        ]
        for (pattern, texts, others) in matching {
            for text in texts { #expect(pattern.matches(text), "\(pattern.spelling) \(text)") }
            for text in others { #expect(!pattern.matches(text), "\(pattern.spelling) \(text)") }
        }
    }

    @Test func aSpellingIsReadAsThePattern() {
        for pattern in Self.patterns { #expect(TextPattern(pattern.spelling) == pattern, "\(pattern.spelling)") }
        for text in Self.texts {
            let pattern = TextPattern(TextPattern(exactly: text).spelling)
            #expect(pattern.isExact && Self.texts.filter(pattern.matches) == [text], "\(text)")
        }
    }

    /// What one pattern contains, how narrow it is, and what two of them share, is what all texts say.
    @Test func twoPatternsAreThoseOfEveryText() {
        let taken = Self.patterns.map { pattern in Set(Self.texts.filter(pattern.matches)) }
        for (one, first) in zip(Self.patterns, taken) {
            for (other, second) in zip(Self.patterns, taken) {
                let story: Comment = "\(one.spelling) and \(other.spelling)"
                #expect(one.contains(other) == second.isSubset(of: first), story)
                if one != other, one.contains(other) { #expect(other.weight > one.weight, story) }
                let shared = TextPattern.shared(one, other, "-")
                #expect((shared == nil) == first.isDisjoint(with: second), story)
                guard let shared else { continue }
                #expect(one.matches(shared) && other.matches(shared), story)
                // It matches no pattern but those that take all that both take.
                for (third, all) in zip(Self.patterns, taken) where third.matches(shared) {
                    #expect(first.intersection(second).isSubset(of: all), "\(story), \(third.spelling)")
                }
            }
            let example = one.example("-")
            #expect(one.matches(example))
            for other in Self.patterns where other.matches(example) { #expect(other.contains(one)) }
        }
    }

    @Test func theFillerIsInNoLiteral() {
        #expect(TextPattern.filler(apartFrom: ["a", "b"]) == "…")
        #expect(TextPattern.filler(apartFrom: ["a…", "b"]) == "·")
    }

    @Test func theBeginningOfATextIsCompared() {
        #expect(TextPattern.compared(Array(" \r\n Service Unavailable\n".utf8)) == "Service Unavailable")
        #expect(TextPattern.compared(Array(" \t\n".utf8)) == nil && TextPattern.compared([]) == nil)
        let long = Array(String(repeating: "a", count: 8_192).utf8) + Array("busy".utf8)
        #expect(TextPattern.compared(long)?.utf8.count == 8_192)
    }
}
