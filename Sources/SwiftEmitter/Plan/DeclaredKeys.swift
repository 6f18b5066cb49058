import ContractModel

/// The names on the wire that a contract knows. A report about a response shows no other key: it is the server's own text,
/// and may be a secret.
enum DeclaredKeys {
    /// A literal with the names between white space; nil where the contract knows none.
    static func literal(of contract: ResolvedContract, indent: String) -> String? {
        let names = Set(all(in: contract)).filter(isPlain).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        if names.isEmpty { return nil }
        return "\"\"\"\n" + SourceLayout.fill(names, separator: " ", first: indent, indent: indent) + "\n\(indent)\"\"\""
    }

    private static func all(in contract: ResolvedContract) -> [String] {
        var names = SensitiveNames.fields(of: contract).map(\.wireName)
        for type in contract.types {
            if case .union(let union) = type.form { names.append(union.discriminator.value) }
        }
        for envelope in contract.envelopes {
            let paths = [envelope.data, envelope.list, envelope.code, envelope.message, envelope.error]
            names += paths.flatMap { $0?.value.keys ?? [] }
        }
        return names
    }

    /// A name that needs an escape in the literal is left out, and is treated as one that the contract does not know.
    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
    }
}
