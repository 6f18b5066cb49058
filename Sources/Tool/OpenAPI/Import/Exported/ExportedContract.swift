import ContractModel
import Diagnostics

/// Converts a document that `errand export openapi` wrote back into its contract.
///
/// Such a document has `x-errand-contract: 1` at its root, and the contract's own text under the keys that `docs/openapi.md`
/// lists. The codecs of these keys read it, so nothing is proposed. Later additions to the document are read by the same rules, and
/// an addition outside of these rules is a finding.
struct ExportedContract {
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
        var reader = ExtensionReader(root.node.document)
        let naming = ExportedNaming.naming(of: root)
        let types = ExportedTypes(root: root, naming: naming, findings: findings)
        let all = ExportedEndpoints(root: root, types: types, findings: findings).all(&reader)
        guard let chosen = chosen(of: all, path) else { return result }
        let errors = ExportedErrors(types: types)
        var contract = Contract(
            file: path, service: Located(service ?? root["info"]?.text("title") ?? "Service", at: root.range))
        ExportedService(root: root, types: types, findings: findings).read(into: &contract, &reader)
        contract.errors = errors.all(of: chosen, isPart: !only.isEmpty, &reader)
        let defaults = ExportedDefaults(naming: naming, shared: errors.shared)
        (contract.defaults, contract.endpoints) = defaults.split(chosen, &reader)
        if only.isEmpty { contract.events = errors.events.map { errors.event($0.name, $0.value, &reader) } }
        contract.types = types.definitions
        contract.types += types.inline
        if !only.isEmpty {
            contract.removeUnusedTypes()
            let groups = Set(contract.endpoints.compactMap(\.group?.value))
            contract.groups.removeAll { !groups.contains($0.name.value) }
        }
        removeUndeclaredGroups(from: &contract)
        for finding in reader.findings { findings.add(finding) }
        result.service = contract.service.value
        result.endpointCount = chosen.count
        result.typeCount = contract.types.count { $0.inline == nil }
        result.errorCount = contract.errors.count
        result.contract = ContractPrinter.text(of: contract)
        return result
    }

    /// A tag that only operations have describes nothing.
    private func removeUndeclaredGroups(from contract: inout Contract) {
        let declared = Set(contract.groups.map(\.name.value))
        for position in contract.endpoints.indices {
            guard let group = contract.endpoints[position].group, !declared.contains(group.value) else { continue }
            findings.add(
                Diagnostic(
                    rule: .openAPIFeatureLost,
                    message:
                        "the tag `\(group.value)` is left out, because `tags` of the document does not describe it",
                    at: group.range))
            contract.endpoints[position].group = nil
        }
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
}

extension Contract {
    /// Removes the types that no endpoint and no error reaches.
    fileprivate mutating func removeUnusedTypes() {
        var pending = mentionedNames
        let known = Dictionary(types.map { ($0.name.value, $0) }) { first, _ in first }
        var seen = Set<String>()
        while let name = pending.popLast()?.value {
            guard let type = known[name], seen.insert(name).inserted else { continue }
            pending += type.mentionedNames
        }
        types.removeAll { !seen.contains($0.name.value) }
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
                // The member that tells the alternatives of a union apart is no field.
                if key == "properties", next["discriminator"] == nil {
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
