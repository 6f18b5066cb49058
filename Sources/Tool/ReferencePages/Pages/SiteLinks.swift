import ContractModel

/// The files and anchors of one contract's pages, relative to its folder.
///
/// All names are fixed before a page is made, because pages link to each other.
struct SiteLinks {
    let folder: String
    private let suffix: String
    private let endpoints: [String: String]
    private let errorAnchors: [String: String]
    private let typeAnchors: [String: String]
    /// The numbers of the pages that lists were split into.
    private var errorParts: [String: Int] = [:]
    private var typeParts: [String: Int] = [:]

    /// The ids that every page has.
    private static let pageAnchors: Set<String> = ["content", "search", "query", "results"]

    init(_ contract: ResolvedContract, folder: String, suffix: String) {
        self.folder = folder
        self.suffix = suffix
        var files = PageNames(taken: ["index", "errors", "types"])
        endpoints = Self.named(contract.endpoints.map(\.name.value), &files)
        var anchors = PageNames(taken: Self.pageAnchors)
        errorAnchors = Self.named(
            contract.errors.map(\.name.value) + BuiltInError.allCases.map(\.rawValue), &anchors)
        anchors = PageNames(taken: Self.pageAnchors)
        typeAnchors = Self.named(
            contract.types.map(\.name.value) + contract.events.map { Self.key(ofEvent: $0.name.value) }, &anchors)
    }

    private static func named(_ all: [String], _ names: inout PageNames) -> [String: String] {
        var named: [String: String] = [:]
        for name in all where named[name] == nil { named[name] = names.name(for: name) }
        return named
    }

    /// An event has the name of no type, but may have one that looks like it.
    private static func key(ofEvent name: String) -> String { "event " + name }

    /// Takes over how lists were split: the names of errors, and the anchors of types.
    mutating func split(errors: [[String]], types: [[String]]) {
        errorParts = Self.numbers(errors)
        typeParts = Self.numbers(types)
    }

    /// Of an entry that goes on, the first part counts.
    private static func numbers(_ parts: [[String]]) -> [String: Int] {
        var numbers: [String: Int] = [:]
        for (position, names) in parts.enumerated() {
            for name in names where numbers[name] == nil { numbers[name] = position + 1 }
        }
        return numbers
    }

    func file(ofEndpoint name: String) -> String { (endpoints[name] ?? "index") + suffix }

    /// The file of a list or of one of its parts. No endpoint's file has a dot in its name.
    func file(_ list: List, part: Int = 1) -> String {
        part == 1 ? list.rawValue + suffix : "\(list.rawValue).\(part)\(suffix)"
    }

    enum List: String { case index, errors, types }

    func anchor(ofError name: String) -> String { errorAnchors[name] ?? "content" }
    func anchor(ofType name: String) -> String { typeAnchors[name] ?? "content" }
    func anchor(ofEvent name: String) -> String { anchor(ofType: Self.key(ofEvent: name)) }

    /// Nil for a name that is no error.
    func href(ofError name: String) -> String? {
        errorAnchors[name].map { file(.errors, part: errorParts[name] ?? 1) + "#" + $0 }
    }

    func href(ofEvent name: String) -> String? { href(ofType: Self.key(ofEvent: name)) }

    func href(ofType name: String) -> String? {
        typeAnchors[name].map { file(.types, part: typeParts[$0] ?? 1) + "#" + $0 }
    }
}
