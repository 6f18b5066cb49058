import ContractModel
import JSONTree

/// Makes the payloads of an endpoint: from its examples where it has some, and from its types.
struct PayloadMaker {
    let contract: ResolvedContract
    let seed: UInt64
    /// Whether values get the members that their examples lack.
    var completesExamples = true

    /// The payload of a success. Nil for an endpoint without one.
    ///
    /// - Parameters:
    ///   - request: an example whose request has these values is preferred.
    ///   - elements: the number of elements, if the payload is a list.
    func payload(of endpoint: ResolvedEndpoint, request: JSONNode? = nil, elements: Int? = nil) -> JSONNode? {
        if let example = example(of: endpoint, request)?.response { return payload(of: endpoint, example) }
        var generator = SampleGenerator(contract, seed: seed, for: endpoint.name.value)
        switch endpoint.response.value {
        case .none, .bytes: return nil
        case .fields(let fields): return generator.object(fields)
        case .type(let type, _, _):
            return generator.value(of: type.unwrapped, named: endpoint.name.value, elements: elements)
        }
    }

    /// The payloads of all examples.
    func examplePayloads(of endpoint: ResolvedEndpoint) -> [JSONNode] {
        endpoint.definition.examples.compactMap(\.response).compactMap { payload(of: endpoint, $0) }
    }

    /// The payload of the example whose request has exactly these values. Nil if there is none.
    func examplePayload(of endpoint: ResolvedEndpoint, _ request: JSONNode) -> JSONNode? {
        example(of: endpoint, request, isExact: true)?.response.flatMap { payload(of: endpoint, $0) }
    }

    /// The payload of an example.
    func payload(of endpoint: ResolvedEndpoint, _ example: ExampleValue) -> JSONNode? {
        let generator = SampleGenerator(contract, seed: seed, for: endpoint.name.value)
        switch endpoint.response.value {
        case .none, .bytes: return nil
        case .fields(let fields): return value(example, fields, generator)
        case .type(let type, _, _): return value(example, type, generator)
        }
    }

    private func value(_ example: ExampleValue, _ fields: [FieldDefinition], _ generator: SampleGenerator) -> JSONNode {
        let node = ExampleValues(contract: contract).node(example, fields: fields)
        var generator = generator
        return completesExamples ? generator.complete(node, fields: fields) : node
    }

    private func value(_ example: ExampleValue, _ type: TypeReference, _ generator: SampleGenerator) -> JSONNode {
        let node = ExampleValues(contract: contract).node(example, type: type)
        var generator = generator
        return completesExamples ? generator.complete(node, type: type) : node
    }

    /// The data of an error or an outcome. Nil without any.
    ///
    /// - Parameter example: the data of an example; nil for that of the first example that has it.
    func data(
        _ data: ErrorData?, named name: String, of endpoint: ResolvedEndpoint, example: ExampleValue? = nil
    ) -> JSONNode? {
        guard let data else { return nil }
        var generator = SampleGenerator(contract, seed: seed, for: name)
        let example =
            example ?? endpoint.definition.examples.lazy.flatMap(\.cases).first { $0.name.value == name }?.data
        switch data {
        case .fields(let fields):
            return example.map { value($0, fields, generator) } ?? generator.object(fields)
        case .type(let type, _):
            return example.map { value($0, type, generator) } ?? generator.value(of: type.unwrapped, named: name)
        }
    }

    /// The data of an event. Nil without any.
    ///
    /// - Parameter number: how many events came before it on its connection.
    func data(of event: EventDefinition, number: Int) -> JSONNode? {
        var generator = SampleGenerator(contract, seed: seed, for: event.name.value, number: number + 1)
        switch event.data {
        case .fields(let fields)?: return generator.object(fields)
        case .type(let type, _)?: return generator.value(of: type.unwrapped, named: event.name.value)
        case nil: return nil
        }
    }

    /// The text of an error for people, with its data in place of the placeholders.
    func message(of error: ErrorDefinition, _ data: JSONNode?) -> String? {
        guard let message = error.message else { return nil }
        let fields = contract.placeholders(of: error)
        return MessageTemplate(message.value).text { name in
            fields.first { $0.name == name }.flatMap { data?[$0.field.wireName]?.scalarText }
        }
    }

    /// The values of the declared headers.
    func headers(of endpoint: ResolvedEndpoint) -> [(name: String, value: String)] {
        var generator = SampleGenerator(contract, seed: seed, for: endpoint.name.value + " headers")
        return endpoint.responseHeaders.compactMap { field in
            let value = generator.value(of: field, type: field.type.unwrapped)
            if let elements = value.elements {
                return (field.wireName, elements.compactMap(\.scalarText).joined(separator: ","))
            }
            return value.scalarText.map { (field.wireName, $0) }
        }
    }

    /// The error or the outcome of the example whose request has exactly these values. Nil if an example with a response, or none,
    /// has them.
    func exampleCase(of endpoint: ResolvedEndpoint, _ request: JSONNode?) -> String? {
        guard let example = example(of: endpoint, request, isExact: true), example.response == nil else { return nil }
        return example.cases.first?.name.value
    }

    private func example(
        of endpoint: ResolvedEndpoint, _ request: JSONNode?, isExact: Bool = false
    ) -> ExampleDefinition? {
        let examples = endpoint.definition.examples
        let inputs = inputs(of: endpoint)
        if let request {
            let match = examples.first { example in
                guard let wanted = example.request else { return false }
                let node = ExampleValues(contract: contract).node(wanted, fields: inputs)
                guard let members = node.members, !members.isEmpty else { return false }
                return members.allSatisfy { isSame(request[$0.name], $0.value) }
            }
            if let match { return match }
        }
        return isExact ? nil : examples.first { $0.response != nil }
    }

    /// All inputs of an endpoint, as the request of an example names them.
    func inputs(of endpoint: ResolvedEndpoint) -> [FieldDefinition] {
        var fields = endpoint.path?.parameters ?? []
        fields += endpoint.query + endpoint.headers + endpoint.cookies
        switch endpoint.body?.content {
        case .fields(let body)?: fields += body
        case .type(let type, _)?: fields += contract.structure(type)?.fields ?? []
        case .bytes?, nil: break
        }
        return fields
    }

    /// Whether two values are the same, with `500` and `500.00` as one number.
    private func isSame(_ left: JSONNode?, _ right: JSONNode) -> Bool {
        guard let left else { return right == .null }
        if left == right { return true }
        if case .object(let members) = right, left.members?.count == members.count {
            return members.allSatisfy { isSame(left[$0.name], $0.value) }
        }
        if let lefts = left.elements, let rights = right.elements, lefts.count == rights.count {
            return zip(lefts, rights).allSatisfy { isSame($0, $1) }
        }
        guard let one = left.scalarText, let other = right.scalarText else { return false }
        if one == other { return true }
        guard let one = Double(one), let other = Double(other) else { return false }
        return one == other
    }
}
