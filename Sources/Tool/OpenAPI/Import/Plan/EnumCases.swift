import ContractModel

extension EnumDefinition {
    /// Names the values of an enum. Values that are names already stay as they are.
    init(values: [String], isNumeric: Bool, names: [String]?) {
        if !isNumeric, names == nil, Self.areNames(values) {
            self.init(
                cases: values.map { Case(name: Located($0), wireValue: Located($0)) }, wireKind: .string,
                isClosed: false)
            return
        }
        var taken = SwiftWords.enumCases
        var cases = values.map { Case(name: Located(""), wireValue: Located($0)) }
        let counts = values.indices.reduce(into: [:]) { counts, position in
            counts[NameText.folded(NameText.valueName(names?[position] ?? values[position])), default: 0] += 1
        }
        // `created` keeps its name, whether `-created` comes before it or not.
        let plain = values.indices.filter { values[$0].first.map { $0.isLetter || $0.isNumber } ?? false }
        let others = values.indices.filter { !plain.contains($0) }
        for position in plain + others {
            let value = values[position]
            let wanted = names?[position] ?? value
            var name = NameText.valueName(wanted)
            // `Etc/GMT-1` beside `Etc/GMT+1`
            if (counts[NameText.folded(name)] ?? 0) > 1 { name = NameText.valueName(NameText.withSigns(wanted)) }
            if !wanted.contains(where: { $0.isLetter || $0.isNumber }) || !NameText.isFree(name, taken) {
                name = NameText.spelled(wanted)
            }
            name = NameText.free(name, taken)
            taken.insert(NameText.folded(name))
            cases[position].name = Located(name)
        }
        self.init(cases: cases, wireKind: isNumeric ? .int : .string, isClosed: false)
    }

    private static func areNames(_ values: [String]) -> Bool {
        var taken = SwiftWords.enumCases
        return values.allSatisfy { value in
            guard let first = value.first, first.isLetter, value.count <= 100,
                value.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
            else { return false }
            let name = NameText.valueName(value)
            return !ReservedNames.forbidden.contains(name) && taken.insert(NameText.folded(name)).inserted
        }
    }
}
