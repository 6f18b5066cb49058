import ContractModel

/// The names of a group's methods: those of its endpoints without the words of the group. `createIssue` in `issues` is `create`.
///
/// A name that two endpoints would have is the name of neither. They keep their own.
struct GroupNames {
    /// The property of a group's structure.
    static let client = "client"

    /// By the identifier of the endpoint.
    private var short: [String: String] = [:]

    init(_ group: String, _ identifiers: [String]) {
        let group = SwiftIdentifier.make(from: group, .value)
        let found = identifiers.compactMap { identifier in
            Self.short(identifier, in: group).map { (identifier, $0) }
        }
        var uses: [String: Int] = [SwiftIdentifier.folded(Self.client): 1]
        for name in identifiers + found.map(\.1) { uses[SwiftIdentifier.folded(name), default: 0] += 1 }
        for (identifier, name) in found where uses[SwiftIdentifier.folded(name)] == 1 { short[identifier] = name }
    }

    func name(of identifier: String) -> String { short[identifier] ?? identifier }

    /// Words that say nothing once the group after them is gone: `addLabelsToIssue` is `addLabels`.
    private static let links: Set<String> = ["at", "by", "for", "from", "in", "of", "on", "to", "with"]

    /// Nil if nothing or no name would remain.
    private static func short(_ identifier: String, in group: String) -> String? {
        let (words, group) = (NameWords.of(identifier), NameWords.of(group))
        guard !group.isEmpty, words.count > group.count, identifier.utf8.allSatisfy({ $0 < 0x80 }),
            words.reduce(0, { $0 + $1.utf8.count }) == identifier.utf8.count
        else { return nil }
        // A verb comes first in most names. Only the group's own word there is the group: `transferFunds` is no transfer.
        var place = words.starts(with: group) ? 0..<group.count : nil
        if place == nil {
            let singular = group.map(singular)
            let start = (1...words.count - group.count).first { start in
                zip(words[start...], singular).allSatisfy { self.singular($0) == $1 }
            }
            place = start.map { $0..<$0 + group.count }
        }
        guard var place else { return nil }
        if place.upperBound == words.count, place.lowerBound > 1, links.contains(words[place.lowerBound - 1]) {
            place = place.lowerBound - 1..<place.upperBound
        }
        func length(_ words: ArraySlice<String>) -> Int { words.reduce(0) { $0 + $1.utf8.count } }
        let rest =
            identifier.prefix(length(words[..<place.lowerBound]))
            + identifier.suffix(length(words[place.upperBound...]))
        guard rest.first?.isLetter == true else { return nil }
        let name = SwiftIdentifier.make(from: String(rest), .value)
        return ReservedNames.isForbidden(name) ? nil : name
    }

    private static func singular(_ word: String) -> String {
        if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        for end in ["sses", "xes", "ches", "shes"] where word.hasSuffix(end) { return String(word.dropLast(2)) }
        return word.hasSuffix("s") && !word.hasSuffix("ss") ? String(word.dropLast()) : word
    }
}
