import ContractModel
import Diagnostics

/// Two endpoints with the same method whose paths differ only in the names of parameters.
///
/// Endpoints with different defaults in the query or in a header are not reported: `?beta=true` tells the two requests
/// apart.
///
/// ## Why is this bad
/// A server cannot tell the two requests apart, so both endpoints do the same.
///
/// ## Example
/// ```yaml
/// getBook: {get: "/books/{bookID:int}", response: string}
/// findBook: {get: "/books/{title}", response: string}
/// ```
/// ## Use instead
/// ```yaml
/// getBook: {get: "/books/{bookID:int}", response: string}
/// findBook: {get: "/books/by-title/{title}", response: string}
/// ```
package enum AmbiguousPaths: LintRule {
    package static let name = "ambiguous-paths"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.http]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        var first: [Request: LintedEndpoint] = [:]
        for endpoint in subject.endpoints {
            guard case .http(let method, let path) = endpoint.written.target, case .path(let parts) = path.value else {
                continue
            }
            let shape = parts.map { part in
                if case .text(let text) = part { text } else { "{}" }
            }.joined()
            let request = Request(method: method, shape: shape, constants: constants(endpoint))
            guard let other = first[request], case .http(_, let place) = other.written.target else {
                first[request] = endpoint
                continue
            }
            report.add(
                "`\(other.name)` sends the same request", at: path.range,
                notes: [
                    DiagnosticNote(
                        "its path",
                        at: place.range)
                ],
                help: "change the path of one endpoint, or merge the two endpoints")
        }
    }

    /// What a server can tell requests apart by, whatever the app puts into them.
    private struct Request: Hashable {
        let method: HTTPMethod
        let shape: String
        let constants: [String: String]
    }

    /// The texts that requests contain without a decision of the app.
    private static func constants(_ endpoint: LintedEndpoint) -> [String: String] {
        var constants: [String: String] = [:]
        for field in endpoint.resolved.query + endpoint.resolved.headers {
            if case .string(let value)? = field.defaultValue?.value { constants[field.wireName] = value }
        }
        return constants
    }
}
