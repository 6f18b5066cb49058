// Alternatives that are single values, which are an enum.
extension TypePlanner {
    /// The enum of alternatives that are single values: `oneOf: [{const: 0, title: NORMAL}, {const: 1, title: BURST}]`. The titles
    /// name numbers. Nil for other alternatives.
    func constants(_ views: [SchemaView], _ view: SchemaView, at place: TypePlace) -> TypeUse? {
        let values = views.compactMap(\.onlyValue)
        guard values.count == views.count, views.allSatisfy({ $0.alternatives.isEmpty }),
            values.allSatisfy({ $0.scalarKind != nil && !$0.isNull }), Set(values.map(\.text)).count == values.count
        else { return nil }
        var all = SchemaView()
        let types = Set(views.flatMap(\.types))
        all.types = view.types.isEmpty && types.count == 1 ? Array(types) : view.types
        let titles = views.compactMap(\.title).filter { !$0.isEmpty }
        let isNumeric = values.allSatisfy { $0.scalarKind == .whole }
        return enumeration(values, all, at: place, names: isNumeric && titles.count == values.count ? titles : nil)
    }

    /// The enum of some values of an enum whose values are alternatives; nil for other alternatives, which cannot say more than
    /// the values do.
    func narrowed(
        to values: [Element], _ members: [Element], _ view: SchemaView, at place: TypePlace
    ) -> TypeUse? {
        var titles: [String: String] = [:]
        for member in members.map({ reader.view(of: [$0]) }) {
            guard let value = member.onlyValue,
                let text = value.text, let title = member.title, !title.isEmpty
            else { continue }
            titles[text] = title
        }
        let names = values.compactMap { $0.text.flatMap { titles[$0] } }
        let isNumeric = values.allSatisfy { $0.scalarKind == .whole }
        guard isNumeric, values.count > 1, names.count == values.count else { return nil }
        return enumeration(values, view, at: place, names: names)
    }
}
