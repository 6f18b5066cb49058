/// The order of the arguments that generated Swift has for some parts of a contract. Swift refuses a call that passes them in another
/// order.
enum ArgumentOrder {
    /// The slots whose parts are arguments of one initializer or function. An edit of their order is at the slot without `.*`.
    static let slots: Set<String> = Set(ofInputs + ofFields + ofClient)

    /// The inputs of a command.
    static let ofInputs = ["endpoint.query.*", "endpoint.headers.*", "endpoint.cookies.*", "body.fields.*"]
    /// The members of a structure, which an app makes to send it.
    static let ofFields = ["type.fields.*", "field.fields.*"]
    /// What an app passes when it makes the client, or a server of its own.
    static let ofClient = LanguageSlots.common + ["contract.credentials.*", "contract.roles.*"]

    /// The first stretch of names that are in another order, as both contracts have it. Nil if the order is the same.
    ///
    /// - Parameter renames: the positions of entries that have another name, old → new.
    static func moved(
        from before: [ComparedNode.Entry], to after: [ComparedNode.Entry], renames: [Int: Int]
    ) -> (old: String, new: String)? {
        let positions = Dictionary(
            after.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        // The positions that the parts of the old contract have in the new one.
        let kept = before.indices.filter { !before[$0].node.isMadeByClient }.compactMap { index in
            positions[before[index].key] ?? renames[index]
        }.filter { !after[$0].node.isMadeByClient }
        let sorted = kept.sorted()
        guard let first = kept.indices.first(where: { kept[$0] != sorted[$0] }),
            let last = kept.indices.last(where: { kept[$0] != sorted[$0] })
        else { return nil }
        func names(_ positions: [Int]) -> String {
            positions[first...last].map { after[$0].key }.joined(separator: ", ")
        }
        return (names(kept), names(sorted))
    }
}
