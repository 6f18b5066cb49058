/// What an attempt amounts to.
enum Classification {
    /// A success whose payload was read.
    case success(ReplyParts)
    /// An outcome that was read.
    case outcome(ReplyParts)
    /// A declared error, by the row of the table that matched, and where its data would be.
    case declared(DecisionRow, Payload?)
    /// A built-in error.
    case builtIn(CommandFault.Kind, JSONFault?)
}

/// Classification: transport, then the contract's table, then the built-in errors; the payload is read
/// last. What was learned on the way goes into the account.
package enum Classifier {
    static func classify(
        fault: TransportFault, _ endpoint: EndpointDescription, _ account: inout AttemptAccount
    ) -> Classification {
        account.evidence = fault.evidence
        account.forgetResponse()
        account.underlying = fault
        if fault.kind != .cancelled, let row = endpoint.table.row(transport: fault.kind), case .error = row.verdict {
            return .declared(row, nil)
        }
        return .builtIn(fault.builtIn, nil)
    }

    /// - Parameters:
    ///   - redactor: takes out of what is kept of the response what must not be printed.
    ///   - isElement: whether it is one element of a stream, read as a whole answer is.
    static func classify(
        _ response: TransportResponse, _ endpoint: EndpointDescription, _ redactor: ResponseRedactor,
        _ account: inout AttemptAccount, isElement: Bool = false, into receiver: any ResponseReceiver
    ) -> Classification {
        account.forgetResponse()
        switch classify(answered: response, endpoint, redactor, &account, isElement: isElement, into: receiver) {
        case .declared(let error, let payload):
            account.keep(response, endpoint.service, redactor)
            return .declared(error, payload)
        case .builtIn(let kind, let fault):
            account.keep(response, endpoint.service, redactor)
            return .builtIn(kind, fault.map(redactor.fault))
        case let success: return success
        }
    }

    private static func classify(
        answered response: TransportResponse, _ endpoint: EndpointDescription, _ redactor: ResponseRedactor,
        _ account: inout AttemptAccount, isElement: Bool, into receiver: any ResponseReceiver
    ) -> Classification {
        if !isElement, endpoint.isStreamed(by: response) {
            account.evidence = .responded
            account.status = response.status
            let isTaken = receiver.take(stream: response)
            return isTaken
                ? .success(ReplyParts(status: response.status, headers: response.headers)) : .builtIn(.malformed, nil)
        }
        let mayBeSuccess = (200..<300).contains(response.status)
        let parts = EnvelopeParts(of: response.body, endpoint, into: mayBeSuccess ? receiver : nil)
        var reply = ReplyParts(status: response.status, headers: response.headers)
        reply.message = parts.message.map(redactor.text)
        reply.code = parts.code.isEmpty ? nil : redactor.text(parts.code)
        account.evidence = .responded
        account.status = response.status
        account.code = reply.code
        account.serverMessage = reply.message

        if let row = endpoint.table.row(status: response.status, code: parts.code, body: response.body) {
            let payload = Payload(body: response.body, parts, endpoint, isSuccess: false)
            guard case .outcome(let outcome) = row.verdict else { return .declared(row, payload) }
            let match = ErrorMatch(context: FailureContext.outcome(account), payload: payload)
            guard receiver.take(outcome: outcome, match) else { return .builtIn(.malformed, nil) }
            reply.isOutcome = true
            return .outcome(reply)
        }

        guard endpoint.envelope.succeeds(status: response.status, parts) else {
            // For a refusal or an outage, it does not matter that its page is not JSON.
            let kind = builtIn(status: response.status, endpoint, parts)
            return .builtIn(kind, (200..<300).contains(response.status) ? parts.fault : nil)
        }
        // From here on, a failure is that the payload cannot be read. The text of a success does not tell that.
        account.serverMessage = nil
        switch isElement ? .json : endpoint.response {
        // It answered with something else than what it is asked for.
        case .stream: return .builtIn(.malformed, parts.fault)
        case .bytes:
            return receiver.load(bytes: response.body) ? .success(reply) : .builtIn(.malformed, nil)
        case .none: return load(Payload.nothing, reply, redactor, into: receiver)
        case .json:
            // That it isn't JSON at all says more than what its first value should have been. (Nothing at
            // all may be right, where the response is optional.)
            if let fault = parts.fault, !response.body.isEmpty { return .builtIn(.malformed, fault) }
            if parts.isLoaded {
                reply.skipped = redactor.skipped(parts.skipped)
                return .success(reply)
            }
            let payload = Payload(body: response.body, parts, endpoint, isSuccess: true)
            return load(payload, reply, redactor, into: receiver)
        }
    }

    private static func load(
        _ payload: Payload, _ reply: ReplyParts, _ redactor: ResponseRedactor, into receiver: any ResponseReceiver
    ) -> Classification {
        do throws(JSONFault) {
            var reply = reply
            reply.skipped = redactor.skipped(try receiver.load(payload))
            return .success(reply)
        } catch {
            return .builtIn(.malformed, error)
        }
    }

    /// The built-in error for an answer that isn't a success and that no row of the contract names.
    private static func builtIn(
        status: Int, _ endpoint: EndpointDescription, _ parts: EnvelopeParts
    ) -> CommandFault.Kind {
        switch status {
        case 401: endpoint.session == .none ? .rejected : .unauthenticated
        case 408: .requestTimeout
        case 429: .throttled
        case 502, 503, 504: .unavailable
        case 500...: .serverFault
        case 400..<500: .rejected
        // An envelope that could not be read says nothing, so it does not say that it failed. One without code and error says
        // neither that it failed nor that it succeeded.
        case 200..<300: parts.fault == nil && (parts.hasError || !parts.code.isEmpty) ? .rejected : .malformed
        default: .malformed
        }
    }
}
