import ErrandPatterns
import Testing

/// A text that isn't a pattern of the subset is refused with its reason, at its place.
@Suite struct RefusalTests {
    typealias Reason = PatternError.Reason

    /// `«…»` marks the place.
    static let refused: [(String, Reason)] = [
        ("a«(»b", .unclosedGroup), ("(a)(b«(»", .unclosedGroup), ("a«)»", .unopenedGroup), ("é«)»", .unopenedGroup),
        ("a«[»b", .unclosedClass), ("«[»a\\]", .unclosedClass),
        ("a«{»", .unclosedRepetition), ("«{»a}", .unclosedRepetition), ("a«{»,3}", .unclosedRepetition),
        ("a«{2»", .unclosedRepetition), ("a«{2,»x}", .unclosedRepetition),
        ("[«z-a»]", .reversedRange), ("a«{3,2}»", .reversedRepetition),
        ("«*»a", .nothingToRepeat), ("a|«+»", .nothingToRepeat), ("(«*»)", .nothingToRepeat),
        ("a*«*»", .nothingToRepeat),
        ("a{2}«{3}»", .nothingToRepeat), ("^«*»", .nothingToRepeat), ("\\b«+»", .nothingToRepeat),
        ("«{2}»", .nothingToRepeat),
        ("a«\\»", .incompleteEscape), ("«\\x4»", .incompleteEscape), ("«\\u12»g", .incompleteEscape),
        ("«\\u{110000»}", .incompleteEscape),
        ("«\\u{»}", .incompleteEscape), ("«\\uD83D»", .incompleteEscape), ("«\\uDC00»", .incompleteEscape),
        ("«\\uD83D\\u0041»", .incompleteEscape),
        ("«\\y»", .unknownEscape), ("[«\\é»]", .unknownEscape), ("[«\\B»]", .unknownEscape),
        ("(a)«\\1»", .backreference), ("(?<n>a)«\\k»<n>", .backreference),
        ("«(?=»a)", .lookaround), ("a«(?!»b)", .lookaround), ("«(?<=»a)", .lookaround), ("«(?<!»a)b", .lookaround),
        ("«(?>»a)", .atomicGroup), ("a«++»", .possessiveRepetition), ("a«{2}+»", .possessiveRepetition),
        ("«(?i»)a", .inlineOption), ("«(?-»i)a", .inlineOption), ("«(?s»:.)", .inlineOption),
        ("«(?P<»n>a)", .unknownGroup), ("«(?#»a)", .unknownGroup), ("«(?(»1)a)", .unknownGroup),
        ("«(?<1a»>b)", .unknownGroup), ("«(?»", .unknownGroup),
        ("«\\A»a", .otherAnchor), ("a«\\z»", .otherAnchor), ("a«\\Z»", .otherAnchor), ("«\\G»a", .otherAnchor),
        ("«\\h»", .otherEscape), ("«\\R»", .otherEscape), ("«\\Q»a\\E", .otherEscape), ("«\\c»A", .otherEscape),
        ("«\\0»1", .otherEscape), ("«\\e»", .otherEscape),
        ("«\\p{Greek}»", .otherProperty), ("«\\p»L", .otherProperty), ("«\\p{Script=Latin}»", .otherProperty),
        ("«\\p{L»", .otherProperty), ("«\\p{}»", .otherProperty),
        ("«[]»", .emptyClass), ("«[^]»", .emptyClass), ("[a«[»b]]", .nestedClass), ("[«[:»alpha:]]", .nestedClass),
        ("[a«&&»b]", .setOperation), ("[a«--»b]", .setOperation), ("[«~~»]", .setOperation),
        ("[«\\d-a-z»]", .setOperation),
        ("(((a{100})«{100}»){100})", .tooManyStates), ("a«{10000}»", .tooManyStates),
        ("a«{99999999999999999999}»", .tooManyStates),
    ]

    @Test(arguments: refused.indices)
    func isRefusedAtItsPlace(_ index: Int) {
        let (marked, reason) = Self.refused[index]
        let parts = marked.split(omittingEmptySubsequences: false) { $0 == "«" || $0 == "»" }.map(String.init)
        let place = parts[0].utf8.count..<(parts[0] + parts[1]).utf8.count
        guard let problem = Self.problem(parts.joined()) else {
            Issue.record("\(marked) is taken")
            return
        }
        #expect(problem.reason == reason, "\(marked): \(problem)")
        #expect(problem.range == place, "\(marked): \(problem)")
        #expect(!problem.message.isEmpty && !problem.help.isEmpty)
    }

    @Test func everyReasonHasAnExample() {
        let missing = Set(Reason.allCases).subtracting(Self.refused.map(\.1)).subtracting([.tooLong])
        #expect(missing.isEmpty)
    }

    /// Import says of each pattern that it drops why, and whether another spelling would do.
    @Test func reasonsHaveKinds() {
        #expect(Self.problem("(")?.kind == .malformed)
        #expect(Self.problem("(?=a)")?.kind == .unsupported)
        #expect(Self.problem("a{10000}")?.kind == .tooLarge)
    }

    static func problem(_ pattern: String) -> PatternError? {
        do throws(PatternError) {
            _ = try RegularPattern(pattern)
            return nil
        } catch {
            return error
        }
    }
}
