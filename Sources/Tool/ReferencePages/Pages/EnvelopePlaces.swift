import ContractModel

/// Says where a response has its code, its text and its data.
enum EnvelopePlaces {
    /// A sentence without its period.
    ///
    /// - Parameters:
    ///   - envelope: nil for a response without one.
    ///   - place: where the paths begin, such as `the body`.
    static func sentence(_ envelope: EnvelopeDefinition?, in place: String) -> String {
        var parts: [String] = []
        if let error = envelope?.error { parts.append("a failure has `\(error.value.text)`") }
        if let code = envelope?.code { parts.append("the code is at `\(code.value.text)`") }
        if let message = envelope?.message { parts.append("the text for people is at `\(message.value.text)`") }
        let data = envelope?.data.map { "is at `\($0.value.text)`" } ?? "is all of it"
        let last = "the data of an error or an outcome \(data)"
        return "in \(place), "
            + (parts.isEmpty ? last : "\(parts.joined(separator: ", "))\(parts.count > 1 ? "," : "") and \(last)")
    }

    /// The sentences about all envelopes of a contract.
    static func paragraphs(of contract: ResolvedContract, _ limits: PageLimits) -> [Paragraph] {
        let place = contract.connection?.payload.map { "`\($0.value)` of a reply" } ?? self.place(in: contract)
        let most = min(limits.rows, 20)
        let shown = contract.envelopes.prefix(most).map { envelope in
            Prose.sentence(sentence(envelope, in: "\(place) with the envelope `\(envelope.name.value)`"))
        }
        let left = contract.envelopes.count - most
        return left > 0
            ? shown + [Prose.sentence("the contract has \(left) more envelopes; the page of an endpoint names its own")]
            : shown
    }

    private static func place(in contract: ResolvedContract) -> String {
        contract.connection == nil ? "the body of a response" : "a reply"
    }

    /// Where the paths of an endpoint's envelope begin.
    static func place(of endpoint: ResolvedEndpoint, in contract: ResolvedContract) -> String {
        guard endpoint.frame != nil else { return "the body" }
        return contract.connection?.payload.map { "`\($0.value)` of the reply" } ?? "the reply"
    }
}
