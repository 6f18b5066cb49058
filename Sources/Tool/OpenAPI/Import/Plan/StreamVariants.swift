import ContractModel

/// Makes two endpoints of one operation whose response arrives whole or as a stream, as the request asks: by `stream: true` in its
/// body, or by its `Accept` header.
struct StreamVariants {
    /// The member of a body that asks for a stream.
    static let member = "stream"

    let types: TypePlanner

    /// The operation once for each way in which its response arrives.
    static func split(_ operation: Operation) -> [Operation] {
        let successes = operation.responses.indices.filter { operation.responses[$0].isSuccess }
        guard successes.count == 1, let position = successes.first else { return [operation] }
        let media = operation.responses[position].media
        let streams = media.filter { $0.isEvents || $0.isLines }
        guard let stream = streams.first(where: { $0.schema != nil || $0.itemSchema != nil }) ?? streams.first,
            media.contains(where: \.isJSON)
        else { return [operation] }
        var (whole, streamed) = (operation, operation)
        (whole.arrival, streamed.arrival) = (.whole, .stream)
        whole.responses[position].media.removeAll { $0.isEvents || $0.isLines }
        streamed.responses[position].media = [stream]
        return [whole, streamed]
    }

    /// Lets each request ask for its own response. That for a stream always has the member `stream`. The other one does not have it,
    /// or has it as false if the server needs that.
    ///
    /// - Parameter operations: the operations of the endpoints, by the endpoints' names.
    func ask(_ plan: inout ContractPlan, _ operations: [String: Operation], beside numbers: [Int]) {
        let positions = plan.endpoints.indices.filter { operations[plan.endpoints[$0].name]?.arrival != nil }
        guard !positions.isEmpty else { return }
        var others = Set(numbers)
        for entry in types.entries { others.formUnion(entry.numbers) }
        let variants = Set(positions)
        for position in plan.endpoints.indices {
            var endpoint = plan.endpoints[position]
            // Only the type of the body itself may change.
            if variants.contains(position), case .type(let type)? = endpoint.body?.content,
                types.target(of: type) != nil
            {
                endpoint.body = nil
            }
            others.formUnion(endpoint.numbers)
        }
        // Streams come first: they get types of their own, and what is left has the document's type to itself.
        let streams = positions.filter { plan.endpoints[$0].stream != nil }
        for position in streams + positions.filter({ plan.endpoints[$0].stream == nil }) {
            guard let operation = operations[plan.endpoints[position].name] else { continue }
            ask(
                &plan.endpoints[position], operation, isTypeOwn: { !others.contains($0) && operation.arrival == .whole }
            )
        }
    }

    private func ask(_ endpoint: inout PlannedEndpoint, _ operation: Operation, isTypeOwn: (Int) -> Bool) {
        switch endpoint.body?.content {
        case nil: return
        case .fields(let fields)?:
            guard let fields = asking(fields, operation) else { return }
            endpoint.body?.content = .fields(fields)
        case .type(let type)?:
            guard let schema = operation.body?.media.first(where: \.isJSON)?.schema,
                let number = types.target(of: type), case .structure(let all) = types.entries[number].form,
                let fields = asking(all, operation)
            else { return }
            let entry = types.entries[number]
            if isTypeOwn(number) {
                entry.form = .structure(fields)
            } else {
                let own = types.entry(
                    .endpoint(NameText.typeName(endpoint.name) + "Body", part: "Body"), at: schema)
                (own.form, own.doc, own.isDeprecated) = (.structure(fields), entry.doc, entry.isDeprecated)
                endpoint.body?.content = .type(.named(own.number))
            }
        }
    }

    /// The fields of a body that asks for its own response; `nil` if they have no such member.
    private func asking(_ fields: [PlannedField], _ operation: Operation) -> [PlannedField]? {
        guard let position = fields.firstIndex(where: { $0.wire == Self.member && isSwitch($0) }) else { return nil }
        var fields = fields
        let isStream = operation.arrival == .stream
        // A server that requires the member, or that streams without it, gets it in both requests.
        let isNeeded = fields[position].isRequired || fields[position].documentedDefault?.value.text == "true"
        guard isStream || isNeeded && fields[position].constant == nil else {
            fields.remove(at: position)
            return fields
        }
        fields[position].type = .word("bool")
        fields[position].alwaysSend(.text(isStream ? "true" : "false", isQuoted: false))
        return fields
    }

    /// Whether a field may be true.
    private func isSwitch(_ field: PlannedField) -> Bool {
        types.isFlag(field.type) && field.constant?.spelling?.text != "false"
    }
}
