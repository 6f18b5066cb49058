import Diagnostics

/// Two names of a contract that become the same name in Swift, or names that differ in letter case or underscores only.
///
/// ## Why is this bad
/// Only one of the two could be generated. Names that differ in case alone are taken for one another, by readers and by file
/// systems. Nothing is generated while it stands.
///
/// ## Example
/// ```yaml
/// User: {user_id: int, userID: int}
/// ```
/// ## Use instead
/// ```yaml
/// User: {user_id: int, userID: {type: int, swift: accountID}}
/// ```
package enum SwiftNameCollision: Rule {
    package static let name = "swift-name-collision"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.naming]
}
