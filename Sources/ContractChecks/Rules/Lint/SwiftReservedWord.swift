import Diagnostics

/// A name that Swift or the generated code needs for something else at its place, where no backticks help.
///
/// ## Why is this bad
/// What would be generated does not compile, or means something else: a type called `Failure` hides the client's own. Nothing is
/// generated while it stands. Words that are fine in backticks, such as `default`, are written so and are no finding.
///
/// ## Example
/// ```yaml
/// Failure: {reason: string}
/// ```
/// ## Use instead
/// ```yaml
/// Failure: {fields: {reason: string}, swift: MachineFailure}
/// ```
package enum SwiftReservedWord: Rule {
    package static let name = "swift-reserved-word"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.naming]
}
