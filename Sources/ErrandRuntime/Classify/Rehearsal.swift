/// What a simulated server learns from a command: which answers its decision table tells apart, and whether an answer
/// made up for it is what it was meant to be. Asked before anything is sent; the pipeline itself does not come by.
package enum Rehearsal {
    /// What a table asks about an answer of this status, as far as it gets.
    package static func questions(
        of endpoint: EndpointDescription, status: Int, code: String, body: [UInt8]
    ) -> (verdict: Verdict, questions: AnswerQuestions) {
        let questions = AnswerQuestions()
        var answer = Answer(status: status, code: code, body: body)
        answer.questions = questions
        return (endpoint.classify(answer), questions)
    }

    /// What a table says about a whole answer, its envelope opened.
    package static func verdict(of response: TransportResponse, _ endpoint: EndpointDescription) -> Verdict {
        let parts = EnvelopeParts(of: response.body, endpoint)
        return endpoint.classify(Answer(status: response.status, code: parts.code, body: response.body))
    }

    /// What a table says about the failure of a transport.
    package static func verdict(of fault: TransportFault.Kind, _ endpoint: EndpointDescription) -> Verdict {
        endpoint.classify(Answer(transport: fault))
    }

    /// Whether an answer counts as a success, whatever its payload is.
    package static func isSuccess(_ response: TransportResponse, _ endpoint: EndpointDescription) -> Bool {
        let parts = EnvelopeParts(of: response.body, endpoint)
        return verdict(of: response, endpoint) == .unmatched
            && endpoint.envelope.succeeds(status: response.status, parts)
    }

    /// Why the payload of a success cannot be read; nil where it can.
    package static func fault<C: Command>(in response: TransportResponse, of type: C.Type) -> JSONFault? {
        var account = AttemptAccount(service: "", endpoint: "", method: .get)
        let inbox = ResponseInbox<C>()
        switch Classifier.classify(response, C.endpoint, ResponseRedactor(nil), &account, into: inbox) {
        case .success(let parts): return parts.skipped.faults.first
        case .builtIn(_, let fault): return fault ?? JSONFault(code: .noValue, byteOffset: 0)
        case .declared, .outcome: return JSONFault(code: .noValue, byteOffset: 0)
        }
    }

    /// The name of the error that an answer is taken for; nil where it is none that the contract declares.
    package static func error<C: Command>(in response: TransportResponse, of type: C.Type) -> String? {
        let faults = DataFaults()
        guard let match = match(response, type, faults), case .error(let error) = match.verdict else { return nil }
        return C.Failure.declared(error, match.match)?.context.name
    }

    /// Why the data that comes with an error or an outcome cannot be read; nil where it can, and where there is none.
    package static func dataFault<C: Command>(in response: TransportResponse, of type: C.Type) -> JSONFault? {
        let faults = DataFaults()
        guard let match = match(response, type, faults) else { return nil }
        switch match.verdict {
        case .error(let error): _ = C.Failure.declared(error, match.match)
        case .outcome(let outcome): _ = (type as? any OutcomeCommand.Type)?.anyOutcome(outcome, match.match)
        case .unmatched: break
        }
        return faults.first
    }

    private static func match<C: Command>(
        _ response: TransportResponse, _ type: C.Type, _ faults: DataFaults
    ) -> (verdict: Verdict, match: ErrorMatch)? {
        let endpoint = C.endpoint
        let verdict = verdict(of: response, endpoint)
        guard verdict != .unmatched else { return nil }
        let account = AttemptAccount(service: endpoint.service.name, endpoint: endpoint.name, method: endpoint.method)
        let parts = EnvelopeParts(of: response.body, endpoint)
        let payload = Payload(body: response.body, parts, endpoint, isSuccess: false)
        var context = FailureContext.outcome(account)
        if case .error(let error) = verdict {
            context = FailedAttempt(.declared(error, nil), endpoint, account).context(account)
        }
        return (verdict, ErrorMatch(context: context, payload: payload, faults: faults))
    }
}

/// What a decision table has asked about one answer.
package final class AnswerQuestions {
    /// One thing that a table compares.
    package enum Question: Sendable, Hashable {
        case code(String)
        /// A scalar of the body, by its path with dots.
        case text(String, at: String)
    }

    /// In the order in which they were asked.
    package private(set) var asked: [Question] = []

    func note(code: String) { note(.code(code)) }
    func note(text: String, at path: String) { note(.text(text, at: path)) }

    private func note(_ question: Question) {
        if !asked.contains(question) { asked.append(question) }
    }
}

/// Why the data of an error could not be read, which costs a client nothing but the data.
final class DataFaults: Sendable {
    private let all = LockedState<[JSONFault]> { [] }

    var first: JSONFault? { all.withLock { $0.first } }
    func note(_ fault: JSONFault) { all.withLock { $0.append(fault) } }
}
