import ContractModel

/// The names on the wire that a contract knows. A report about a response shows no other key: it is the server's own text,
/// and may be a secret.
enum DeclaredKeys {
    /// Those of all fields, of the discriminators of unions, of envelopes and of the members of frames, sorted.
    static func onTheWire(in contract: ResolvedContract) -> [String] {
        Set(all(in: contract)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func all(in contract: ResolvedContract) -> [String] {
        var names = SensitiveNames.fields(of: contract).filter { !$0.holdsOtherMembers }.map(\.wireName)
        for type in contract.types {
            if case .union(let union) = type.form { names += union.discriminator.map { [$0.value] } ?? [] }
        }
        for envelope in contract.envelopes {
            let paths = [envelope.data, envelope.list, envelope.code, envelope.message, envelope.error]
            names += paths.flatMap { $0?.value.keys ?? [] }
        }
        if let connection = contract.connection {
            names += [connection.kindMember, connection.correlationMember]
            names += connection.payload.map { [$0.value] } ?? []
        }
        return names
    }
}
