/// A regular expression of the subset that a finite automaton matches: the `pattern` of a contract.
///
/// The tool refuses patterns outside the subset, and the runtime matches patterns within it; both share this target. A pattern
/// is bounded in length and states, and reading one uses no recursion, so that no text can exhaust memory or stack. Matching
/// takes time in proportion to the text, because an automaton does not backtrack.
///
/// Swift's `Regex` gives no such guarantee. It recurses while it reads a pattern, so that 3,000 brackets crash the process. It
/// backtracks while it matches one, so that a text of 19 characters takes 12 seconds. The price of an automaton is that patterns
/// have no backreferences and no lookaround.
package struct RegularPattern: Sendable {
    /// The most Unicode scalars that a pattern may have.
    package static let longest = 1_000
    /// The most states that its automaton may have: `a{1000}` has as many as it has repetitions.
    package static let mostStates = 10_000

    let program: [Instruction]
    let alphabet: PatternAlphabet
    let looksAtWords: Bool

    package init(_ text: String) throws(PatternError) {
        var parser = try PatternParser(text)
        let (program, sets) = try parser.parse()
        self.program = program
        looksAtWords = program.contains { $0 == .assert(.wordBoundary) || $0 == .assert(.noWordBoundary) }
        alphabet = PatternAlphabet(sets, distinguishesWords: looksAtWords)
    }

    /// Whether the pattern matches all of the text.
    package func matches(_ text: String) -> Bool {
        var matcher = PatternMatcher(self)
        return matcher.matches(text)
    }
}
