import Diagnostics

/// Contracts that import each other in a circle.
///
/// ## Why is this bad
/// Neither can be read before the other. Nothing is generated while it stands.
///
/// ## Example
/// ```yaml
/// imports: [fails.contract.yaml]
/// ```
/// in a contract that this one leads back to.
///
/// ## Use instead
/// ```yaml
/// imports: [library.contract.yaml]
/// ```
/// where both import a third contract with what they share.
package enum ImportCycle: Rule {
    package static let name = "import-cycle"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.types]
}
