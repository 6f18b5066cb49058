import Diagnostics
import SwiftEmitter
import YAMLTree

/// What `errand.yaml` says.
package struct ProjectConfiguration: Sendable, Equatable {
    /// Contract files and folders of them.
    package var contracts: [String] = ["contracts"]
    package var output = "generated"
    package var access = AccessLevel.public
    package var templates: String?

    package init() {}

    /// The file's name, looked for where the tool is started.
    package static let fileName = "errand.yaml"

    private static let keys = ["contracts", "output", "access", "templates"]

    /// Decodes the file's text. Every problem is reported; the configuration exists only where there is none.
    package static func decode(_ bytes: [UInt8], file: String) -> (configuration: ProjectConfiguration?, diagnostics: [Diagnostic]) {
        let parsed = YAMLParser().parse(bytes, file: file)
        guard let root = parsed.document?.root else { return (nil, parsed.diagnostics) }
        var decoder = ConfigurationDecoder(diagnostics: parsed.diagnostics)
        let configuration = decoder.decode(root)
        return (decoder.diagnostics.contains { $0.severity == .error } ? nil : configuration, decoder.diagnostics)
    }

    fileprivate struct ConfigurationDecoder {
        var diagnostics: [Diagnostic]

        mutating func decode(_ root: YAMLNode) -> ProjectConfiguration {
            var configuration = ProjectConfiguration()
            guard let mapping = root.mapping else {
                report("configuration-malformed", "the configuration is \(root.kindName), and a mapping is needed", root, "Write `output: generated`, for example.")
                return configuration
            }
            for pair in mapping {
                guard let key = pair.key.text else { continue }
                switch key {
                case "contracts": if let paths = paths(pair.value) { configuration.contracts = paths }
                case "output": if let path = path(pair.value, key) { configuration.output = path }
                case "templates": configuration.templates = path(pair.value, key)
                case "access": if let access = access(pair.value) { configuration.access = access }
                default:
                    let near = nearestSpelling(of: key, among: ProjectConfiguration.keys).map { "Did you mean `\($0)`?" }
                    report(
                        "configuration-unknown-key", "`\(key)` is no key of the configuration", pair.key,
                        near ?? "The keys are \(ProjectConfiguration.keys.map { "`\($0)`" }.joined(separator: ", ")).")
                }
            }
            return configuration
        }

        private mutating func paths(_ node: YAMLNode) -> [String]? {
            if let path = node.text, !path.isEmpty { return [path] }
            guard let list = node.sequence, !list.isEmpty else {
                report("configuration-malformed", "`contracts` is \(node.kindName), and a list of paths is needed", node, "Write `contracts: [contracts]`.")
                return nil
            }
            return list.compactMap { path($0, "contracts") }
        }

        private mutating func path(_ node: YAMLNode, _ key: String) -> String? {
            if let text = node.text, !text.isEmpty, !node.isNullLiteral { return text }
            report("configuration-malformed", "`\(key)` holds \(node.kindName), and a path is needed", node, nil)
            return nil
        }

        private mutating func access(_ node: YAMLNode) -> AccessLevel? {
            let words = AccessLevel.allCases.map(\.rawValue)
            if let text = node.text, let access = AccessLevel(rawValue: text) { return access }
            let near = node.text.flatMap { nearestSpelling(of: $0, among: words) }
            report(
                "configuration-malformed", "`access` is `public` or `package`", node, near.map { "Did you mean `\($0)`?" })
            return nil
        }

        private mutating func report(_ rule: String, _ message: String, _ node: YAMLNode, _ help: String?) {
            diagnostics.append(Diagnostic(rule: rule, message: message, at: node.range, help: help))
        }
    }
}
