import ContractModel

/// A type of the old contract, and one of the new contract that is at the same place.
struct TypePair: Hashable {
    let old: String
    let new: String
}

/// The types of two contracts that stand for each other: one of their uses has the old type in the old contract, and the new
/// type in the new one. Most have one name. A name alone says nothing about the wire, because another type may have it now.
struct TypePairs {
    /// Where the values of each pair travel.
    private(set) var uses: [TypePair: Use] = [:]

    /// The use of a pair; nil if no use has both. Of more pairs than are kept, each one may be anywhere.
    subscript(old: String, new: String) -> Use? { uses[TypePair(old: old, new: new)] ?? (isFull ? .anywhere : nil) }

    /// So many pairs are kept. The types of a stranger can stand for each other in as many ways as both have types, multiplied.
    private static let mostPairs = 20_000
    private var isFull: Bool { uses.count >= Self.mostPairs }

    /// The name of the type that is at each place of an old one; nil if there are several, or none.
    func newName(of old: String) -> String? {
        let names = uses.keys.filter { $0.old == old }
        return names.count == 1 ? names[0].new : nil
    }

    /// Adds a use. Returns whether it is new.
    mutating func add(_ pair: TypePair, _ use: Use) -> Bool {
        let known = uses[pair] ?? .none
        let joined = Use(
            isInRequests: known.isInRequests || use.isInRequests,
            isInResponses: known.isInResponses || use.isInResponses)
        guard joined != known || uses[pair] == nil, !isFull || uses[pair] != nil else { return false }
        uses[pair] = joined
        return true
    }

    /// The types that only have another name: their old name is gone, their new one is new, and each use of the old type has the
    /// new one.
    func renames(_ old: Set<String>, _ new: Set<String>) -> [String: String] {
        var news: [String: Set<String>] = [:]
        var olds: [String: Set<String>] = [:]
        for pair in uses.keys {
            news[pair.old, default: []].insert(pair.new)
            olds[pair.new, default: []].insert(pair.old)
        }
        var renames: [String: String] = [:]
        for (name, others) in news where !new.contains(name) && others.count == 1 {
            guard let other = others.first, !old.contains(other), olds[other]?.count == 1 else { continue }
            renames[name] = other
        }
        return renames
    }
}

extension Use {
    fileprivate static let anywhere = Use(isInRequests: true, isInResponses: true)

    /// The use of what is at a place outside of `types`.
    static func at(_ place: [String]) -> Use {
        switch place.first {
        case "endpoints" where place.count > 2:
            let isSent = ["query", "headers", "cookies", "body", LanguageSlots.target].contains(place[2])
            return isSent ? .requests : .responses
        case "errors", "events": return .responses
        case "common": return .requests
        default: return .none
        }
    }
}
