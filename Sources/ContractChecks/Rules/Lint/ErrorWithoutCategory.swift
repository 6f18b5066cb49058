import Diagnostics

/// An error that does not say what to do about it.
///
/// ## Why is this bad
/// The category is what the contract is for: whether the request is sent again, whether the app logs in anew, whether
/// the user is told. Without one, each app and each screen would decide for itself. Nothing is generated while it is
/// missing.
///
/// ## Example
/// ```yaml
/// busy: {when: {status: 503}, message: Please wait.}
/// ```
/// ## Use instead
/// ```yaml
/// busy: {when: {status: 503}, message: Please wait., category: retryable}
/// ```
package enum ErrorWithoutCategory: Rule {
    package static let name = "error-without-category"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.errors]
}
