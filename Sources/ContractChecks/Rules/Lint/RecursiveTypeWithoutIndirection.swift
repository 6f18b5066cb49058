import Diagnostics

/// A structure that needs a value of itself, through fields that are all required.
///
/// ## Why is this bad
/// No such value can ever be made or sent. Nothing is generated while it stands.
///
/// ## Example
/// ```yaml
/// Node: {name: string, next: Node}
/// ```
/// ## Use instead
/// ```yaml
/// Node: {name: string, next: Node?}
/// ```
/// Lists and maps end a circle as well, since they may be empty.
package enum RecursiveTypeWithoutIndirection: Rule {
    package static let name = "recursive-type-without-indirection"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.types]
}
