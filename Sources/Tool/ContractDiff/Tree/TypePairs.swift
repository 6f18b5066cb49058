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
    /// The types that are at the places of each old one.
    private var newNames: [String: Set<String>] = [:]
    /// How many parts of types have been compared to find the pairs.
    private var work = 0
    private(set) var isFull = false

    /// The use of a pair; nil if no use has both. Of more pairs than are kept, each one may be anywhere.
    subscript(old: String, new: String) -> Use? { uses[TypePair(old: old, new: new)] ?? (isFull ? .anywhere : nil) }

    /// Whether the insides of two types are compared. They always are, unless a contract has been made so that each of its types stands
    /// for all others.
    func isCompared(_ old: String, _ new: String) -> Bool { !isFull || uses[TypePair(old: old, new: new)] != nil }

    /// How much is compared. The types of a stranger can stand for each other in as many ways as both have types, multiplied, and each
    /// can have thousands of parts.
    struct Bounds {
        var pairs = 20_000
        /// How many parts of types are compared to find the pairs.
        var work = 3_000_000
        /// With so many edits, no more types with two names are compared.
        var edits = 100_000
    }

    let bounds: Bounds

    init(_ bounds: Bounds = Bounds()) { self.bounds = bounds }

    /// The name of the type that is at each place of an old one; nil if there are several, or none.
    func newName(of old: String) -> String? {
        guard let names = newNames[old], names.count == 1 else { return nil }
        return names.first
    }

    /// Adds a use. Returns whether it is new.
    ///
    /// - Parameter parts: how many parts the types of the pair have, which are compared for a new use.
    mutating func add(_ pair: TypePair, _ use: Use, parts: Int) -> Bool {
        let known = uses[pair] ?? .none
        let joined = Use(
            isInRequests: known.isInRequests || use.isInRequests,
            isInResponses: known.isInResponses || use.isInResponses)
        guard joined != known || uses[pair] == nil else { return false }
        // A pair that is known stays compared, with all of its uses.
        guard uses[pair] != nil || !isFull else { return false }
        guard uses[pair] != nil || uses.count < bounds.pairs && work + parts <= bounds.work else {
            isFull = true
            return false
        }
        work += parts
        uses[pair] = joined
        newNames[pair.old, default: []].insert(pair.new)
        return true
    }

    /// Takes out a pair whose types are not compared.
    mutating func leaveOut(_ pair: TypePair) {
        uses[pair] = nil
        isFull = true
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
