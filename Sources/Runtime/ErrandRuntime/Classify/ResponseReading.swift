/// Classifies a response without a command that is under way. A simulated server uses this to check that clients understand a
/// response that it made up.
extension Classifier {
    /// The row of the endpoint's table that a whole response matches, its envelope opened.
    package static func row(for response: TransportResponse, _ endpoint: EndpointDescription) -> DecisionRow? {
        let parts = EnvelopeParts(of: response.body, endpoint)
        return endpoint.table.row(for: response, code: parts.code)
    }

    /// The row of the endpoint's table that a failure of the transport matches.
    package static func row(for fault: TransportFault.Kind, _ endpoint: EndpointDescription) -> DecisionRow? {
        endpoint.table.row(transport: fault)
    }

    /// What a client concludes from a failed response about whether its request was carried out.
    package static func applied(in response: TransportResponse, _ endpoint: EndpointDescription) -> Applied {
        if let row = row(for: response, endpoint) { return row.applied(status: response.status, to: endpoint.request) }
        let kind = kind(of: response, endpoint)
        return kind.applied(
            inResponse: response.status, to: endpoint.request,
            declared: endpoint.service.redeclaration(of: kind)?.applied, saysCarriedOut: false)
    }

    /// What the contract itself says of a failed response about whether its request was carried out; nil if it leaves that to clients.
    package static func declaredApplied(in response: TransportResponse, _ endpoint: EndpointDescription) -> Applied? {
        if let row = row(for: response, endpoint) { return row.appliedRule.declared }
        return endpoint.service.redeclaration(of: kind(of: response, endpoint))?.applied
    }

    private static func kind(of response: TransportResponse, _ endpoint: EndpointDescription) -> CommandFault.Kind {
        CommandFault.Kind(status: response.status, usesSession: endpoint.session != .none, saysFailure: false)
    }

    /// Whether a response counts as a success, regardless of its payload.
    package static func isSuccess(_ response: TransportResponse, _ endpoint: EndpointDescription) -> Bool {
        let parts = EnvelopeParts(of: response.body, endpoint)
        return endpoint.table.row(for: response, code: parts.code) == nil
            && endpoint.envelope.succeeds(status: response.status, parts)
    }

    /// Why the payload of a success cannot be read; nil if it can.
    package static func fault<C: Command>(in response: TransportResponse, of type: C.Type) -> JSONError? {
        var summary = AttemptSummary(service: "", endpoint: "", method: .get)
        return switch result(of: response, type, &summary) {
        case .success(let reply) where !summary.isOutcome: reply.skipped.first
        case .failure(.builtIn(_, let fault)): fault ?? JSONError(code: .noValue, byteOffset: 0)
        case .success, .failure(.declared): JSONError(code: .noValue, byteOffset: 0)
        }
    }

    /// The built-in error that a response is taken for; nil if it isn't one.
    package static func builtIn<C: Command>(in response: TransportResponse, of type: C.Type) -> CommandFault.Kind? {
        var summary = AttemptSummary(service: "", endpoint: "", method: .get)
        guard case .failure(.builtIn(let kind, _)) = result(of: response, type, &summary) else { return nil }
        return kind
    }

    private static func result<C: Command>(
        of response: TransportResponse, _ type: C.Type, _ summary: inout AttemptSummary
    ) -> Result<Reply<C.Response>, ClassifiedError> {
        do throws(ClassifiedError) {
            return .success(
                try read(response, C.endpoint, ResponseRedactor(nil), &summary, with: CommandReader<C>()))
        } catch {
            return .failure(error)
        }
    }

    /// The name of the error that a response is taken for; nil if the contract doesn't declare it.
    package static func error<C: Command>(in response: TransportResponse, of type: C.Type) -> String? {
        guard let (row, match) = match(response, type, DataFaults()), case .error(let error) = row.verdict else {
            return nil
        }
        return C.Failure(declared: error, match)?.context.name
    }

    /// Why the data that comes with an error or an outcome cannot be read; nil if it can, and without data.
    package static func dataFault<C: Command>(in response: TransportResponse, of type: C.Type) -> JSONError? {
        let faults = DataFaults()
        guard let (row, match) = match(response, type, faults) else { return nil }
        switch row.verdict {
        case .error(let error): _ = C.Failure(declared: error, match)
        case .outcome(let outcome): _ = (type as? any OutcomeCommand.Type)?.anyOutcome(outcome, match)
        }
        return faults.first
    }

    private static func match<C: Command>(
        _ response: TransportResponse, _ type: C.Type, _ faults: DataFaults
    ) -> (row: DecisionRow, match: ErrorMatch)? {
        let endpoint = C.endpoint
        guard let row = row(for: response, endpoint) else { return nil }
        let summary = AttemptSummary(service: endpoint.service.name, endpoint: endpoint.name, method: endpoint.method)
        let parts = EnvelopeParts(of: response.body, endpoint)
        let payload = Payload(body: response.body, parts, endpoint, isSuccess: false)
        var context = FailureContext.outcome(summary)
        if case .error = row.verdict {
            context = FailedAttempt(.declared(row, nil), endpoint, summary).context(summary)
        }
        return (row, ErrorMatch(context: context, payload: payload, faults: faults))
    }
}
