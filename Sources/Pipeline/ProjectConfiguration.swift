import ContractChecks
import ContractModel
import Diagnostics
import SwiftEmitter
import YAMLTree

/// What `errand.yaml` says. Paths in it are relative to its folder.
package struct ProjectConfiguration: Sendable, Equatable {
    package static let fileName = "errand.yaml"
    package static var keys: [String] { ConfigurationKeys.configuration.names }

    /// Contract files, and folders with contracts.
    package var contracts: [String] = ["contracts"]
    /// The folder that generated code is written into.
    package var output = "generated"
    package var access = AccessLevel.public
    /// What generated models conform to beside what they need.
    package var conformances: Set<ModelConformance> = []
    /// A folder with templates that take the place of built-in ones.
    package var templates: String?
    /// How much each lint rule weighs, and where.
    package var lint = RuleSettings()

    package init() {}

    /// What `errand.yaml` of the working folder says, or the conventions where there is none.
    package static func load() -> (configuration: ProjectConfiguration?, diagnostics: [Diagnostic], sources: [String: [UInt8]]) {
        load(ContractFiles.readFromDisk(fileName))
    }

    /// The same of what became of reading it, wherever that was.
    package static func load(
        _ reading: SourceReading
    ) -> (configuration: ProjectConfiguration?, diagnostics: [Diagnostic], sources: [String: [UInt8]]) {
        switch reading {
        case .bytes(let bytes):
            let decoded = decode(bytes, file: fileName)
            return (decoded.configuration, decoded.diagnostics, [fileName: bytes])
        case .failure("missing-file", _, _): return (ProjectConfiguration(), [], [:])
        case .failure(let rule, let message, let help):
            return (nil, [Diagnostic(rule: rule, message: message, file: fileName, help: help)], [:])
        }
    }

    /// Decodes a configuration; every problem of the file is reported.
    package static func decode(_ bytes: [UInt8], file: String) -> (configuration: ProjectConfiguration?, diagnostics: [Diagnostic]) {
        let parsed = YAMLParser().parse(bytes, file: file)
        guard let document = parsed.document else { return (nil, parsed.diagnostics) }
        var decoder = Decoder(findings: DiagnosticBag(parsed.diagnostics))
        let configuration = decoder.configuration(document.root)
        return (decoder.findings.hasErrors ? nil : configuration, decoder.findings.sorted())
    }

    private struct Decoder {
        var findings: DiagnosticBag

        mutating func configuration(_ node: YAMLNode) -> ProjectConfiguration {
            var configuration = ProjectConfiguration()
            guard let mapping = node.mapping else {
                report("wrong-kind", "a configuration is a mapping, and this is \(node.kindName)", node, help: "its keys are \(list(keys))")
                return configuration
            }
            for pair in mapping {
                guard let key = pair.key.text, pair.value.kind != .unreadable else { continue }
                switch key {
                case "contracts":
                    configuration.contracts = texts(pair.value, key)
                    if configuration.contracts.isEmpty, !findings.hasErrors {
                        report("missing-value", "`contracts` names nothing", pair.key, help: "write `contracts: [contracts]`")
                    }
                case "output": configuration.output = text(pair.value, key) ?? configuration.output
                case "templates": configuration.templates = text(pair.value, key)
                case "access":
                    guard let word = text(pair.value, key) else { continue }
                    if let access = AccessLevel(rawValue: word) {
                        configuration.access = access
                    } else {
                        report("unknown-value", "`access` cannot be `\(word)`", pair.value, help: "write `public` or `package`")
                    }
                case "conformances": configuration.conformances = conformances(pair.value, key)
                case "lint": configuration.lint = lint(pair.value)
                default:
                    let near = nearestSpelling(of: key, among: keys)
                    report("unknown-key", "a configuration has no key `\(key)`", pair.key, help: near.map { "did you mean `\($0)`?" } ?? "the keys are \(list(keys))")
                }
            }
            return configuration
        }

        private mutating func texts(_ node: YAMLNode, _ key: String) -> [String] {
            guard let sequence = node.sequence else { return text(node, key).map { [$0] } ?? [] }
            return sequence.compactMap { text($0, key) }
        }

        private mutating func conformances(_ node: YAMLNode, _ key: String) -> Set<ModelConformance> {
            var found: Set<ModelConformance> = []
            for entry in node.sequence.map(Array.init) ?? [node] {
                guard let word = text(entry, key) else { continue }
                if let conformance = ModelConformance(rawValue: word) {
                    found.insert(conformance)
                } else {
                    let known = ModelConformance.allCases.map(\.rawValue)
                    let near = nearestSpelling(of: word, among: known)
                    report("unknown-value", "models cannot be asked to conform to `\(word)`", entry, help: near.map { "did you mean `\($0)`?" } ?? "they can to \(list(known))")
                }
            }
            return found
        }

        // MARK: Rules

        private mutating func lint(_ node: YAMLNode) -> RuleSettings {
            var settings = RuleSettings()
            for (key, value) in entries(node, "lint") {
                switch key.text {
                case "rules": settings.levels = levels(value, "rules")
                case "paths":
                    for (path, levels) in entries(value, "paths") {
                        guard let text = path.text else { continue }
                        let trimmed = text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text
                        settings.overrides.append(RuleSettings.Override(path: trimmed, levels: self.levels(levels, text)))
                    }
                default: report("unknown-key", "`lint` has no key `\(key.text ?? "")`", key, help: "its keys are \(list(ConfigurationKeys.lint.names))")
                }
            }
            return settings
        }

        private mutating func levels(_ node: YAMLNode, _ what: String) -> [String: RuleSettings.Level] {
            var levels: [String: RuleSettings.Level] = [:]
            for (key, value) in entries(node, what) {
                guard let name = key.text, let word = text(value, name) else { continue }
                let names = RuleCatalogue.all.map { $0.name }
                if !names.contains(name) {
                    let near = nearestSpelling(of: name, among: names)
                    report("unknown-rule", "there is no rule `\(name)`", key, help: near.map { "did you mean `\($0)`?" } ?? "`errand rules` lists them")
                } else if let level = RuleSettings.Level(rawValue: word) {
                    levels[name] = level
                } else {
                    report("unknown-value", "a rule cannot weigh `\(word)`", value, help: "write \(list(RuleSettings.Level.allCases.map(\.rawValue)))")
                }
            }
            return levels
        }

        private mutating func entries(_ node: YAMLNode, _ what: String) -> [(key: YAMLNode, value: YAMLNode)] {
            guard let mapping = node.mapping else {
                if node.kind != .unreadable { report("wrong-kind", "`\(what)` is a mapping, and this is \(node.kindName)", node, help: nil) }
                return []
            }
            return mapping.map { ($0.key, $0.value) }
        }

        private mutating func text(_ node: YAMLNode, _ key: String) -> String? {
            guard let text = node.text, !node.isAbsent, !text.isEmpty else {
                if node.kind != .unreadable { report("wrong-kind", "`\(key)` is text, and this is \(node.kindName)", node, help: nil) }
                return nil
            }
            return text
        }

        private mutating func report(_ rule: String, _ message: String, _ node: YAMLNode, help: String?) {
            findings.add(Diagnostic(rule: rule, message: message, at: node.range, help: help))
        }

        private func list(_ keys: [String]) -> String { keys.map { "`\($0)`" }.joined(separator: ", ") }
    }
}
