import ContractModel

// Constants that are not always there.
extension TypePlanner {
    /// Identifies a constant at a place of the document.
    struct ConstantKey: Hashable {
        let schema: ElementKey
        let value: DefaultValue.Spelling
    }

    /// The use of a constant as an enum with this value: `{enum: [folder]}`. Contracts have no enum of a bool or a fraction.
    func withConstantType(_ use: TypeUse, as origin: PlannedTypeEntry.Origin, at schema: Element) -> TypeUse {
        guard let value = use.constant?.spelling, use.type == .word("string") || use.type == .word("int") else {
            return use
        }
        var use = use
        let key = ConstantKey(schema: schema.key, value: value)
        if let known = constantNumbers[key] {
            use.type = .named(known)
            return use
        }
        let entry = entry(origin, at: schema)
        entry.form = .enumeration(
            EnumDefinition(values: [value.text], isNumeric: !value.isQuoted, names: nil), areNamesMade: !value.isQuoted)
        constantNumbers[key] = entry.number
        use.type = .named(entry.number)
        return use
    }
}
