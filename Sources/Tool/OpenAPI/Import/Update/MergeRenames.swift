import ContractModel

/// Names that people have changed after the import. Names of the last import and of this one are replaced by those of the
/// contract before they are compared.
struct MergeRenames {
    /// By section, the name that was imported → the name in the contract.
    private var names: [String: [String: String]] = [:]

    /// The same names, and those that the newer document has given to endpoints.
    ///
    /// - Parameter moves: the new names of endpoints, by their earlier ones.
    func adding(_ moves: [String: String]) -> MergeRenames {
        var renames = self
        for (old, new) in moves { renames.names["endpoints", default: [:]][new] = name(old, .endpoint) }
        return renames
    }

    init(base: MergeNode, own: MergeNode) {
        for section in ["endpoints", "errors", "types", "envelopes", "groups"] {
            guard let old = base[section]?.pairs, let current = own[section]?.pairs else { continue }
            let oldNames = Set(old.map(\.key))
            let currentNames = Set(current.map(\.key))
            var candidates: [String: [String]] = [:]
            for pair in current where !oldNames.contains(pair.key) {
                Self.identity(of: pair.value, in: section).map { candidates[$0, default: []].append(pair.key) }
            }
            for pair in old where !currentNames.contains(pair.key) {
                guard let identity = Self.identity(of: pair.value, in: section),
                    let found = candidates[identity], found.count == 1
                else { continue }
                names[section, default: [:]][pair.key] = found[0]
                candidates[identity] = nil
            }
        }
    }

    /// The name in the contract of a definition that was imported under another name.
    func name(_ text: String, _ kind: NameKind) -> String { names[kind.section]?[text] ?? text }

    /// The identity of a definition, regardless of its name: an endpoint's request, or the condition that recognizes an error.
    private static func identity(of node: MergeNode, in section: String) -> String? {
        switch section {
        case "endpoints":
            return EndpointMoves.request(of: node).map { "\($0.method) \(PathShape.of($0.path))" }
        case "errors": return node["when"]?.identity
        default: return node.identity
        }
    }

    // MARK: Applying

    func applied(to root: MergeNode) -> MergeNode { names.isEmpty ? root : renamed(root, .top) }

    private func renamed(_ node: MergeNode, _ place: LanguagePlace) -> MergeNode {
        switch node {
        case .mapping(let pairs):
            return .mapping(
                pairs.map { pair in
                    var pair = pair
                    let below = place.below(pair.key, pair.value.pairs?.map(\.key) ?? [])
                    pair.value = renamed(pair.value, below)
                    if let kind = place.meaning(ofKey: pair.key) { pair.key = name(pair.key, kind) }
                    return pair
                })
        case .list(let elements): return .list(elements.map { renamed($0, place) })
        case .short(let written, _): return renamed(written, place)
        case .scalar(let text):
            switch place.meaning {
            case .name(.type): return .scalar(typeText(text))
            case .name(let kind): return .scalar(name(text, kind))
            case .target: return .scalar(pathText(text))
            case .credentials, .contract, nil: return node
            }
        }
    }

    /// The types of a path's parameters: `/users/{id:UserID}`.
    private func pathText(_ text: String) -> String {
        guard let types = names["types"] else { return text }
        var result = text
        for (old, new) in types { result = result.replacing(":\(old)}", with: ":\(new)}") }
        return result
    }

    /// A type with its default, which names nothing: `[User]?`, `string = x`.
    private func typeText(_ text: String) -> String {
        guard let types = names["types"] else { return text }
        let end = text.firstIndex(of: "=") ?? text.endIndex
        return TypeWords.replacing(in: String(text[..<end])) { types[$0] } + text[end...]
    }
}
