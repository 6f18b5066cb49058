/// A place in an envelope: which part of it is there, and the keys that lead to other parts.
final class EnvelopeNode: Sendable {
    /// The parts of an envelope. One value may be several of them.
    struct Parts: OptionSet, Sendable {
        let rawValue: UInt8
        static let data = Parts(rawValue: 1)
        static let error = Parts(rawValue: 2)
        static let code = Parts(rawValue: 4)
        static let message = Parts(rawValue: 8)
        /// That other parts are inside.
        static let inner = Parts(rawValue: 16)
        /// The parts of which each reads the value.
        static let reading: Parts = [.data, .code, .message, .inner]
    }

    let parts: Parts
    let keys: JSONKeys
    let children: [EnvelopeNode]

    /// The whole body, from the paths of the parts.
    convenience init(data: String?, error: String?, code: String?, message: String?) {
        let places: [(String?, Parts)] = [(data, .data), (error, .error), (code, .code), (message, .message)]
        self.init(
            places.compactMap { path, part in
                path.map { ($0.split(separator: ".").map(String.init)[...], part) }
            })
    }

    private init(_ places: [(path: ArraySlice<String>, part: Parts)]) {
        var parts: Parts = []
        var names: [String] = []
        var inner: [[(path: ArraySlice<String>, part: Parts)]] = []
        for (path, part) in places {
            guard let name = path.first else {
                parts.insert(part)
                continue
            }
            let rest = (path.dropFirst(), part)
            if let index = names.firstIndex(of: name) {
                inner[index].append(rest)
            } else {
                names.append(name)
                inner.append([rest])
            }
        }
        self.parts = names.isEmpty ? parts : parts.union(.inner)
        keys = JSONKeys(names, optional: names)
        children = inner.map(EnvelopeNode.init)
    }
}
