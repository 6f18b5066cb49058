import ContractModel
import Diagnostics
import YAMLTree

/// What a mock server plays, from a file.
package struct Scenario: Sendable {
    package var seed: UInt64?
    /// The time before each response.
    package var latency: ClosedRange<Duration>?
    /// How long a session lasts.
    package var sessionLifetime: Duration?
    /// The time between two events of a connection; zero for none.
    package var eventInterval: Duration?
    package var rules: [Located<FailureRule>] = []

    package init() {}

    /// Reads a scenario. Every problem of the file is reported.
    package static func decode(_ bytes: [UInt8], file: String) -> (scenario: Scenario?, findings: [Diagnostic]) {
        let parsed = YAMLParser().parse(bytes, file: file)
        guard let document = parsed.document else { return (nil, parsed.diagnostics) }
        var decoder = ScenarioDecoder(findings: DiagnosticBag(parsed.diagnostics))
        let scenario = decoder.scenario(document.root)
        let findings = decoder.findings.sorted()
        return (findings.contains { $0.severity == .error } ? nil : scenario, findings)
    }

    /// The names in the scenario that the contract does not have.
    package func findings(in contract: ResolvedContract) -> [Diagnostic] {
        let names = FailureNames(contract)
        return rules.compactMap { rule in
            names.problem(of: rule.value).map { problem in
                Diagnostic(
                    rule: problem.isAboutEndpoint ? .unknownEndpoint : .unknownValue, message: problem.message,
                    at: rule.range, help: problem.help)
            }
        }
    }
}

/// Every mapping of a scenario with its keys. The decoder refuses what is not in it, and the schema is made from it.
package enum ScenarioKeys {
    static let scenario = MappingDescription(
        "scenario", "a scenario",
        [
            .required("scenario", .integer(1...1), "version of the format: `1`"),
            .optional("seed", .integer(0...Int.max), "number from which samples and chances are made (default 0)"),
            .optional(
                "latency", .definition("latency"),
                "time before each response: `200ms`, or `100ms..2s` for a time between two"),
            .optional(
                "session-lifetime", .form(.duration),
                "how long a session lasts: `60s` (default: `1h` if the contract tells the client, otherwise without an end)"
            ),
            .optional(
                "event-interval", .form(.duration),
                "time between two events of a connection, or `0s` for none (default `10s`)"),
            .optional(
                "failures", .oneOrMore(.definition("failure")), "failures, of which the first that applies is played"),
        ])

    static let failure = MappingDescription(
        "failure", "a failure",
        [
            .optional("endpoint", .form(.nonEmpty), "endpoint with the failure (default: all endpoints)"),
            .required(
                "fail", .form(.nonEmpty),
                "an error or an outcome of the contract, a built-in error, or a failure of the wire: `slow=2s`"),
            .optional(
                "rate", .definition("rate"), "part of the requests, from 0 to 1 (default 1): `0.1` is one in ten"),
            .optional("times", .integer(1...1_000_000), "how many requests have the failure (default: no end)"),
            .optional("after", .integer(0...1_000_000), "how many requests pass first (default 0)"),
        ])

    private static var latency: ReportValue {
        let time = "(?:0|[1-9][0-9]*)(?:ms|s|m|h)"
        return .object([("type", .text("string")), ("pattern", .text("^\(time)(?:\\.\\.\(time))?$"))])
    }

    private static var rate: ReportValue {
        .object([
            ("type", ShapeSchema.texts(["number", "string"])), ("minimum", .number(0)), ("maximum", .number(1)),
            ("pattern", .text("^(?:0(?:\\.[0-9]+)?|1(?:\\.0+)?)$")),
        ])
    }

    /// The scenario as a JSON Schema (draft 2020-12).
    package static var schema: ReportValue {
        let pairs: ShapeSchema.Pairs = [
            ("$schema", .text(ShapeSchema.dialect)), ("title", .text("Errand scenario")),
            ("description", .text("The failures that a mock server plays.")),
        ]
        return .object(
            pairs + ShapeSchema.mapping(scenario) + [
                (
                    "$defs",
                    .object([
                        (TextForm.nonEmpty.rawValue, ShapeSchema.form(.nonEmpty)),
                        (TextForm.duration.rawValue, ShapeSchema.form(.duration)),
                        ("failure", .object(ShapeSchema.mapping(failure))), ("latency", latency), ("rate", rate),
                    ])
                )
            ])
    }
}

/// Reads a tree into a ``Scenario``. It reports problems, and continues to read.
private struct ScenarioDecoder {
    var findings: DiagnosticBag

    mutating func scenario(_ node: YAMLNode) -> Scenario {
        var scenario = Scenario()
        for (key, value) in entries(node, ScenarioKeys.scenario) {
            switch key {
            case "scenario":
                if text(value, key) != "1" {
                    report(.unknownValue, "the version of a scenario is 1", value, help: "write `scenario: 1`")
                }
            case "seed":
                if let seed = number(value, key, 0...Int.max) { scenario.seed = UInt64(seed) }
            case "latency":
                scenario.latency = time(value, key, "`200ms`, or `100ms..2s`", MockTime.range)
            case "session-lifetime":
                scenario.sessionLifetime = time(value, key, "`60s`") {
                    MockTime.duration($0).flatMap { $0 > .zero ? $0 : nil }
                }
            case "event-interval":
                scenario.eventInterval = time(value, key, "`10s`", MockTime.duration)
            case "failures":
                for entry in value.sequence.map(Array.init) ?? [value] {
                    if let rule = rule(entry) { scenario.rules.append(Located(rule, at: entry.range)) }
                }
            default: break
            }
        }
        return scenario
    }

    private mutating func rule(_ node: YAMLNode) -> FailureRule? {
        var rule = FailureRule(endpoint: nil, failure: "")
        for (key, value) in entries(node, ScenarioKeys.failure) {
            switch key {
            case "endpoint": rule.endpoint = text(value, key).flatMap { $0 == "*" ? nil : $0 }
            case "fail": rule.failure = text(value, key) ?? ""
            case "rate":
                guard let text = text(value, key) else { continue }
                if let rate = Double(text), (0...1).contains(rate), text.utf8.allSatisfy({ (0x2D...0x39).contains($0) })
                {
                    rule.rate = rate
                } else {
                    report(.unknownValue, "`rate` cannot be `\(text)`", value, help: "write a number from 0 to 1")
                }
            case "times": rule.times = number(value, key, 1...1_000_000)
            case "after": rule.after = number(value, key, 0...1_000_000) ?? 0
            default: break
            }
        }
        return rule.failure.isEmpty ? nil : rule
    }

    // MARK: Forms of values

    private mutating func entries(
        _ node: YAMLNode, _ description: MappingDescription
    ) -> [(key: String, value: YAMLNode)] {
        guard let mapping = node.mapping else {
            if node.kind != .unreadable {
                report(
                    .wrongKind, "\(description.subject) must be a mapping, and is \(node.kindName)", node,
                    help: "the keys are \(list(description.names))")
            }
            return []
        }
        var entries: [(key: String, value: YAMLNode)] = []
        for pair in mapping {
            guard let key = pair.key.text, pair.value.kind != .unreadable else { continue }
            if description.allows(key) {
                entries.append((key, pair.value))
                continue
            }
            let near = NearSpelling(of: key, among: description.names)
            report(
                .unknownKey, "\(description.subject) has no key `\(key)`", pair.key,
                help: near.map { "did you mean `\($0.candidate)`?" } ?? "the keys are \(list(description.names))",
                fix: near?.fix(at: pair.key.range))
            // It is read as the intended key, so that no consequence is reported.
            if let near { entries.append((near.candidate, pair.value)) }
        }
        for key in description.keys where key.isRequired && !entries.contains(where: { $0.key == key.name }) {
            report(
                .missingKey, "\(description.subject) needs `\(key.name)`", node,
                help: "add `\(key.name)`: \(key.meaning)")
        }
        return entries
    }

    private mutating func text(_ node: YAMLNode, _ key: String) -> String? {
        guard let text = node.text, !node.isAbsent, !text.isEmpty else {
            if node.kind != .unreadable {
                report(.wrongKind, "`\(key)` must be text, and is \(node.kindName)", node, help: nil)
            }
            return nil
        }
        return text
    }

    private mutating func number(_ node: YAMLNode, _ key: String, _ range: ClosedRange<Int>) -> Int? {
        guard let text = text(node, key) else { return nil }
        if let number = Int(text), range.contains(number) { return number }
        let end = range.upperBound == .max ? "on" : "to \(range.upperBound)"
        report(
            .unknownValue, "`\(key)` cannot be `\(text)`", node,
            help: "write an integer from \(range.lowerBound) \(end)")
        return nil
    }

    private mutating func time<Value>(
        _ node: YAMLNode, _ key: String, _ example: String, _ read: (String) -> Value?
    ) -> Value? {
        guard let text = text(node, key) else { return nil }
        if let time = read(text) { return time }
        report(
            .invalidValue, "`\(key)` must be a time, and is `\(text)`", node,
            help: "write an integer and a unit (`ms`, `s`, `m` or `h`), at most a day: \(example)")
        return nil
    }

    private func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }

    private mutating func report(
        _ rule: FindingKind, _ message: String, _ node: YAMLNode, help: String?, fix: Fix? = nil
    ) {
        findings.add(Diagnostic(rule: rule, message: message, at: node.range, help: help, fix: fix))
    }
}
