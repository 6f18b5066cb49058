import ContractModel
import JSONTree

/// Responses of an endpoint, made from its examples and, if it has none, from its types.
package struct ResponseSample {
    /// A response, or the payload of a frame, which has no status.
    package struct Response {
        package var status: Int?
        /// Nil without a body.
        package var body: JSONNode?
    }

    private let contract: ResolvedContract
    private let maker: PayloadMaker

    /// - Parameter completesExamples: whether responses have the members that their examples lack.
    package init(_ contract: ResolvedContract, seed: UInt64 = 0, completesExamples: Bool = true) {
        self.contract = contract
        maker = PayloadMaker(contract: contract, seed: seed, completesExamples: completesExamples)
    }

    /// The response to a request that was carried out. Nil for bytes, for a stream and for a document in XML.
    package func success(of endpoint: ResolvedEndpoint, example: ExampleDefinition? = nil) -> Response? {
        if case .bytes = endpoint.response.value { return nil }
        guard !endpoint.isXMLResponse, endpoint.delivery == .reply, endpoint.method != .head else { return nil }
        let payload =
            example?.response.flatMap { maker.payload(of: endpoint, $0) } ?? maker.payload(of: endpoint)
        if endpoint.frame != nil { return payload.map { Response(status: nil, body: $0) } }
        return Self.response(ResponseComposer(endpoint, in: contract).success(payload))
    }

    /// The response that a client takes for an error or an outcome of the endpoint. Nil if no response says it.
    ///
    /// - Parameter example: the data of an example; nil for that of the first example that has it.
    package func refusal(
        of endpoint: ResolvedEndpoint, named name: String, example: ExampleValue? = nil
    ) -> Response? {
        guard endpoint.frame == nil,
            let verdict = endpoint.table.rows.map(\.verdict).first(where: { $0.name == name })
        else { return nil }
        let error = contract.error(named: name)
        let declared = error?.data ?? endpoint.outcomes.first { $0.name.value == name }?.data
        let data = maker.data(declared, named: name, of: endpoint, example: example)
        return ResponseComposer(endpoint, in: contract).refusal(
            verdict, message: error.flatMap { maker.message(of: $0, data) } ?? "A text for people.", data: data
        ).map(Self.response)
    }

    /// The frame with the reply, or with the first element of a stream, as JSON. Nil for an endpoint without one.
    package func frame(of endpoint: ResolvedEndpoint) -> JSONNode? {
        guard let connection = contract.connection, let frame = endpoint.frame, endpoint.delivery != .none else {
            return nil
        }
        let texts = FrameText(connection: connection)
        return texts.node(connection.reply(to: frame), id: texts.sampleID, payload: maker.payload(of: endpoint))
    }

    private static func response(_ response: MockResponse) -> Response {
        Response(status: response.status, body: JSONNode.parsed(response.body.bytes))
    }
}

extension ResponseSample {
    /// The inputs of an example, under their names on the wire.
    package func inputs(_ example: ExampleDefinition, of endpoint: ResolvedEndpoint) -> JSONNode? {
        example.request.map { ExampleValues(contract: contract).node($0, fields: maker.inputs(of: endpoint)) }
    }
}
