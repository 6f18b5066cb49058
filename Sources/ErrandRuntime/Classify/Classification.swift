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
        account.underlying = fault
        if fault.kind != .cancelled, let row = endpoint.table.row(transport: fault.kind), case .error = row.verdict {
            return .declared(row, nil)
        }
        return .builtIn(fault.builtIn, nil)
    }

    static func classify(
        _ response: TransportResponse, _ endpoint: EndpointDescription, blank: (String) -> String,
        _ account: inout AttemptAccount, into receiver: any ResponseReceiver
    ) -> Classification {
        let mayBeSuccess = (200..<300).contains(response.status)
        let parts = EnvelopeParts(of: response.body, endpoint, into: mayBeSuccess ? receiver : nil)
        var reply = ReplyParts(status: response.status, headers: response.headers)
        reply.message = parts.message.map(blank)
        reply.code = parts.code.isEmpty ? nil : blank(parts.code)
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
            // Of a refusal or an outage nobody wants to hear that its page is no JSON.
            let kind = builtIn(status: response.status, endpoint, parts)
            return .builtIn(kind, (200..<300).contains(response.status) ? parts.fault : nil)
        }
        switch endpoint.response {
        case .bytes:
            return receiver.load(bytes: response.body) ? .success(reply) : .builtIn(.malformed, nil)
        case .none: return load(Payload.nothing, reply, into: receiver)
        case .json:
            // That it is no JSON at all says more than what its first value should have been. (Nothing at
            // all may be right, where the response is optional.)
            if let fault = parts.fault, !response.body.isEmpty { return .builtIn(.malformed, fault) }
            if parts.isLoaded {
                reply.skipped = parts.skipped
                return .success(reply)
            }
            let payload = Payload(body: response.body, parts, endpoint, isSuccess: true)
            return load(payload, reply, into: receiver)
        }
    }

    private static func load(
        _ payload: Payload, _ reply: ReplyParts, into receiver: any ResponseReceiver
    ) -> Classification {
        do throws(JSONFault) {
            var reply = reply
            reply.skipped = try receiver.load(payload)
            return .success(reply)
        } catch {
            return .builtIn(.malformed, error)
        }
    }

    /// The built-in error for an answer that is no success and that no row of the contract names.
    private static func builtIn(
        status: Int, _ endpoint: EndpointDescription, _ parts: EnvelopeParts
    ) -> CommandFault.Kind {
        switch status {
        case 401: endpoint.session == .none ? .rejected : .unauthenticated
        case 429: .throttled
        case 502, 503, 504: .unavailable
        case 500...: .serverFault
        case 400..<500: .rejected
        // An envelope that could not be read says nothing, so it does not say that it failed.
        case 200..<300: parts.fault == nil ? .rejected : .malformed
        default: .malformed
        }
    }
}
