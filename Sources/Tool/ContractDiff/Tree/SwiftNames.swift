import ContractModel

/// The names that definitions have in Swift, which `swift:` says or the contract's name gives.
enum SwiftNames {
    /// The name of what a contract has under a name.
    ///
    /// - Parameters:
    ///   - name: its name in the contract.
    ///   - node: the definition, which may have the key `swift`.
    ///   - place: the keys that lead to it.
    static func name(of name: String, _ node: ComparedNode?, at place: [String]) -> String {
        if let own = node?["swift"]?.text { return own }
        let isType = place.count == 2 && (place[0] == "types" || place[0] == "events")
        return SwiftIdentifier.make(from: name, isType ? .type : .value)
    }

    /// The names that an edit of a name, or of `swift`, is from and to.
    static func names(of edit: TreeEdit) -> (old: String, new: String)? {
        let isOfKey = edit.places.new.last == "swift"
        let places =
            isOfKey
            ? (edit.places.old.dropLast(), edit.places.new.dropLast()) : (edit.places.old[...], edit.places.new[...])
        guard let old = places.0.last, let new = places.1.last else { return nil }
        return (
            name(of: old, edit.oldOwner, at: Array(places.0)), name(of: new, edit.newOwner, at: Array(places.1))
        )
    }
}
