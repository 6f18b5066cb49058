import Diagnostics

/// How much each rule weighs, and where.
package struct RuleSettings: Sendable, Equatable {
    /// The setting of a rule: another severity, or off.
    package enum Level: String, Sendable, CaseIterable {
        case error, warning, note, off

        var severity: Severity? { Severity(rawValue: rawValue) }
    }

    /// Levels that hold for the files below a path.
    package struct Override: Sendable, Equatable {
        /// A file, or a folder with everything below it.
        package var path: String
        package var levels: [String: Level]

        package init(path: String, levels: [String: Level]) {
            self.path = path
            self.levels = levels
        }

        func covers(_ file: String) -> Bool { file == path || file.hasPrefix(path + "/") }
    }

    package var levels: [String: Level] = [:]
    /// The last one that covers a file and names the rule wins.
    package var overrides: [Override] = []

    package init() {}

    /// The settings without any rule.
    package static var withoutRules: RuleSettings {
        var settings = RuleSettings()
        settings.levels = Dictionary(uniqueKeysWithValues: RuleCatalog.all.map { ($0.name, .off) })
        return settings
    }

    /// The settings of a file, for a different path to it.
    package func moved(from file: String, to path: String) -> RuleSettings {
        var settings = self
        settings.overrides = overrides.filter { $0.covers(file) }.map { Override(path: path, levels: $0.levels) }
        return settings
    }

    /// A rule's severity in a file; `nil` if it is off.
    package func severity(of rule: any Rule.Type, in file: String) -> Severity? {
        level(of: rule.name, in: file).map(\.severity) ?? rule.severity
    }

    /// What the settings say of a finding in a file; `nil` if they say nothing.
    private func level(of name: String, in file: String) -> Level? {
        overrides.last { $0.covers(file) && $0.levels[name] != nil }?.levels[name] ?? levels[name]
    }

    /// A finding with the severity of its kind in a file; `nil` if it is off.
    package func weighed(_ finding: Diagnostic, in file: String) -> Diagnostic? {
        guard let level = level(of: finding.rule, in: file) else { return finding }
        return level.severity.map { finding.weighing($0) }
    }
}
