import Diagnostics

/// A union that does not say which key tells its cases apart.
///
/// ## Why is this bad
/// A reader would have to try one case after the other, and take the first that happens to fit. Nothing is generated while
/// it stands.
///
/// ## Example
/// ```yaml
/// Shape: {union: {cases: {circle: Circle, square: Square}}}
/// ```
/// ## Use instead
/// ```yaml
/// Shape: {union: {by: kind, cases: {circle: Circle, square: Square}}}
/// ```
package enum UnionWithoutDiscriminator: Rule {
    package static let name = "union-without-discriminator"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.types]
}
