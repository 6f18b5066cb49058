import ContractModel

/// Makes an endpoint of each alternative of a JSON body that a union cannot tell apart, if a server can: by the members that each
/// requires. A post for now has a `status`, and one for later a `status` and a `scheduledAt`.
///
/// Alternatives that a union can tell apart stay one endpoint, because they have the same responses.
struct BodyVariants {
    private static let most = 4

    let types: TypePlanner

    /// The operation once for each alternative of its body.
    func split(_ operation: Operation) -> [Operation] {
        let media = operation.body?.media ?? []
        let files = MultipartFiles(types.reader)
        // The body that ``EndpointPlanner`` sends.
        guard !["get", "head"].contains(operation.method),
            !media.contains(where: { files.areOnly(in: $0, among: media) }),
            let schema = (media.first { $0.type == "application/json" } ?? media.first(where: \.isJSON))?.schema,
            let members = members(of: schema)
        else { return [operation] }
        // The same content in other formats has the same alternatives.
        let content = schema.fingerprint(depth: 0)
        let positions = media.indices.filter { media[$0].schema?.fingerprint(depth: 0) == content }
        let needs = members.map(\.needs)
        // The one that needs least is the operation as the document names it.
        let plain = needs.indices.min { (needs[$0].count, $0) < (needs[$1].count, $1) } ?? 0
        return members.indices.map { number in
            var variant = operation
            for position in positions { variant.body?.media[position].schema = members[number].schema }
            if number != plain { variant.needs = needs[number].filter { !needs[plain].contains($0) } }
            return variant
        }
    }

    /// The alternatives that only the members of a request tell apart, with the members that each requires; nil for any other schema.
    private func members(of schema: Element) -> [(schema: Element, needs: [String])]? {
        let target = types.documents.followed(schema) ?? schema
        guard target["oneOf"] != nil || target["anyOf"] != nil else { return nil }
        let view = types.reader.view(of: [schema])
        guard view.alternatives.count == 1, view.properties.isEmpty, view.discriminator == nil else { return nil }
        let members = view.alternatives[0].members
        guard (2...Self.most).contains(members.count), !members.contains(where: { types.reader.isNullable($0) }),
            !types.unionTellsApart(members)
        else { return nil }
        let views = members.map { types.reader.view(of: [$0]) }
        guard
            views.allSatisfy({ view in
                view.alternatives.isEmpty && view.discriminator == nil && view.types.allSatisfy { $0 == "object" }
                    && view.properties.allSatisfy {
                        !view.required.contains($0.name) || types.isAlwaysThere($0.schemas)
                    }
            })
        else { return nil }
        let needs = views.map { view in view.properties.map(\.name).filter { view.required.contains($0) } }
        guard Set(needs.map { Set($0) }).count == needs.count, !needs.contains([]) else { return nil }
        return zip(members, needs).map { (schema: $0, needs: $1) }
    }
}
