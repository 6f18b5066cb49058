import ContractModel

/// ``ReservedNames``, folded: names that an import must not choose, also not in another spelling.
enum SwiftWords {
    /// Names that a type of a contract cannot have.
    static let types = folded(
        ReservedNames.modules, ReservedNames.runtimeTypes, ReservedNames.standardTypes, ReservedNames.clientTypes,
        ReservedNames.forbidden, ["WriteFailure", "None"])

    /// Names that a service cannot have.
    static let services = folded(
        Set(ReservedNames.qualifiable.keys), ["Session", "Dispatcher", "Command", "Receipt", "Reply"])

    static let clientMembers = ReservedNames.clientMembers.union(["with", "stubbed", "raise"])
    /// Names that an endpoint cannot have. The failure of `write` would have the name of the one that writes share.
    static let endpoints = clientMembers.union(["write"]).union(
        folded(
            ReservedNames.modules, ReservedNames.runtimeTypes, ReservedNames.standardTypes, ReservedNames.clientTypes,
            ReservedNames.forbidden))
    /// Names that an error cannot have. Every endpoint has the built-in errors.
    static let errors = ReservedNames.failureCases.union(folded(ReservedNames.builtInErrors))
    /// Names that a case of a union cannot have.
    static let cases = folded(ReservedNames.enumCases, ["self", "init"])
    static let enumCases = folded(ReservedNames.enumCases, ["customMirror"])

    private static func folded(_ names: Set<String>...) -> Set<String> {
        Set(names.joined().map(NameText.folded))
    }
}
