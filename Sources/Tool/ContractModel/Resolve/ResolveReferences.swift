import Diagnostics

// References from endpoints to other endpoints, to their own inputs, and to their examples.
extension Resolution {
    mutating func checkReferences(between endpoints: [ResolvedEndpoint]) {
        let needsIndex = endpoints.contains { $0.confirm != nil || !$0.definition.clears.isEmpty }
        let index =
            needsIndex
            ? Dictionary(endpoints.enumerated().map { ($1.name.value, $0) }, uniquingKeysWith: { first, _ in first })
            : [:]
        for endpoint in endpoints {
            if let confirm = endpoint.confirm { check(confirm, of: endpoint, endpoints, index) }
            checkClears(of: endpoint, endpoints, index)
            if let pagination = endpoint.pagination { check(pagination, of: endpoint) }
            for example in endpoint.examples {
                let known =
                    endpoint.errors + endpoint.outcomes.map(\.name.value) + BuiltInError.allCases.map(\.rawValue)
                for (name, _) in example.cases where !known.contains(name.value) {
                    reportMissing(
                        .unknownExample, "error or outcome", name, among: known + ["request", "response"],
                        help: "write `request`, `response`, or the name of an error or an outcome")
                }
            }
        }
    }

    private mutating func check(
        _ confirm: ConfirmDefinition, of endpoint: ResolvedEndpoint, _ endpoints: [ResolvedEndpoint],
        _ index: [String: Int]
    ) {
        guard let position = index[confirm.endpoint.value] else {
            if scope.canMiss(confirm.endpoint.value) {
                reportMissing(.unknownEndpoint, "endpoint", confirm.endpoint, among: Array(index.keys))
            }
            return
        }
        let reader = endpoints[position]
        if reader.effect != .read {
            report(
                .confirmWithEffect, "`\(reader.name.value)` does not only read, so it cannot confirm a command",
                at: confirm.endpoint.range, help: "name an endpoint whose effect is `read`")
        }
        if let delivery = reader.definition.delivery, delivery.value != .reply {
            report(
                .confirmationWithoutReply,
                delivery.value == .stream
                    ? "`\(reader.name.value)` is a stream, so no single response of it can confirm a command"
                    : "`\(reader.name.value)` has no reply that could confirm a command",
                at: confirm.endpoint.range, notes: [DiagnosticNote("its delivery", at: delivery.range)],
                help: "name a read with one reply")
            return
        }
        if endpoint.effect == .read || endpoint.effect == .idempotent {
            report(
                .confirmWithoutDoubt,
                "the client can send `\(endpoint.name.value)` again, so it does not need a confirmation",
                at: confirm.endpoint.range,
                help: "remove `confirm`, which is for the effects `keyed` and `once`")
            return
        }
        if let outcome = reader.outcomes.first {
            report(
                .confirmMismatch,
                "`\(reader.name.value)` has outcomes, so its response cannot replace the response of `\(endpoint.name.value)`",
                at: confirm.endpoint.range, notes: [DiagnosticNote("an outcome", at: outcome.name.range)],
                help: "name a read without outcomes")
            return
        }
        checkInputs(of: confirm, endpoint, reader)
        let inputs = reader.inputs
        let own = endpoint.inputs.map(\.name.value) + (endpoint.effect == .keyed ? ["idempotencyKey"] : [])
        for (name, value) in confirm.arguments {
            if !inputs.contains(where: { $0.name.value == name.value }) {
                reportMissing(
                    .unknownInput, "input of `\(reader.name.value)` called", name, among: inputs.map(\.name.value))
            }
            if !own.contains(value.value) {
                let isKey = value.value == "idempotencyKey"
                reportMissing(
                    .unknownInput, "input of `\(endpoint.name.value)` called", value, among: isKey ? [] : own,
                    help: isKey
                        ? "only an endpoint of effect `keyed` has a key"
                        : "write one of its inputs, or `idempotencyKey`")
            }
        }
        for input in inputs
        where input.isRequired && !confirm.arguments.contains(where: { $0.name.value == input.name.value }) {
            report(
                .missingInput, "`\(reader.name.value)` requires `\(input.name.value)`, and `with` has no value for it",
                at: confirm.endpoint.range,
                help: "write `with: {\(input.name.value): idempotencyKey}`, or an input of `\(endpoint.name.value)`")
        }
        let found = ["completed"] + endpoint.outcomes.map(\.name.value)
        if let name = confirm.found, !found.contains(name.value) {
            reportMissing(
                .unknownOutcome, "outcome", name, among: found,
                help: "write `completed` or one of the endpoint's outcomes")
            return
        }
        if !reader.answers(for: endpoint, outcome: confirm.found?.value) {
            report(
                .confirmMismatch,
                "the response of `\(reader.name.value)` has a different type from the response of `\(endpoint.name.value)`",
                at: confirm.endpoint.range,
                help: "give both the same named type")
        }
    }

    /// Reports a value with a different type from its input, and an optional value for a required input.
    private mutating func checkInputs(
        of confirm: ConfirmDefinition, _ endpoint: ResolvedEndpoint, _ reader: ResolvedEndpoint
    ) {
        for (name, value) in confirm.arguments {
            guard let input = reader.inputs.first(where: { $0.name.value == name.value }) else { continue }
            let wanted = expanded(input.type.unwrapped)
            let source: FieldDefinition? = endpoint.inputs.first { $0.name.value == value.value }
            guard let source else {
                guard endpoint.isIdempotencyKey(value.value), wanted != .primitive(.string) else { continue }
                report(
                    .confirmInputMismatch,
                    "`\(name.value)` of `\(reader.name.value)` is a `\(input.type.spelling)`, and the key is a text",
                    at: value.range, notes: [DiagnosticNote("the input", at: input.typeRange)],
                    help: "make the input a `string`")
                continue
            }
            let isSame = wanted.map { $0 == expanded(source.type.unwrapped) } ?? true
            let mayBeMissing = (source.type.isOptional || source.distinguishesNull) && !input.type.isOptional
            guard !isSame || mayBeMissing || source.distinguishesNull || input.distinguishesNull else { continue }
            report(
                .confirmInputMismatch,
                "`\(name.value)` of `\(reader.name.value)` is a `\(input.type.spelling)`, and `\(value.value)` is a `\(source.type.spelling)`",
                at: value.range, notes: [DiagnosticNote("the input", at: input.typeRange)],
                help: mayBeMissing && isSame ? "make the input optional, or name another" : "give both the same type")
        }
    }
}
