/// The meaning of an attempt's result.
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

/// Classifies a response: by the transport, then by the contract's table, then by the built-in errors. The payload is read
/// last. The account takes what each step learns.
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
    ///   - redactor: removes secrets from the kept parts of the response.
    ///   - isElement: whether the response is one element of a stream, which is read like a whole response.
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
        reply.message = parts.message.flatMap(redactor.message)
        reply.code = parts.code.isEmpty ? nil : redactor.code(parts.code)
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
        let result = read(response, parts, reply, endpoint, redactor, &account, isElement: isElement, into: receiver)
        if case .builtIn = result { account.saysCarriedOut = saysCarriedOut(response, parts, endpoint, isElement) }
        return result
    }

    /// Whether a response with a success status says that the command was carried out, although its payload cannot be read: the
    /// envelope's condition of a success holds, or the body is JSON where JSON is declared. A page of another server that sits in
    /// between, or a body that was cut, says nothing.
    @inline(never)
    private static func saysCarriedOut(
        _ response: TransportResponse, _ parts: EnvelopeParts, _ endpoint: EndpointDescription, _ isElement: Bool
    ) -> Bool {
        guard parts.fault == nil, !response.body.isEmpty else { return false }
        switch (endpoint.envelope.success, isElement ? .json : endpoint.response) {
        case (.withoutError, _), (.codes, _), (.codesWithoutError, _): return true
        case (.status, .json): break
        case (.status, .bytes), (.status, .stream), (.status, .none): return false
        }
        let whole: Void? = try? JSON.scan(response.body) { reader in reader.skipValue() }
        return whole != nil
    }

    /// Reads the payload of a success.
    private static func read(
        _ response: TransportResponse, _ parts: EnvelopeParts, _ reply: ReplyParts, _ endpoint: EndpointDescription,
        _ redactor: ResponseRedactor, _ account: inout AttemptAccount, isElement: Bool,
        into receiver: any ResponseReceiver
    ) -> Classification {
        switch isElement ? .json : endpoint.response {
        // The server's response has another form than the requested one.
        case .stream: return .builtIn(.malformed, parts.fault)
        case .bytes:
            if let rule = endpoint.checksum, let problem = problem(of: response, rule) {
                account.underlying = problem
                return .builtIn(.malformed, nil)
            }
            return receiver.load(bytes: response.body) ? .success(reply) : .builtIn(.malformed, nil)
        case .none: return load(Payload.nothing, reply, redactor, into: receiver)
        case .json:
            // A response that isn't JSON at all is a more useful fact than the expected type of its first value. (An empty
            // response can be correct if the response is optional.)
            if let fault = parts.fault, !response.body.isEmpty { return .builtIn(.malformed, fault) }
            if parts.isLoaded {
                var reply = reply
                reply.skipped = redactor.skipped(parts.skipped)
                return .success(reply)
            }
            let payload = Payload(body: response.body, parts, endpoint, isSuccess: true)
            return load(payload, reply, redactor, into: receiver)
        }
    }

    /// What is wrong with the bytes of a response, by the checksum that it states.
    @inline(never)
    private static func problem(of response: TransportResponse, _ rule: ChecksumRule) -> DownloadProblem? {
        guard let checksum = rule.checksum(in: response.headers) else { return .noDigest }
        return checksum.isRight(for: response.body) ? nil : .wrongDigest
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

    /// The built-in error for a response that isn't a success and matches no row of the contract.
    private static func builtIn(
        status: Int, _ endpoint: EndpointDescription, _ parts: EnvelopeParts
    ) -> CommandFault.Kind {
        CommandFault.Kind(
            status: status, usesSession: endpoint.session != .none,
            saysFailure: parts.fault == nil && (parts.hasError || !parts.code.isEmpty))
    }
}
