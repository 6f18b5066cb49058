import Diagnostics

/// The names of one place in generated code, none of which may be another's but for letter case or underscores.
struct NameScope {
    private struct Claim {
        let identifier: String
        let what: String
        let range: SourceRange?
    }

    private var claims: [String: Claim] = [:]
    /// Where the scope is, for messages: "the client `Bank`".
    private let place: String
    /// Names that generated code needs for itself here.
    private let reserved: Set<String>

    init(_ place: String, reserved: Set<String> = []) {
        self.place = place
        self.reserved = Set(reserved.map(SwiftIdentifier.folded))
    }

    /// Takes a name for something; a finding where it is taken already.
    ///
    /// - Parameter what: what gets the name, as in "the type `user`".
    mutating func claim(_ identifier: String, for what: String, at range: SourceRange) -> Diagnostic? {
        let key = SwiftIdentifier.folded(identifier)
        if reserved.contains(key) || ReservedNames.forbidden.contains(identifier) {
            return Diagnostic(
                rule: "swift-reserved-word",
                message: "\(what) would be called `\(identifier)`, a name that generated code needs for itself in \(place)",
                at: range,
                help: "give it another name, or one for Swift alone under `swift:`"
            )
        }
        if let other = claims[key] {
            let clash = other.identifier == identifier
                ? "both become `\(identifier)` in \(place)"
                : "become `\(identifier)` and `\(other.identifier)` in \(place), which differ in letter case or underscores only"
            return Diagnostic(
                rule: "swift-name-collision",
                message: "\(what) and \(other.what) \(clash)",
                at: range,
                notes: [DiagnosticNote("\(other.what) is here", at: other.range)],
                help: "give one of them another name, or one for Swift alone under `swift:`"
            )
        }
        claims[key] = Claim(identifier: identifier, what: what, range: range)
        return nil
    }
}
