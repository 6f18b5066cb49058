import ContractChecks
import ContractModel
import Diagnostics
import SwiftEmitter
import YAMLTree

/// Reads a tree into a ``ProjectConfiguration``. It reports problems, and continues to read.
package struct ConfigurationDecoder {
    package private(set) var findings: DiagnosticBag

    package init(findings: DiagnosticBag) { self.findings = findings }

    mutating func configuration(_ node: YAMLNode) -> ProjectConfiguration {
        var configuration = ProjectConfiguration()
        guard let mapping = node.mapping else {
            report(
                .wrongKind, "the configuration must be a mapping, and is \(node.kindName)", node,
                help: "the keys are \(list(ProjectConfiguration.keys))")
            return configuration
        }
        for pair in mapping {
            guard let key = pair.key.text, pair.value.kind != .unreadable else { continue }
            configuration.places[key] = ProjectConfiguration.Place(range: pair.key.range)
            switch key {
            case "contracts":
                configuration.contracts = texts(pair.value, key)
                if configuration.contracts.isEmpty, !findings.hasErrors {
                    report(
                        .missingValue, "`contracts` is empty", pair.key, help: "write `contracts: [contracts]`")
                }
            case "output": configuration.output = text(pair.value, key) ?? configuration.output
            case "templates": configuration.templates = text(pair.value, key)
            case "texts": configuration.texts = located(pair.value, key)
            case "docs": docs(pair.value, into: &configuration)
            case "allow": configuration.allowed = located(pair.value, key)
            case "limits": limits(pair.value, into: &configuration)
            case "access": configuration.access = word(pair.value, key, AccessLevel.self) ?? configuration.access
            case "conformances": configuration.conformances = conformances(pair.value, key)
            case "imports": configuration.imports = modules(pair.value, key)
            case "protocol": configuration.customization.hasProtocol = flag(pair.value, key)
            case "endpoints": configuration.customization.selections = selections(pair.value, pair.key)
            case "names": configuration.customization.names = names(pair.value)
            case "lint": lint(pair.value, into: &configuration)
            default: reportUnknown(pair.key, "a configuration", ProjectConfiguration.keys)
            }
        }
        return configuration
    }

    private mutating func conformances(_ node: YAMLNode, _ key: String) -> Set<ModelConformance> {
        Set(
            (node.sequence.map(Array.init) ?? [node]).compactMap { entry in
                guard let word = text(entry, key) else { return nil }
                if let conformance = ModelConformance(rawValue: word) { return conformance }
                let known = ModelConformance.allCases.map(\.rawValue)
                let near = NearSpelling(of: word, among: known)
                report(
                    .unknownValue, "generated models cannot conform to `\(word)`", entry,
                    help: near.map { "did you mean `\($0.candidate)`?" } ?? "write \(list(known))",
                    fix: near?.fix(at: entry.range))
                return nil
            })
    }

    private mutating func modules(_ node: YAMLNode, _ key: String) -> [String] {
        located(node, key).compactMap { name in
            // A part of a name ends in generated source, so nothing but a name may be one.
            let parts = name.value.split(separator: ".", omittingEmptySubsequences: false)
            if parts.allSatisfy({ SwiftNames.isIdentifier(String($0)) }) { return name.value }
            findings.add(
                Diagnostic(
                    rule: .unknownValue, message: "`\(name.value)` is not the name of a module", at: name.range,
                    help: "write only the name, as after `import`"))
            return nil
        }
    }

    private mutating func docs(_ node: YAMLNode, into configuration: inout ProjectConfiguration) {
        for (key, value) in entries(node, "docs") {
            let folder = key.text.flatMap { text(value, $0) }.map { Located($0, at: value.range) }
            switch key.text {
            case "output": configuration.docs.output = folder
            case "templates": configuration.docs.templates = folder
            default: reportUnknown(key, "`docs`", ProjectConfiguration.docsKeys)
            }
        }
    }

    // MARK: Sizes

    private mutating func limits(_ node: YAMLNode, into configuration: inout ProjectConfiguration) {
        for (key, value) in entries(node, "limits") {
            switch key.text {
            case "file-size":
                configuration.limits.megabytes = number(value, "file-size", to: SizeLimits.mostConfiguredMegabytes)
            case "endpoints":
                configuration.limits.endpoints = number(value, "endpoints", to: SizeLimits.mostConfiguredEndpoints)
            default: reportUnknown(key, "`limits`", ProjectConfiguration.limitKeys)
            }
        }
    }

    /// A number from 1 on. The command line alone can set a greater one, since the file may be a stranger's.
    private mutating func number(_ node: YAMLNode, _ key: String, to greatest: Int) -> Int? {
        guard let text = text(node, key) else { return nil }
        if let number = Int(text), (1...greatest).contains(number) { return number }
        let option = key == "endpoints" ? "--max-endpoints" : "--max-file-size"
        report(
            .unknownValue, "`\(key)` cannot be `\(text)`", node,
            help: "write a number from 1 to \(greatest), or use `\(option)` for a greater one")
        return nil
    }

    // MARK: Rules

    private mutating func lint(_ node: YAMLNode, into configuration: inout ProjectConfiguration) {
        for (key, value) in entries(node, "lint") {
            switch key.text {
            case "rules": configuration.lint.levels = levels(value, "rules")
            case "paths":
                for (path, levels) in entries(value, "paths") {
                    guard let text = path.text else { continue }
                    let trimmed = text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text
                    configuration.lint.overrides.append(
                        RuleSettings.Override(path: trimmed, levels: self.levels(levels, text)))
                }
            case "fail-on": configuration.failOn = word(value, "fail-on", Severity.self)
            default: reportUnknown(key, "`lint`", ProjectConfiguration.lintKeys)
            }
        }
    }

    private mutating func levels(_ node: YAMLNode, _ what: String) -> [String: RuleSettings.Level] {
        var levels: [String: RuleSettings.Level] = [:]
        for (key, value) in entries(node, what) {
            guard let name = key.text, let word = text(value, name) else { continue }
            let names = FindingPages.withSeverities.map(\.name)
            if !names.contains(name) {
                let isFinding = FindingKind.all.contains { $0.name == name }
                let near = NearSpelling(of: name, among: names)
                report(
                    .unknownRule, isFinding ? "`\(name)` is not a lint rule" : "there is no rule `\(name)`", key,
                    help: isFinding
                        ? "remove it; errors that prevent generation have no settings"
                        : near.map { "did you mean `\($0.candidate)`?" } ?? "`errand rules` lists them",
                    fix: isFinding ? nil : near?.fix(at: key.range))
            } else if let level = RuleSettings.Level(rawValue: word) {
                levels[name] = level
            } else {
                report(
                    .unknownValue, "a rule cannot have the severity `\(word)`", value,
                    help: "write \(list(RuleSettings.Level.allCases.map(\.rawValue)))")
            }
        }
        return levels
    }

    // MARK: Forms of values

    private mutating func texts(_ node: YAMLNode, _ key: String) -> [String] { located(node, key).map(\.value) }

    /// A text, or a list of texts.
    mutating func located(_ node: YAMLNode, _ key: String) -> [Located<String>] {
        (node.sequence.map(Array.init) ?? [node]).compactMap { entry in
            text(entry, key).map { Located($0, at: entry.range) }
        }
    }

    package mutating func entries(_ node: YAMLNode, _ what: String) -> [(key: YAMLNode, value: YAMLNode)] {
        guard let mapping = node.mapping else {
            if node.kind != .unreadable {
                report(.wrongKind, "`\(what)` must be a mapping, and is \(node.kindName)", node, help: nil)
            }
            return []
        }
        return mapping.map { ($0.key, $0.value) }
    }

    package mutating func text(_ node: YAMLNode, _ key: String) -> String? {
        guard let text = node.text, !node.isAbsent, !text.isEmpty else {
            if node.kind != .unreadable {
                let kind = node.text.map { _ in node.isAbsent ? node.kindName : "an empty text" } ?? node.kindName
                report(.wrongKind, "`\(key)` must be text, and is \(kind)", node, help: nil)
            }
            return nil
        }
        return text
    }

    /// One of a few words.
    private mutating func word<Word: RawRepresentable & CaseIterable>(
        _ node: YAMLNode, _ key: String, _: Word.Type
    ) -> Word? where Word.RawValue == String {
        guard let text = text(node, key) else { return nil }
        if let word = Word(rawValue: text) { return word }
        report(
            .unknownValue, "`\(key)` cannot be `\(text)`", node,
            help: "write \(alternatives(Word.allCases.map(\.rawValue)))")
        return nil
    }

    private mutating func flag(_ node: YAMLNode, _ key: String) -> Bool {
        guard let text = text(node, key) else { return false }
        if text == "true" || text == "false" { return text == "true" }
        report(.unknownValue, "`\(key)` cannot be `\(text)`", node, help: "write `true` or `false`")
        return false
    }

    package mutating func reportUnknown(_ key: YAMLNode, _ what: String, _ keys: [String]) {
        let near = key.text.flatMap { NearSpelling(of: $0, among: keys) }
        report(
            .unknownKey, "\(what) has no key `\(key.text ?? "")`", key,
            help: near.map { "did you mean `\($0.candidate)`?" } ?? "the keys are \(list(keys))",
            fix: near?.fix(at: key.range))
    }

    package mutating func report(
        _ rule: FindingKind, _ message: String, _ node: YAMLNode, help: String?, fix: Fix? = nil
    ) {
        findings.add(Diagnostic(rule: rule, message: message, at: node.range, help: help, fix: fix))
    }

    private func list(_ keys: [String]) -> String { keys.map { "`\($0)`" }.joined(separator: ", ") }

    private func alternatives(_ words: [String]) -> String { list(words.dropLast()) + " or `\(words.last ?? "")`" }
}
