import ContractModel
import Diagnostics

/// The names of one place in generated code, none of which may be another's but for letter case or underscores.
struct NameScope {
    private struct Claim {
        let identifier: String
        let what: Named
        let range: SourceRange?
    }

    private var claims: [String: Claim] = [:]
    /// Where the scope is, for messages: "the client `Bank`".
    private let place: Named
    /// Names that generated code needs for itself here.
    private let reserved: Set<String>

    init(_ place: Named, reserved: Set<String> = []) {
        self.place = place
        self.reserved = Set(reserved.map(SwiftIdentifier.folded))
    }

    /// Whether names fit into a scope of their own without a finding.
    static func areFree(_ identifiers: [String], reserved: Set<String>) -> Bool {
        guard !identifiers.contains(where: ReservedNames.isForbidden) else { return false }
        if reserved.isEmpty, NameList.areSurelyDifferent(identifiers) { return true }
        let keys = identifiers.map(SwiftIdentifier.folded)
        guard !NameList.hasRepeats(keys) else { return false }
        return reserved.isEmpty || Set(reserved.map(SwiftIdentifier.folded)).isDisjoint(with: keys)
    }

    /// Takes a name for something; a finding if it is taken already.
    ///
    /// - Parameter what: what gets the name, as in "the type `user`".
    mutating func claim(_ identifier: String, for what: Named, at range: SourceRange) -> Diagnostic? {
        let key = SwiftIdentifier.folded(identifier)
        if reserved.contains(key) || ReservedNames.isForbidden(identifier) {
            return Diagnostic(
                rule: .swiftReservedWord,
                message:
                    "\(what.text) would have the Swift name `\(identifier)`, which generated code already uses in \(place.text)",
                at: range,
                help: "rename it\(what.renaming)"
            )
        }
        if let other = claims[key] {
            let clash =
                other.identifier == identifier
                ? "both have the Swift name `\(identifier)` in \(place.text)"
                : "have the Swift names `\(identifier)` and `\(other.identifier)` in \(place.text), which differ only in letter case or underscores"
            return Diagnostic(
                rule: .swiftNameCollision,
                message: "\(what.text) and \(other.what.text) \(clash)",
                at: range,
                notes: [DiagnosticNote("\(other.what.text) is here", at: other.range)],
                help: "rename one of them\(what.renaming)"
            )
        }
        claims[key] = Claim(identifier: identifier, what: what, range: range)
        return nil
    }
}

/// A thing, with the name that messages use: "the type `user`". The words are composed only for a message.
struct Named {
    /// The key with which the contract changes a name in Swift, or keeps it on the wire.
    enum Key { case swift, wire, value, none }

    private let kind: StaticString
    private let name: String
    private let key: Key

    init(_ kind: StaticString, _ name: String, _ key: Key = .swift) {
        self.kind = kind
        self.name = name
        self.key = key
    }

    /// How to have another name, after the words "rename it".
    var renaming: String {
        switch key {
        case .swift: ", or give it another Swift name with `swift:`"
        case .wire: " and keep the server's name with `wire:`, or give it another Swift name with `swift:`"
        case .value: " and keep the server's value: `{enum: {name: value}}`"
        case .none: ""
        }
    }

    var text: String { name.isEmpty ? "\(kind)" : "\(kind) `\(name)`" }
}
