import ContractModel
import Diagnostics
import YAMLTree

/// Converts a document that `errand export openapi` wrote back into its contract.
///
/// Such a document has `x-errand-contract: 1` at its root, and the contract's own text under the keys that `docs/openapi.md`
/// lists. This text is taken unchanged, so nothing is proposed. Later additions to the document are read by the same rules, and
/// an addition outside of these rules is a finding.
struct ExportedContract {
    typealias Pairs = [(key: String, value: ReportValue)]

    static let marker = "x-errand-contract"

    let root: Element
    let findings: ImportFindings
    /// The endpoints to read; empty for all.
    var only: [String] = []
    /// The name of the service; nil for the document's name.
    var service: String?

    /// What was read back.
    struct Outcome {
        /// The contract's text; nil if nothing could be read.
        var contract: String?
        var service = ""
        var endpointCount = 0
        var typeCount = 0
        var errorCount = 0
    }

    func read(_ path: String) -> Outcome {
        var result = Outcome()
        let naming = ExportedNaming.naming(of: root)
        let types = ExportedTypes(root: root, naming: naming, findings: findings)
        let endpoints = ExportedEndpoints(root: root, types: types, findings: findings)
        let all = endpoints.all
        guard let chosen = chosen(of: all, path) else { return result }
        let described = ExportedService(root: root, types: types, findings: findings)
        let errors = described.errors(of: chosen, isPart: !only.isEmpty)
        let definitions = definitions(types, chosen, errors)
        result.service = service ?? root["info"]?.text("title") ?? "Service"
        result.endpointCount = chosen.count
        result.typeCount = definitions.count
        result.errorCount = errors.count
        var text = "errand: 1\nservice: \(YAMLText.value(result.service))\n"
        text += YAMLWriter.text(of: .object(described.info), .contract)
        for (key, value) in described.sections { text += section(key, value) }
        if !errors.isEmpty { text += section("errors", errors) }
        let (defaults, listed) = ExportedDefaults(naming: naming, shared: described.sharedErrors).split(chosen)
        if !defaults.isEmpty { text += section("defaults", defaults) }
        if !definitions.isEmpty { text += section("types", definitions) }
        guard !listed.isEmpty else {
            result.contract = text + "\nendpoints: {}\n"
            return result
        }
        text += "\nendpoints:\n"
        text += listed.map { "  \(YAMLText.value($0.key)):\n" + YAMLWriter.text(of: $0.value, .contract, depth: 2) }
            .joined(separator: "\n")
        result.contract = text
        return result
    }

    private func section(_ key: String, _ pairs: Pairs) -> String {
        "\n\(key):\n" + YAMLWriter.text(of: .object(pairs), .contract, depth: 1)
    }

    // MARK: A part of it

    private func chosen(of all: [ExportedEndpoint], _ path: String) -> [ExportedEndpoint]? {
        guard !only.isEmpty else { return all }
        let names = Set(all.map(\.name))
        let unknown = only.filter { !names.contains($0) }
        for word in unknown {
            let near = nearestSpelling(of: word, among: names.sorted()).map { "did you mean `\($0)`?" }
            findings.add(
                Diagnostic(
                    rule: .unknownEndpoint, message: "the document has no tag and no endpoint `\(word)`", file: path,
                    help: near))
        }
        guard unknown.isEmpty else { return nil }
        return all.filter { only.contains($0.name) }
    }

    /// The types, or those of them that a part of the endpoints reaches.
    private func definitions(_ types: ExportedTypes, _ endpoints: [ExportedEndpoint], _ errors: Pairs) -> Pairs {
        let all = types.definitions
        guard !only.isEmpty else { return all }
        let places = Dictionary(all.map { ($0.key, $0.value) }) { first, _ in first }
        var seen = Set<String>()
        var pending = endpoints.map { ReportValue.object($0.pairs) } + errors.map(\.value)
        while let next = pending.popLast() {
            for word in next.words where places[word] != nil && seen.insert(word).inserted {
                places[word].map { pending.append($0) }
            }
        }
        return all.filter { seen.contains($0.key) }
    }
}

extension ReportValue {
    /// The words of every text in it, which is where a contract names types.
    fileprivate var words: [String] {
        switch self {
        case .text(let text), .numeral(let text):
            text.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }.map(String.init)
        case .list(let values): values.flatMap(\.words)
        case .object(let pairs): pairs.flatMap(\.value.words)
        case .number, .flag: []
        }
    }

    /// A YAML value, with scalars as their text.
    init(_ element: Element) {
        switch element.node.kind {
        case .sequence: self = .list(element.items.map(ReportValue.init))
        case .mapping: self = .object(element.entries.map { ($0.name, ReportValue($0.value)) })
        case .scalar, .unreadable:
            let text = element.text ?? ""
            self = element.node.scalar?.isPlain == true && element.scalarKind != .text ? .numeral(text) : .text(text)
        }
    }
}

/// How the names on the wire follow from those of the contract.
enum ExportedNaming {
    /// The one by which the fewest fields have to say their name on the wire.
    static func naming(of root: Element) -> WireNaming {
        var names: [(name: String, wire: String)] = []
        var pending = [root]
        while let next = pending.popLast() {
            for (key, value) in next.entries {
                if key == "properties" {
                    names += value.entries.map { ($0.value.text("x-errand-name") ?? $0.name, $0.name) }
                }
                pending.append(value)
            }
            if next.text("in") == "query", let wire = next.text("name") {
                names.append((next["schema"]?.text("x-errand-name") ?? wire, wire))
            }
            pending += next.items
        }
        func cost(_ naming: WireNaming) -> Int { names.count { naming.wireName(of: $0.name) != $0.wire } }
        let best = WireNaming.allCases.min { cost($0) < cost($1) } ?? .asWritten
        return cost(best) < cost(.asWritten) ? best : .asWritten
    }
}
