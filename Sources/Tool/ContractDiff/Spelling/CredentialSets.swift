/// The alternatives of the credentials that a request may carry, each a set of names.
struct CredentialSets {
    private let alternatives: [Set<String>]

    /// - Parameter text: the value of an endpoint: `admin, audit + tenant`. Nil for none.
    init(_ text: String?) {
        alternatives =
            text?.split(separator: ",").map { alternative in
                let names = alternative.split(separator: "+").map { name in
                    String(name.drop { $0 == " " }.prefix { $0 != " " })
                }
                return Set(names).subtracting(["none"])
            } ?? [[]]
    }

    /// Whether a server that wants these takes each of the others: it looks at no further ones.
    func takesAll(of others: CredentialSets) -> Bool {
        others.alternatives.allSatisfy { carried in alternatives.contains { $0.isSubset(of: carried) } }
    }

    /// Whether both have the same alternatives in one order.
    static func == (left: CredentialSets, right: CredentialSets) -> Bool { left.alternatives == right.alternatives }
}
