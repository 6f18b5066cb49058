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
        for name in failures(of: endpoint, without: written).prefix(limits.examples) {
            if let made = input(name, nil, responses.refusal(of: endpoint, named: name)) { examples.append(made) }
        }
        return examples
    }

    /// How much is left out, and where it is.
    func left(of endpoint: ResolvedEndpoint, _ limits: PageLimits) -> [Paragraph] {
        let all = endpoint.definition.examples
        var sentences: [String] = []
        let examples = all.count - limits.examples
        if examples > 0 { sentences.append("the contract has \(examples) more examples of this endpoint") }
        let failures = failures(of: endpoint, without: all.prefix(limits.examples)).count - limits.examples
        if failures > 0 {
            sentences.append(
                "\(failures) more errors and outcomes have no example here; they are in the decision table above")
        }
        return sentences.map(Prose.sentence)
    }

    /// The outcomes and errors of an endpoint that its examples do not show.
    private func failures(
        of endpoint: ResolvedEndpoint, without written: ArraySlice<ExampleDefinition>
    ) -> [String] {
        let named = Set(written.flatMap(\.cases).map(\.name.value))
        return (endpoint.outcomes.map(\.name.value) + endpoint.definition.errors.map(\.value)).filter {
            !named.contains($0)
        }
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
