import Diagnostics

extension Resolution {
    /// The group of an endpoint; nil for a name without an entry of `groups`, which is reported.
    mutating func resolvedGroup(of endpoint: EndpointDefinition) -> Located<String>? {
        guard let name = endpoint.group, !groupNames.contains(name.value) else { return endpoint.group }
        let names = contract.groups.map(\.name.value)
        let help =
            names.isEmpty
            ? "declare it at the top of the contract: `groups: {\(name.value): What its endpoints have in common.}`"
            : "the groups are \(names.map { "`\($0)`" }.joined(separator: ", "))"
        let near = reportMissing(.unknownGroup, "group", name, among: names, help: help)
        return near.map { near in name.map { _ in near } }
    }
}
