import ErrandPatterns
import Testing

/// What each construct means, one example of each.
@Suite struct MeaningTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let pattern: String
        let matching: [String]
        let others: [String]

        init(_ pattern: String, _ matching: [String], not others: [String]) {
            self.pattern = pattern
            self.matching = matching
            self.others = others
        }

        var testDescription: String { pattern }
    }

    @Test(arguments: [
        Example("", [""], not: ["a"]),
        Example("abc", ["abc"], not: ["", "ab", "abcd", "xabc", "ABC"]),
        Example(
            "^[A-Z]{2}[0-9]{2}[A-Z0-9]+$", ["DE89370400440532013000"],
            not: ["DE89", "de89370400440532013000", "DE89370400440532013000\n"]),
        Example("a|bc|", ["a", "bc", ""], not: ["ab", "abc"]),
        Example("(a|b)(?:c)(?<last>d)", ["acd", "bcd"], not: ["abcd"]),
        Example("a*", ["", "a", "aaaa"], not: ["b", "aab"]),
        Example("a+", ["a", "aa"], not: [""]),
        Example("a?b", ["b", "ab"], not: ["aab"]),
        Example("a{2}", ["aa"], not: ["a", "aaa"]),
        Example("a{2,}", ["aa", "aaaaa"], not: ["a"]),
        Example("a{1,3}", ["a", "aa", "aaa"], not: ["", "aaaa"]),
        Example("a{0}b", ["b"], not: ["ab"]),
        Example("(ab){0,2}", ["", "ab", "abab"], not: ["a", "ababab"]),
        Example("a*?b+?c??d{1,2}?", ["bd", "aabbcdd"], not: ["ad"]),
        Example("(a*)*", ["", "aaa"], not: ["b"]),
        Example("()*(|a)+", ["", "aa"], not: ["b"]),
        Example(".", ["a", "é", "🧾", "\u{0B}"], not: ["", "\n", "\r", "\u{2028}", "e\u{301}"]),
        Example("..", ["e\u{301}", "ab"], not: ["é", "🧾", "\r\n"]),
        Example("\\d\\D", ["1a", "1٣"], not: ["a1", "11", "٣a"]),
        Example("\\w\\W", ["_é", "a-"], not: ["é-", "aa"]),
        Example("\\s\\S", [" a", "\u{A0}a", "\u{FEFF}a"], not: ["aa", "  ", "\u{85}a"]),
        Example("\\ba\\b.\\Bb*", ["a-", "a "], not: ["ab", "a-b"]),
        Example("(\\b|a)*\\B", [""], not: ["a", "b"]),
        Example("a\\Bb\\b", ["ab"], not: ["a b"]),
        Example("\\t\\n\\r\\f\\v\\0\\x41\\u00e9\\u{1F9FE}\\uD83E\\uDDFE", ["\t\n\r\u{0C}\u{0B}\0Aé🧾🧾"], not: [""]),
        Example("\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\^\\$\\\\\\/\\-\\@\\ ", [".*+?()[]{}|^$\\/-@ "], not: [""]),
        Example("[abc]", ["a", "c"], not: ["d", "ab", ""]),
        Example("[^abc]", ["d", "\n", "🧾"], not: ["a", ""]),
        Example("[a-cx-z]", ["b", "y"], not: ["d", "w", "-"]),
        Example("[-a]", ["-", "a"], not: ["b"]),
        Example("[a-]", ["-", "a"], not: ["b"]),
        Example("[\\w.-]", ["-", "_", "."], not: ["+"]),
        Example("[\\w-.]", ["-", "_", "."], not: ["+", "\u{60}"]),
        Example("[a-c-9]", ["-", "b", "9"], not: ["5"]),
        Example("[a-\\d]", ["-", "a", "5"], not: ["b"]),
        Example("[.*+?(){}|^$/]", [".", "*", "^", "$", "|"], not: ["a"]),
        Example("[\\]\\[\\\\\\-\\b]", ["]", "[", "\\", "-", "\u{08}"], not: ["b"]),
        Example("[^\\W_]", ["a", "9"], not: ["_", "é", "-"]),
        Example("[\\s\\S]", ["\n", "a"], not: [""]),
        Example("[\\D1]", ["a", "1"], not: ["2"]),
        Example("]}", ["]}"], not: [""]),
        Example("\\p{L}+", ["aßЖ漢"], not: ["1", "-"]),
        Example("\\p{Lu}\\P{Lu}", ["Äa", "A1"], not: ["aA"]),
        Example("[\\p{L}\\p{M} .'-]{1,100}", ["Zoë O'Hara-Lüdenscheidt", "e\u{301}"], not: ["R2D2"]),
        Example("[^\\p{L}\\d]", ["-", "🧾"], not: ["é", "1"]),
        Example("[\\P{Nd}5]", ["5", "a"], not: ["4", "٣"]),
        Example("[à-ü]", ["é"], not: ["e"]),
        Example("^^a$$", ["a"], not: [""]),
        Example("a$b|c^", [], not: ["ab", "c", "a", "a$b"]),
        Example("(^a|b)*", ["a", "ab", "bb"], not: ["ba"]),
        Example("a(b|$)*", ["a", "ab", "abb"], not: ["ac"]),
    ])
    func matchesAllOfTheText(_ example: Example) throws {
        let pattern = try RegularPattern(example.pattern)
        for text in example.matching { #expect(pattern.matches(text), "\(text.debugDescription)") }
        for text in example.others { #expect(!pattern.matches(text), "\(text.debugDescription)") }
        // One matcher for all of them says the same.
        var matcher = PatternMatcher(pattern)
        for text in example.matching + example.others + example.matching {
            let isMatch = matcher.matches(text)
            #expect(isMatch == pattern.matches(text), "\(text.debugDescription)")
        }
    }
}
