import ContractModel
import Diagnostics

/// Reads the parts of an exported document that belong to the whole service.
struct ExportedService {
    typealias Pairs = ExportedContract.Pairs

    let root: Element
    let types: ExportedTypes
    let findings: ImportFindings

    /// `version`, `stability` and `doc`.
    var info: Pairs {
        var pairs: Pairs = []
        let info = root["info"]
        if let version = info?.text("version") { pairs.append(("version", .text(version))) }
        if let stability = info?.text("x-errand-stability") { pairs.append(("stability", .text(stability))) }
        if let doc = info?.text("description") { pairs.append(("doc", .text(doc))) }
        return pairs
    }

    /// `servers`, `common`, `session`, `signing`, `rateLimit` and `envelopes`, if the document has them.
    var sections: [(key: String, value: Pairs)] {
        let all: [(key: String, value: Pairs)] = [
            ("servers", servers), ("common", common), ("session", session),
            ("signing", entries(of: "x-errand-signing")), ("rateLimit", entries(of: "x-errand-rate-limit")),
            ("envelopes", entries(of: "x-errand-envelopes")),
        ]
        return all.filter { !$0.value.isEmpty }
    }

    private func entries(of name: String) -> Pairs {
        (root[name]?.entries ?? []).map { ($0.name, ReportValue($0.value)) }
    }

    private var servers: Pairs {
        (root["servers"]?.items ?? []).enumerated().compactMap { position, server in
            guard var url = server.text("url") else { return nil }
            for (name, variable) in server["variables"]?.entries ?? [] {
                url = url.replacing("{\(name)}", with: "{\(name)=\(variable.text("default") ?? "")}")
            }
            return (server.text("x-errand-name") ?? "server\(position + 1)", .text(url))
        }
    }

    private var common: Pairs {
        var groups: [String: Pairs] = [:]
        for (name, parameter) in root["components"]?["parameters"]?.entries ?? [] {
            guard let source = parameter["x-errand-common"], let wire = parameter.text("name"),
                let schema = parameter["schema"]
            else {
                findings.add(
                    .openAPIParameterLost, "the parameter `\(name)` is not part of every request",
                    at: parameter, help: "write it at the operations that have it")
                continue
            }
            let place =
                parameter["x-errand-place"] != nil
                ? "parameters" : parameter.text("in") == "header" ? "headers" : "query"
            var field = types.field(wire, schema, isHeader: place == "headers")
            if source.isMapping {
                let usual = source["each"] == nil ? "string" : source.text("each") ?? ""
                var pairs: Pairs = source.entries.map { ($0.name, ReportValue($0.value)) }
                if case .object(let options) = field.value {
                    pairs += options.filter { $0.key != "type" || !Self.isText($0.value, usual) }
                } else if !Self.isText(field.value, usual) {
                    pairs.append(("type", field.value))
                }
                field.value = .object(pairs)
            }
            groups[place, default: []].append(field)
        }
        return ["query", "headers", "parameters"].compactMap { key in groups[key].map { (key, .object($0)) } }
    }

    private static func isText(_ value: ReportValue, _ text: String) -> Bool {
        if case .text(text) = value { true } else { false }
    }

    private var session: Pairs {
        let schemes = root["components"]?["securitySchemes"]?.entries ?? []
        for (name, scheme) in schemes.dropFirst() {
            findings.add(
                .openAPISecurityLost, "the security scheme `\(name)` is left out, because a contract has one session",
                at: scheme)
        }
        guard let scheme = schemes.first?.value else { return [] }
        var pairs: Pairs
        switch (scheme.text("type"), scheme.text("in")) {
        case ("apiKey", "header"):
            pairs = [("header", .text(scheme.text("name") ?? ""))]
            if let format = scheme.text("x-errand-format") { pairs.append(("format", .text(format))) }
        case ("apiKey", "query"): pairs = [("parameter", .text(scheme.text("name") ?? ""))]
        default: pairs = [("header", .text("Authorization")), ("format", .text("Bearer {token}"))]
        }
        return pairs + (scheme["x-errand-session"]?.entries ?? []).map { ($0.name, ReportValue($0.value)) }
    }

    // MARK: Errors

    /// The errors that every endpoint has.
    var sharedErrors: [String] { root["x-errand-defaults"]?["errors"]?.items.compactMap(\.text) ?? [] }

    /// The errors; with `isPart`, those that the endpoints have.
    func errors(of endpoints: [ExportedEndpoint], isPart: Bool) -> Pairs {
        let used = Set(endpoints.flatMap(\.errors) + sharedErrors)
        return (root["x-errand-errors"]?.entries ?? []).compactMap { name, definition in
            guard !isPart || used.contains(name) || definition["when"] == nil else { return nil }
            return (name, .object(Self.definition(definition, types)))
        }
    }

    /// An error or an outcome.
    static func definition(_ element: Element, _ types: ExportedTypes) -> Pairs {
        var pairs: Pairs = []
        for (name, value) in element.entries {
            switch name {
            case "when": pairs.append((name, conditions(value.items)))
            case "data":
                let spelling = types.spelling(of: value)
                pairs.append((name, spelling.text == "fields" ? .object(spelling.fields ?? []) : spelling.value))
            case "deprecated": if element["x-errand-deprecated"] == nil { pairs.append((name, .flag(true))) }
            case "x-errand-deprecated": pairs.append(("deprecated", ReportValue(value)))
            default: pairs.append((name, ReportValue(value)))
            }
        }
        return pairs
    }

    /// Conditions, with one where there is one.
    private static func conditions(_ conditions: [Element]) -> ReportValue {
        let all = conditions.map { condition -> ReportValue in
            .object(
                condition.entries.map { name, value in
                    guard value.node.sequence != nil else { return (name, ReportValue(value)) }
                    let texts = value.items.map { plain($0.text ?? "") }
                    return (name, texts.count == 1 ? texts[0] : .list(texts))
                })
        }
        return all.count == 1 ? all[0] : .list(all)
    }

    /// A status or a code, without quotes if it is a number or a range.
    private static func plain(_ text: String) -> ReportValue {
        let ends = text.split(separator: "..", omittingEmptySubsequences: false)
        let isNumber = ends.count < 3 && ends.allSatisfy { end in Int(end).map { String($0) == end } ?? false }
        return isNumber ? .numeral(text) : .text(text)
    }
}
