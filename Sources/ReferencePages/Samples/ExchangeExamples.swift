import ContractModel
import JSONTree
import MockServer

/// The examples of an endpoint: those of the contract, which lint has read as a client would, and otherwise values of its types.
struct ExchangeExamples {
    private let contract: ResolvedContract
    private let responses: ResponseSample

    init(_ contract: ResolvedContract) {
        self.contract = contract
        responses = ResponseSample(contract, completesExamples: false)
    }

    func of(_ endpoint: ResolvedEndpoint, _ limits: PageLimits) -> [ExampleInput] {
        func input(
            _ name: String, _ request: JSONNode?, _ response: ResponseSample.Response?
        ) -> ExampleInput? { Self.input(name, request, response, limits) }
        let written = endpoint.definition.examples.prefix(limits.examples)
        var examples = written.flatMap { example -> [ExampleInput] in
            let request = responses.inputs(example, of: endpoint)
            var shown: [ExampleInput?] = []
            if example.response != nil || example.cases.isEmpty {
                let response =
                    example.response == nil ? nil : responses.success(of: endpoint, example: example)
                shown.append(input(example.name.value, request, response))
            }
            shown += example.cases.map { name, data in
                input(example.name.value, request, responses.refusal(of: endpoint, named: name.value, example: data))
            }
            return shown.compactMap { $0 }
        }
        if !written.contains(where: { $0.response != nil }),
            let made = input("made from the types", nil, responses.success(of: endpoint))
        {
            examples.append(made)
        }
        let named = Set(written.flatMap(\.cases).map(\.name.value))
        let failures = endpoint.outcomes.map(\.name.value) + endpoint.definition.errors.map(\.value)
        for name in failures.prefix(limits.examples) {
            guard !named.contains(name), let made = input(name, nil, responses.refusal(of: endpoint, named: name))
            else {
                continue
            }
            examples.append(made)
        }
        return examples
    }

    /// Nil if it would show nothing.
    private static func input(
        _ name: String, _ request: JSONNode?, _ response: ResponseSample.Response?, _ limits: PageLimits
    ) -> ExampleInput? {
        guard request != nil || response != nil else { return nil }
        return ExampleInput(
            name: name, request: request.map { text($0, limits) }, status: response?.status.map(String.init),
            response: response?.body.map { text($0, limits) })
    }

    private static func text(_ node: JSONNode, _ limits: PageLimits) -> String {
        Prose.bounded(String(node.lines.dropLast()), limits.text)
    }
}
