/// The error that an attempt was classified as.
enum ClassifiedError: Error {
    /// A declared error, by the row of the table that matched, and where its data would be.
    case declared(DecisionRow, Payload?)
    /// A built-in error.
    case builtIn(CommandFault.Kind, JSONError?)
}

/// A response that the contract calls a success or an outcome. Its payload is not read yet.
struct ClassifiedSuccess {
    /// Where the payload is.
    enum Content {
        /// In the declared headers.
        case headers
        /// In the JSON of the body, or nowhere if the envelope lacks it.
        case json
        /// The contract declares none.
        case none
        case unparsed(UnparsedResponse)
    }

    var content: Content
    var reply: ReplyParts
    var envelope = EnvelopeParts()
}

/// Classifies a response: by the transport, then by the contract's table, then by the built-in errors. The payload is read
/// last. The summary takes what each step learns.
package enum Classifier {
    static func classify(
        fault: TransportFault, _ endpoint: EndpointDescription, _ summary: inout AttemptSummary
    ) -> ClassifiedError {
        summary.evidence = fault.evidence
        summary.forgetResponse()
        summary.underlying = fault
        if let row = row(for: fault, endpoint), case .error = row.verdict { return .declared(row, nil) }
        return .builtIn(fault.builtIn, nil)
    }

    /// The row that names a fault.
    @inline(never)
    private static func row(for fault: TransportFault, _ endpoint: EndpointDescription) -> DecisionRow? {
        if fault.kind == .cancelled { return nil }
        guard let end = fault.connection else { return endpoint.table.row(transport: fault.kind) }
        if let name = end.declared { return .error(name, applied: .never) }
        guard let code = end.code else { return end.isLoss ? endpoint.table.row(transport: fault.kind) : nil }
        return endpoint.table.row(close: code) ?? code.transport.flatMap { endpoint.table.row(transport: $0) }
    }

    /// Classifies a response, and reads its payload into a value of its type.
    ///
    /// - Parameters:
    ///   - redactor: removes secrets from the kept parts of the response.
    @inline(never)
    static func read<Reader: ResponseReader>(
        _ response: TransportResponse, _ endpoint: EndpointDescription, _ redactor: ResponseRedactor,
        _ summary: inout AttemptSummary, with reader: Reader
    ) throws(ClassifiedError) -> Reply<Reader.Response> {
        // Asked before anything of the command's type is made, because most responses have no such payload.
        let early = endpoint.hasEarlyPayload(in: response) ? EarlyResponse(reader) : nil
        let success = try classify(response, endpoint, redactor, &summary, early: early)
        return try read(success, of: response, endpoint, redactor, &summary, early: early, with: reader)
    }

    /// Reads the success of a command that was done already.
    ///
    /// - Parameter hasPayload: whether the body of the error is that of the success. Otherwise there is no payload, whatever it has.
    static func readDoneAlready<Reader: ResponseReader>(
        _ response: TransportResponse, _ endpoint: EndpointDescription, _ redactor: ResponseRedactor,
        _ summary: inout AttemptSummary, hasPayload: Bool, with reader: Reader
    ) throws(ClassifiedError) -> Reply<Reader.Response> {
        let reply = ReplyParts(
            message: summary.serverMessage, code: summary.code, status: response.status, headers: response.headers)
        var success = ClassifiedSuccess(content: .none, reply: reply)
        if hasPayload {
            success.content = endpoint.response == .headers ? .headers : .json
            success.envelope = EnvelopeParts(of: response, endpoint, early: nil)
        }
        return try read(success, of: response, endpoint, redactor, &summary, early: nil, with: reader)
    }

    /// Reads the payload of a success and its declared headers.
    static func read<Reader: ResponseReader>(
        _ success: ClassifiedSuccess, of response: TransportResponse, _ endpoint: EndpointDescription,
        _ redactor: ResponseRedactor, _ summary: inout AttemptSummary, early: EarlyResponse<Reader>?,
        with reader: Reader
    ) throws(ClassifiedError) -> Reply<Reader.Response> {
        let (value, left) = try readPayload(
            of: success, response, endpoint, redactor, &summary, early: early, with: reader)
        guard !endpoint.headers.isEmpty, endpoint.response != .headers, !summary.isOutcome else {
            return Reply(value: value, success.reply, redactor.skipped(left))
        }
        do throws(JSONError) {
            let (headers, others) = try HeaderDocument.read(response.headers, endpoint, reader.loadHeaders)
            var skipped = left
            skipped.add(others)
            return Reply(value: value, success.reply, redactor.skipped(skipped), headers)
        } catch {
            throw unreadable(error, success.envelope, of: response, endpoint: endpoint, redactor, &summary)
        }
    }

    /// Reads the payload of a success, unless it was read on the way.
    private static func readPayload<Reader: ResponseReader>(
        of success: ClassifiedSuccess, _ response: TransportResponse, _ endpoint: EndpointDescription,
        _ redactor: ResponseRedactor, _ summary: inout AttemptSummary, early: EarlyResponse<Reader>?,
        with reader: Reader
    ) throws(ClassifiedError) -> (value: Reader.Response, skipped: SkippedElements) {
        let payload: Payload
        switch success.content {
        case .json:
            if let value = early?.response { return (value, success.envelope.skipped) }
            payload = Payload(body: response.body, success.envelope, endpoint, isSuccess: true)
        case .none: payload = Payload.nothing
        case .headers:
            do throws(JSONError) {
                return try HeaderDocument.read(response.headers, endpoint, reader.load(from:))
            } catch {
                throw unreadable(
                    error, success.envelope, of: response, endpoint: endpoint, redactor, &summary)
            }
        case .unparsed(let content):
            guard let value = reader.take(content) else {
                if summary.isOutcome {
                    summary.keep(response, endpoint.service, redactor)
                    throw .builtIn(.malformed, nil)
                }
                throw unreadable(nil, success.envelope, of: response, endpoint: endpoint, redactor, &summary)
            }
            if case .outcome(_, let match) = content, let faults = match.faults { return (value, faults.skipped) }
            return (value, SkippedElements())
        }
        do throws(JSONError) {
            let (value, skipped) = try payload.scan(reader.load(from:))
            if case .missing = payload.place { reader.noteMissingPayload() }
            return (value, skipped)
        } catch {
            throw unreadable(error, success.envelope, of: response, endpoint: endpoint, redactor, &summary)
        }
    }

    /// Classifies a response up to its payload. Nothing of this depends on the command's type.
    ///
    /// - Parameter early: takes the payload of what may be a success; nil to read it later or never.
    @inline(never)
    static func classify(
        _ response: TransportResponse, _ endpoint: EndpointDescription, _ redactor: ResponseRedactor,
        _ summary: inout AttemptSummary, isElement: Bool = false, early: (any EarlyPayload)? = nil
    ) throws(ClassifiedError) -> ClassifiedSuccess {
        summary.forgetResponse()
        // The command was not sent if the server has refused the connection.
        summary.evidence = response.frame == .handshake ? .notSent : .responded
        summary.status = response.status
        if response.frame == .written {
            return ClassifiedSuccess(
                content: .none, reply: ReplyParts(status: response.status, headers: response.headers))
        }
        var reply = ReplyParts(status: response.status, headers: response.headers)
        if !isElement, endpoint.isStreamed(by: response) {
            return ClassifiedSuccess(content: .unparsed(.stream(response)), reply: reply)
        }
        let parts = EnvelopeParts(of: response, endpoint, early: early)
        reply.message = parts.message.flatMap(redactor.message)
        reply.code = parts.code.isEmpty ? nil : redactor.code(parts.code)
        summary.code = reply.code
        summary.serverMessage = reply.message

        if let row = endpoint.table.row(for: response, code: parts.code) {
            let payload = Payload(of: response, parts, row, endpoint)
            guard case .outcome(let outcome) = row.verdict else {
                summary.noteAuthor(of: response)
                summary.keep(response, endpoint.service, redactor)
                summary.keepShownData(of: row.verdict, payload, endpoint.service, redactor)
                throw .declared(row, payload)
            }
            let match = ErrorMatch(
                context: FailureContext.outcome(summary), payload: payload, faults: DataFaults())
            summary.isOutcome = true
            return ClassifiedSuccess(content: .unparsed(.outcome(outcome, match)), reply: reply, envelope: parts)
        }

        guard response.frame != .failure, endpoint.envelope.succeeds(status: response.status, parts) else {
            summary.noteAuthor(of: response)
            summary.hasServiceForm = endpoint.envelope.tellsFailures(in: response, parts)
            summary.keep(response, endpoint.service, redactor)
            // For a refusal or an outage, it does not matter that its page is not JSON.
            let fault = (200..<300).contains(response.status) ? parts.fault : nil
            if response.frame == .failure { throw .builtIn(.rejected, nil) }
            throw .builtIn(builtIn(status: response.status, endpoint, parts), fault.map(redactor.fault))
        }
        // From here on, a failure is that the payload cannot be read. The text of a success does not tell that.
        summary.serverMessage = nil
        let content: ClassifiedSuccess.Content
        switch isElement ? .json : endpoint.response {
        case .none: content = .none
        case .headers: content = .headers
        case .bytes:
            if let rule = endpoint.checksum, let problem = problem(of: response, rule) {
                summary.underlying = problem
                throw unreadable(nil, parts, of: response, endpoint: endpoint, redactor, &summary, isElement: isElement)
            }
            content = .unparsed(.bytes(response.body))
        case .json:
            // A response that isn't JSON at all is a more useful fact than the expected type of its first value. (An empty
            // response can be correct if the response is optional.)
            if let fault = parts.fault, !response.body.isEmpty {
                throw unreadable(
                    fault, parts, of: response, endpoint: endpoint, redactor, &summary, isElement: isElement)
            }
            content = .json
        // The server's response has another form than the requested one.
        case .stream:
            throw unreadable(
                parts.fault, parts, of: response, endpoint: endpoint, redactor, &summary, isElement: isElement)
        }
        return ClassifiedSuccess(content: content, reply: reply, envelope: parts)
    }

    /// The error for a success whose payload cannot be read.
    @inline(never)
    static func unreadable(
        _ fault: JSONError?, _ parts: EnvelopeParts, of response: TransportResponse, endpoint: EndpointDescription,
        _ redactor: ResponseRedactor, _ summary: inout AttemptSummary, isElement: Bool = false
    ) -> ClassifiedError {
        if let (error, rest) = NonFiniteNumberError.find(in: response.body) {
            var readable = response
            readable.body = rest
            let parts = EnvelopeParts(of: readable, endpoint, early: nil)
            summary.saysCarriedOut = saysCarriedOut(readable, parts, endpoint, isElement)
            summary.underlying = summary.underlying ?? error
        } else {
            summary.saysCarriedOut = saysCarriedOut(response, parts, endpoint, isElement)
        }
        summary.keep(response, endpoint.service, redactor)
        return .builtIn(.malformed, fault.map(redactor.fault))
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
        case (.status, .bytes), (.status, .stream), (.status, .headers), (.status, .none): return false
        }
        let whole: Void? = try? JSON.scan(response.body) { reader in reader.skipValue() }
        return whole != nil
    }

    /// What is wrong with the bytes of a response, by the checksum that it states.
    @inline(never)
    private static func problem(of response: TransportResponse, _ rule: ChecksumRule) -> DownloadError? {
        guard let checksum = rule.checksum(in: response.headers) else { return .noDigest }
        return checksum.isRight(for: response.body) ? nil : .wrongDigest
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
