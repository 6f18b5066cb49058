import Diagnostics

/// A value that stands twice in an enum.
///
/// ## Why is this bad
/// One of the two cases can never be read. Nothing is generated while it stands.
///
/// ## Example
/// ```yaml
/// Colour: {enum: [red, green, red]}
/// ```
/// ## Use instead
/// ```yaml
/// Colour: {enum: [red, green, blue]}
/// ```
package enum DuplicateEnumValue: Rule {
    package static let name = "duplicate-enum-value"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.types]
}
