import Testing
import YAMLTree

/// One `yaml` block of the language reference or its guide, and the contract that a test makes of it.
struct ReferenceExample: Sendable, CustomTestStringConvertible {
    /// The frame around a fragment.
    enum Frame: String, Sendable {
        /// Nothing: it is a whole contract.
        case contract = "nothing"
        /// The keys of a contract, beside a head and an endpoint.
        case service
        case types, errors, endpoints
        /// One endpoint, one field list of a type.
        case endpoint, fields
    }

    struct Mark: Sendable {
        var frame = Frame.contract
        /// The name under which other examples can import it.
        var fileName: String?
        /// The rules that it provokes.
        var mistakes: [String] = []
    }

    /// The path of its page.
    var page: String
    /// Where it begins in the page.
    var line: Int
    var mark: Mark
    var text: String

    var testDescription: String { "line \(line) of \(page)" }

    /// The whole contract. Fragments may use the types, errors and envelopes of the guide's shop.
    var contract: String {
        let head = "errand: 1\nservice: Sample\n"
        let imports = "imports: [shop.contract.yaml]\n"
        let ping = "endpoints:\n  ping: {get: /ping}\n"
        let around = head + imports + "session: {header: X-Session}\ndefaults: {envelope: standard}\n"
        switch mark.frame {
        case .contract:
            return text
        case .service:
            let keys = topLevelKeys
            return head + (keys.contains("imports") ? "" : imports) + text + (keys.contains("endpoints") ? "" : ping)
        case .types:
            return head + imports + ping + "types:\n" + indented(2)
        case .fields:
            return head + imports + ping + "types:\n  Sample1:\n" + indented(4)
        case .errors:
            // A built-in error is redeclared, and listed nowhere.
            let builtIn = ["throttled", "rejected", "serverFault"]
            let listed = topLevelKeys.filter { !builtIn.contains($0) }.joined(separator: ", ")
            return around + "endpoints:\n  ask: {get: /ask, errors: [\(listed)]}\nerrors:\n" + indented(2)
        case .endpoints:
            return around + "endpoints:\n" + indented(2)
        case .endpoint:
            return around + "endpoints:\n  ask:\n" + indented(4)
        }
    }

    private var topLevelKeys: [String] {
        YAMLParser().parse(text, file: "example").document?.root.mapping?.keys ?? []
    }

    private func indented(_ width: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : String(repeating: " ", count: width) + $0 }.joined(separator: "\n")
    }
}
