import ContractModel
import JSONTree
import MockServer

/// The examples of an endpoint: those of the contract, which lint has read as a client would, and otherwise values of its types.
struct ExchangeExamples {
    private let contract: ResolvedContract
    private let responses: ResponseSample

    /// Examples on a page, and characters in one.
    private static let most = 20
    private static let longest = 6_000

    init(_ contract: ResolvedContract) {
        self.contract = contract
        responses = ResponseSample(contract)
    }

    func of(_ endpoint: ResolvedEndpoint) -> [ExampleInput] {
        let written = endpoint.definition.examples.prefix(Self.most)
        var examples = written.compactMap { example -> ExampleInput? in
            let request = responses.inputs(example, of: endpoint)
            if example.response == nil, let name = example.cases.first?.name.value {
                return input(example.name.value, request, responses.refusal(of: endpoint, named: name))
            }
            return input(example.name.value, request, responses.success(of: endpoint, example: example))
        }
        if !written.contains(where: { $0.response != nil }),
            let made = input("made from the types", nil, responses.success(of: endpoint))
        {
            examples.append(made)
        }
        let named = Set(written.flatMap(\.cases).map(\.name.value))
        let failures = endpoint.outcomes.map(\.name.value) + endpoint.definition.errors.map(\.value)
        for name in failures.prefix(Self.most) {
            guard !named.contains(name), let made = input(name, nil, responses.refusal(of: endpoint, named: name))
            else {
                continue
            }
            examples.append(made)
        }
        return examples
    }

    /// Nil if it would show nothing.
    private func input(_ name: String, _ request: JSONNode?, _ response: ResponseSample.Response?) -> ExampleInput? {
        guard request != nil || response != nil else { return nil }
        return ExampleInput(
            name: name, request: request.map(Self.text), status: response?.status.map(String.init),
            response: response?.body.map(Self.text))
    }

    private static func text(_ node: JSONNode) -> String {
        Prose.bounded(String(node.lines.dropLast()), longest)
    }
}
