/// Why a text is not a pattern of the language, and where.
package struct PatternError: Error, Hashable, Sendable {
    /// The kind of problem: a text that no engine accepts, one that only other engines accept, or one that is too
    /// large.
    package enum Kind: Hashable, Sendable {
        case malformed, unsupported, tooLarge
    }

    package enum Reason: Hashable, Sendable, CaseIterable {
        // Too large
        case tooLong, tooManyStates
        // Malformed
        case unclosedGroup, unopenedGroup, unclosedClass, unclosedRepetition, reversedRange, reversedRepetition
        case nothingToRepeat, incompleteEscape, unknownEscape
        // Understood elsewhere, and outside of the subset
        case backreference, lookaround, atomicGroup, possessiveRepetition, inlineOption, unknownGroup
        case otherAnchor, otherEscape, otherProperty
        // Understood elsewhere, by each engine in its own way
        case emptyClass, nestedClass, setOperation
    }

    package let reason: Reason
    /// The place in the pattern, in UTF-8 bytes.
    package let range: Range<Int>
    /// The problem, in words.
    package let message: String
    /// What to write instead.
    package let help: String

    package var kind: Kind {
        switch reason {
        case .tooLong, .tooManyStates: .tooLarge
        case .unclosedGroup, .unopenedGroup, .unclosedClass, .unclosedRepetition, .reversedRange, .reversedRepetition,
            .nothingToRepeat, .incompleteEscape, .unknownEscape:
            .malformed
        case .backreference, .lookaround, .atomicGroup, .possessiveRepetition, .inlineOption, .unknownGroup,
            .otherAnchor,
            .otherEscape, .otherProperty, .emptyClass, .nestedClass, .setOperation:
            .unsupported
        }
    }
}
