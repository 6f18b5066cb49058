/// A response that no attempt has brought: that of a stub, or of the read that confirms.
final class FoundResponse {
    let reply: Reply<any Sendable>
    /// How the command ends if the response isn't of its type; nil if it goes on.
    let otherwise: CommandRun.Ending?

    init(_ reply: Reply<any Sendable>, otherwise: CommandRun.Ending? = nil) {
        self.reply = reply
        self.otherwise = otherwise
    }
}

extension CommandRun {
    /// Carries the command on until it has its response, as a value of its type, or ends without one.
    ///
    /// This is the only place where a command's types meet the pipeline. The Swift runtime looks up a generic type each time that
    /// it is used, so this function uses as few as possible. It is always inlined: a function of its own would reserve room for
    /// the response a second time, for as long as the command waits.
    @inline(__always)
    func respond<Reader: ResponseReader>(with reader: Reader) async throws(Ending) -> Reply<Reader.Response> {
        while true {
            switch await next() {
            case .response(let received):
                do throws(UnreadResponse) { return try read(received, with: reader) } catch {}
            case .found(let found):
                do throws(UnreadResponse) { return try take(found) } catch {
                    if let ending = found.otherwise { throw ending }
                    goOn(unconfirmed: .failed(attempts: 0))
                }
            case .ended(let ending): throw ending
            }
        }
    }

    /// Classifies a response, and reads it into a value of its type.
    ///
    /// - Throws: if it is a failure, which the state knows then.
    @inline(never)
    private func read<Reader: ResponseReader>(
        _ received: ReceivedResponse, with reader: Reader
    ) throws(UnreadResponse) -> Reply<Reader.Response> {
        var reply: Reply<Reader.Response>
        let response = received.response.translated(for: endpoint)
        do throws(ClassifiedError) {
            reply = try Classifier.read(
                response, endpoint, received.redactor, &state.summary, with: reader)
        } catch {
            fail(received, as: error, endsList: role.isPage && reader.isPastTheEnd(received.response.status))
            guard let done = state.doneAlready else { throw UnreadResponse() }
            return try read(response, received, doneAlready: done, with: reader)
        }
        if role.isPage,
            let problem = reader.problem(of: reply.value, in: response, from: received.url, membership)
        {
            fail(received, with: problem)
            throw UnreadResponse()
        }
        // An outbox would forget a command of which only the portal of a network knows.
        if role.isRecorded, endpoint.response == .none || endpoint.response == .headers, response.isWebPage {
            fail(received, as: .builtIn(.malformed, nil))
            throw UnreadResponse()
        }
        let opened = endpoint.stream == nil ? nil : reply.value as? OpenedStream
        guard succeed(received, opened) else { throw UnreadResponse() }
        if received.response.headers["Link"] != nil { reply.locate(at: received.url) }
        if let hit { reply.note(hit) }
        return reply
    }

    /// Makes the reply of a command that was done already: of the payload that the error brings, or of the contract's value for a missing
    /// one.
    @inline(never)
    private func read<Reader: ResponseReader>(
        _ response: TransportResponse, _ received: ReceivedResponse, doneAlready error: DeclaredName,
        with reader: Reader
    ) throws(UnreadResponse) -> Reply<Reader.Response> {
        let hasPayload = endpoint.service.errors.first { $0.declaredName == error }?.settles == .payload
        do throws(ClassifiedError) {
            let reply = try Classifier.readDoneAlready(
                response, endpoint, received.redactor, &state.summary, hasPayload: hasPayload, with: reader)
            noteSuccess()
            return reply
        } catch {
            state.doneAlready = nil
            // The error has said so, whatever its body is.
            if hasPayload { state.summary.saysCarriedOut = true }
            fail(FailedAttempt(error, endpoint, state.summary))
            throw UnreadResponse()
        }
    }

    /// Notes a success.
    ///
    /// - Parameter opened: a response that is still arriving. It keeps its place at the host, because its connection is in use.
    /// - Returns: false if the command ends all the same.
    @inline(never)
    private func succeed(_ received: ReceivedResponse, _ opened: OpenedStream?) -> Bool {
        if received.isFromCache { return succeedFromCache() }
        if DeveloperNotice.isEnabled { note(status: received.response.status) }
        for stage in stages { stage.keep(received) }
        observe(.success(received.sent), received.request, received.observed, nil)
        if let failure = endAttempt() {
            settle(failure)
            return false
        }
        if let opened, let host = state.host, !hasNoPlace {
            opened.hold(ConnectionPermit(host, limiter))
        } else {
            leaveHost()
        }
        endTurn()
        state.handle(.responded)
        reportConnectivity()
        noteSuccess()
        // An open stream has not succeeded yet.
        if opened == nil { deposit() }
        return true
    }

    /// Tells the developer of a success with another status than the contract says. A 206 is the rest of what a download already has.
    private func note(status: Int) {
        guard let usual = endpoint.status, status != usual, status != 206, !state.summary.isOutcome else { return }
        let name = "\(endpoint.service.name).\(endpoint.name)"
        DeveloperNotice.say(
            "status \(name)",
            """
            `\(name)` has succeeded with HTTP \(status), but the contract says `status: \(usual)`. If the service is right, correct the \
            contract, by which its documentation, its mock and other clients go.
            """)
    }

    /// Notes a success for which nothing was sent. It shows nothing about the host, and takes nothing from its budget.
    @inline(never)
    private func succeedFromCache() -> Bool {
        payBack()
        state.handle(.responded)
        reportConnectivity()
        return true
    }

    /// Notes a response that is a failure.
    @inline(never)
    private func fail(_ received: ReceivedResponse, as error: ClassifiedError, endsList: Bool = false) {
        state.summary.retryAfter = RequestedPause.duration(
            status: received.response.status, received.response.headers, endpoint.service.rateLimit,
            now: environment.wallTime)
        if role.isRenewal, let refusal = TokenEndpointError(in: received.response) {
            state.summary.underlying = refusal
        }
        let failure = FailedAttempt(error, endpoint, state.summary)
        fail(received, endsList ? failure.endingList() : failure)
    }

    /// Notes a page that cannot be used, although it was read.
    @inline(never)
    private func fail(_ received: ReceivedResponse, with problem: PageError) {
        state.summary.underlying = problem
        state.summary.saysCarriedOut = true
        fail(received, FailedAttempt(.builtIn(.malformed, nil), endpoint, state.summary))
    }

    private func fail(_ received: ReceivedResponse, _ failure: FailedAttempt) {
        for stage in stages { stage.refuse(received) }
        observe(.success(received.sent), received.request, received.observed, failure)
        settle(failure)
    }

    /// Takes a response that was found in another way.
    ///
    /// - Throws: if it is of another type.
    private func take<Response: Sendable>(_ found: FoundResponse) throws(UnreadResponse) -> Reply<Response> {
        guard let value = found.reply.value as? Response else { throw UnreadResponse() }
        state.handle(.responded)
        return found.reply.replacing(value: value)
    }
}

/// A response that did not become the command's. The loop goes on.
private struct UnreadResponse: Error {}
