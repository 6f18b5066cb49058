import ContractModel

/// Endpoints that the newer document has under another name. Either the request is the same, or the path has changed as well, and
/// the method, the inputs and the response are the same.
enum EndpointMoves {
    /// The new names, by those of the last import.
    static func found(from base: MergeNode, to new: MergeNode) -> [String: String] {
        guard let old = base["endpoints"]?.pairs, let current = new["endpoints"]?.pairs else { return [:] }
        let (oldNames, newNames) = (Set(old.map(\.key)), Set(current.map(\.key)))
        var gone = old.filter { !newNames.contains($0.key) }
        var added = current.filter { !oldNames.contains($0.key) }
        var moves: [String: String] = [:]
        for identity in [requestText, { shape(of: $0, withDoc: true) }, { shape(of: $0, withDoc: false) }] {
            let before = Dictionary(grouping: gone) { identity($0.value) }
            let after = Dictionary(grouping: added) { identity($0.value) }
            for (text, ones) in before where text != nil && ones.count == 1 {
                guard let others = after[text], others.count == 1 else { continue }
                moves[ones[0].key] = others[0].key
            }
            gone.removeAll { moves[$0.key] != nil }
            let taken = Set(moves.values)
            added.removeAll { taken.contains($0.key) }
        }
        return moves
    }

    /// The method and the path of an endpoint.
    static func request(of endpoint: MergeNode) -> (method: String, path: String)? {
        for method in HTTPMethod.allCases.map(\.rawValue) {
            if case .scalar(let path)? = endpoint[method] { return (method, path) }
        }
        return nil
    }

    private static func requestText(_ endpoint: MergeNode) -> String? {
        request(of: endpoint).map { "\($0.method) \(PathShape.of($0.path))" }
    }

    /// The method, the types of the inputs and the response. Nil if they say too little to tell endpoints apart.
    private static func shape(of endpoint: MergeNode, withDoc: Bool) -> String? {
        guard let (method, path) = request(of: endpoint) else { return nil }
        let inputs = ["query", "headers", "cookies", "body"].compactMap { key in
            endpoint[key].map { "\(key) \($0.identity)" }
        }
        let parameters = path.split(separator: "{").dropFirst().map { $0.prefix { $0 != "}" } }
        let response = endpoint["response"]?.identity
        let doc = endpoint["doc"]?.identity
        guard !inputs.isEmpty || response?.isEmpty == false && response != "{type: none}" || withDoc && doc != nil
        else { return nil }
        let parts = [method, parameters.joined(separator: " "), inputs.joined(separator: " "), response ?? ""]
        return (parts + (withDoc ? [doc ?? ""] : [])).joined(separator: "|")
    }
}
