/// The names of schemas in one file that do not follow from their places: `$id`, `$anchor` and `$dynamicAnchor`.
///
/// A schema with an `$id` is a resource of its own. References in it, such as `#/$defs/Name`, start from it.
struct SchemaResources {
    private var roots: [String: Element] = [:]
    private var anchors: [Anchor: Element] = [:]
    /// The schema with each anchor; nil for an anchor that several resources have.
    private var anchorsAnywhere: [String: Element?] = [:]
    /// The resource of each schema that is the root of one, by its place.
    private var identifiers: [ElementKey: String] = [:]

    private struct Anchor: Hashable {
        let resource: String
        let name: String
    }

    private static let mostNodes = 2_000_000
    /// Keys whose values are data and not schemas.
    private static let data: Set<String> = ["example", "examples", "default", "enum", "const", "value", "mapping"]

    init() {}

    init(file: Element) {
        let own = file.text("$self") ?? file.text("$id") ?? ""
        var pending: [(element: Element, resource: String)] = [(file, own)]
        var count = 0
        if !own.isEmpty { roots[own] = file }
        while let (element, outer) = pending.popLast(), count < Self.mostNodes {
            count += 1
            var resource = outer
            if let identifier = element.text("$id"), !identifier.hasPrefix("#") {
                resource = Self.resolved(identifier.hasSuffix("#") ? String(identifier.dropLast()) : identifier, outer)
                if roots[resource] == nil { roots[resource] = element }
                identifiers[element.key] = resource
            }
            for keyword in ["$anchor", "$dynamicAnchor"] {
                guard let name = element.text(keyword) else { continue }
                let anchor = Anchor(resource: resource, name: name)
                guard anchors[anchor] == nil else { continue }
                anchors[anchor] = element
                anchorsAnywhere.updateValue(anchorsAnywhere[name] == nil ? element : nil, forKey: name)
            }
            for (name, value) in element.entries where !Self.data.contains(name) && !name.hasPrefix("x-") {
                if value.isMapping { pending.append((value, resource)) }
                for item in value.items where item.isMapping { pending.append((item, resource)) }
            }
        }
    }

    /// The resource that a reference is in: the URI of the nearest schema around it that has one.
    func resource(around reference: Element, in file: Element) -> String {
        var resource = file.text("$self") ?? file.text("$id") ?? ""
        var place = file
        for token in reference.tokens {
            if let known = identifiers[place.key] { resource = known }
            guard let next = place[token] ?? Int(token).flatMap({ place.item($0) }) else { break }
            place = next
        }
        return identifiers[place.key] ?? resource
    }

    func root(of resource: String) -> Element? { roots[resource] }

    /// The schema with an anchor; nil without one, or if several resources have it and `resource` does not.
    func schema(at name: String, in resource: String) -> Element? {
        anchors[Anchor(resource: resource, name: name)] ?? anchorsAnywhere[name].flatMap { $0 }
    }

    /// A reference without its fragment, as a whole URI.
    static func resolved(_ reference: String, _ base: String) -> String {
        if reference.isEmpty { return base }
        guard !reference.contains("://"), !reference.hasPrefix("urn:"), let scheme = base.firstRange(of: "://") else {
            return reference
        }
        let host = base[scheme.upperBound...].prefix { $0 != "/" }
        let origin = base[..<host.endIndex]
        if reference.hasPrefix("/") { return origin + reference }
        var folders = base[host.endIndex...].split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        if !folders.isEmpty, !base.hasSuffix("/") { folders.removeLast() }
        for part in reference.split(separator: "/") {
            switch part {
            case ".": continue
            case "..": _ = folders.popLast()
            default: folders.append(String(part))
            }
        }
        return origin + "/" + folders.joined(separator: "/")
    }
}
