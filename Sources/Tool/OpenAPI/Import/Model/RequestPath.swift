import ContractModel

/// The path of an operation, with the parts that documents write after it although OpenAPI has no place for them there.
///
/// A document has each path once. Services whose operations share a path therefore distinguish them by a query
/// (`/messages?beta=true`) or by a fragment (`/#Action=CreateQueue`). The client sends that query, and never a fragment.
struct RequestPath {
    /// The path that the client sends.
    let route: String
    /// The query after the path; nil if there is none.
    let query: [Pair]?

    struct Pair {
        let name: String
        /// The value; nil without an equals sign.
        let value: String?

        /// The name of the parameter that supplies the value: `id` of `{id}`.
        var parameter: String? {
            guard let value, value.count > 2, value.hasPrefix("{"), value.hasSuffix("}") else { return nil }
            return String(value.dropFirst().dropLast())
        }
    }

    init(_ path: String) {
        let end = Self.end(of: path)
        route = Self.withoutPatterns(path[..<(end ?? path.endIndex)])
        guard let end, path[end] == "?" else {
            query = nil
            return
        }
        let whole = path[..<(path[end...].firstIndex(of: "#") ?? path.endIndex)]
        query = whole[whole.index(after: end)...].split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            let value = name.count < pair.count ? String(pair.dropFirst(name.count + 1)) : nil
            return Pair(name: PercentText.decoded(String(name)), value: value.map(PercentText.decoded))
        }
    }

    /// Where the query or the fragment begins; nil without one.
    static func end(of path: String) -> String.Index? {
        var depth = 0
        return path.unicodeScalars.firstIndex { letter in
            depth += letter == "{" ? 1 : letter == "}" ? -1 : 0
            return depth == 0 && (letter == "?" || letter == "#")
        }
    }

    /// A path without the patterns of its parameters: gRPC writes `{parent=shelves/*}` for the parameter `parent`.
    private static func withoutPatterns(_ path: Substring) -> String {
        guard path.utf8.contains(UInt8(ascii: "=")) else { return String(path) }
        var result = ""
        var rest = path
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let inner = rest[rest.index(after: open)..<close]
            let name = inner.prefix { $0 != "=" }
            result += rest[..<open] + "{" + name + "}"
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    /// The path with the names of the constants after it, from which an endpoint gets its name.
    var named: String {
        let words = (query ?? []).filter { $0.parameter == nil }.map { pair in
            ["true", "1", "", nil].contains(pair.value) ? pair.name : "\(pair.name) \(pair.value ?? "")"
        }
        return ([PercentText.decoded(route)] + words).joined(separator: " ")
    }
}

extension Operation {
    /// Turns the query after the path into parameters: a constant, or the declared parameter that it names.
    mutating func takeQueryOfPath() {
        for pair in RequestPath(path).query ?? [] where !pair.name.isEmpty {
            if let source = pair.parameter {
                guard let position = parameters.firstIndex(where: { $0.name == source && $0.place != .header }) else {
                    continue
                }
                if parameters[position].place == .path { parameters[position].style = "form" }
                parameters[position].place = .query
                parameters[position].name = pair.name
                continue
            }
            guard !parameters.contains(where: { $0.name == pair.name && $0.place == .query }) else { continue }
            parameters.append(
                Parameter(
                    name: pair.name, place: .query, schema: element, isRequired: true, style: "form", explodes: true,
                    constant: pair.value ?? "", isDeprecated: false, element: element))
        }
    }
}
