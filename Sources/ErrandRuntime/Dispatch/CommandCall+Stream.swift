extension CommandCall {
    /// Opens a stream, as every command is carried out.
    func run(_ progress: CallProgress, into receiver: any ResponseReceiver) async -> Ending {
        let broken = check()
        guard let server = route.server, broken.isEmpty else {
            return await runWithoutServer(broken, progress, into: receiver)
        }
        return await carryOut(server, progress, into: receiver)
    }

    /// Opens a stream that has ended once more.
    func carryOutAgain(_ progress: CallProgress, into receiver: any ResponseReceiver) async -> Ending {
        guard let server = route.server else { return await runWithoutServer([], progress, into: receiver) }
        return await carryOut(server, progress, into: receiver)
    }

    /// Continues after an open stream has failed. The stream is opened again if that is decided, as for every failed attempt, and
    /// if the server can continue after the last element.
    func carryOn(
        after failure: FailedAttempt, _ reading: StreamReading, _ progress: CallProgress,
        into receiver: any ResponseReceiver
    ) async -> Ending {
        reading.close()
        note(reading, progress)
        guard let server = route.server else { return failure.ending(progress.account) }
        if let ending = await proceed(after: failure, server, progress, into: receiver) { return ending }
        return await carryOut(server, progress, into: receiver)
    }

    /// Continues a download after a response that brought a legal part of the requested bytes (RFC 9110 section 15.3.7). The
    /// response isn't a failure, so it costs no attempt.
    func carryOn(
        afterPart reading: StreamReading, _ progress: CallProgress, into receiver: any ResponseReceiver
    ) async -> Ending {
        reading.close()
        note(reading, progress)
        progress.attempts -= 1
        return await carryOutAgain(progress, into: receiver)
    }

    /// Notes what an open stream came to, for the decision on what comes next.
    @inline(never)
    private func note(_ reading: StreamReading, _ progress: CallProgress) {
        if reading.hasDelivered {
            progress.hasDelivered = true
            progress.lastEventID = reading.lastID
        }
        let canGoOn =
            switch reading.description.reopening {
            case .never: false
            case .resume: !progress.hasDelivered || progress.lastEventID != nil
            case .always: true
            }
        if !canGoOn { progress.isBodySpent = true }
        progress.reopeningPause = reading.retry ?? progress.reopeningPause
        progress.account.retryAfter = progress.reopeningPause
        let now = environment.time.now
        if let host = progress.host { route.dispatcher.budget.deposit(for: host, count: reading.minutes(at: now)) }
        guard reading.isProven(at: now) else { return }
        // The response was opened successfully, so the next attempt counts as the first repetition.
        if progress.attempts > 1, let host = progress.host { route.dispatcher.budget.restore(for: host) }
        progress.spent = .zero
        progress.attempts = 1
        progress.renewals = 0
        progress.losses = 0
        progress.withdrawals = 0
    }

    /// Reads on, until another element arrives or the response has ended.
    func read(_ reading: StreamReading, _ progress: CallProgress) async {
        let early = LockedState<StreamReading.EarlyEnd?> { nil }
        let body = reading.opened.body
        let timer = route.dispatcher.timeLimits.set(at: environment.time.now + reading.description.idle) {
            early.withLock { $0 = $0 ?? .idle }
            body.cancel()
        }
        let watch = session.watch(progress.membership) {
            early.withLock { $0 = $0 ?? .sessionEnded }
            body.cancel()
        }
        let result: Result<[UInt8]?, TransportFault>
        do throws(TransportFault) {
            result = .success(try await body.next())
        } catch {
            result = .failure(error)
        }
        route.dispatcher.timeLimits.drop(timer)
        session.unwatch(watch)
        note(result, early.withLock { $0 }, reading, progress)
    }

    @inline(never)
    private func note(
        _ result: Result<[UInt8]?, TransportFault>, _ early: StreamReading.EarlyEnd?, _ reading: StreamReading,
        _ progress: CallProgress
    ) {
        if Task.isCancelled { return reading.hold(fail(TransportFault(.cancelled, evidence: .sent), progress)) }
        switch early {
        case .sessionEnded:
            progress.isOpen = progress.isOpen || endpoint.effect.isUnsafe
            return reading.hold(sessionEnded(progress))
        case .idle: return reading.hold(fail(TransportFault(.timeout, evidence: .sent), progress))
        case nil: break
        }
        switch result {
        case .success(let chunk?): reading.append(chunk)
        case .success(nil):
            // A stream without the end that the contract declares was truncated, and so was one that ends in an element.
            let isWhole =
                reading.description.end == nil && reading.description.reopening != .always && !reading.isCut
            guard isWhole || reading.opened.head.status == 204 || reading.opened.head.status == 205 else {
                return reading.hold(fail(TransportFault(.lost, evidence: .sent), progress))
            }
            reading.noteEnd()
        case .failure(let fault):
            reading.hold(
                fail(TransportFault(fault.kind, evidence: .sent, underlying: fault.underlying), progress))
        }
    }

    /// The failure for what ended an open stream.
    func fail(_ fault: TransportFault, _ progress: CallProgress) -> FailedAttempt {
        progress.fault = fault.kind
        let classification = Classifier.classify(fault: fault, endpoint, &progress.account)
        return FailedAttempt(classification, endpoint, progress.account)
    }

    /// The failure for an element that is longer than allowed.
    func failOversized(_ progress: CallProgress) -> FailedAttempt {
        progress.account.evidence = .responded
        return FailedAttempt(.builtIn(.malformed, nil), endpoint, progress.account)
    }

    /// Reads one element and classifies it like a whole response. Nil if the inbox has the element.
    @inline(never)
    func classify(
        _ item: StreamItem, _ reading: StreamReading, _ progress: CallProgress, into inbox: any ResponseReceiver
    ) -> FailedAttempt? {
        let stream = reading.description
        let response = TransportResponse(
            status: reading.opened.head.status, body: item.data(naming: stream.nameMember))
        var classification = Classifier.classify(
            response, endpoint, progress.redactor ?? ResponseRedactor(nil), &progress.account, isElement: true,
            into: inbox)
        let isFailure = stream.failures.contains(item.name)
        switch classification {
        case .success where !isFailure: return nil
        case .success, .outcome: classification = .builtIn(isFailure ? .rejected : .malformed, nil)
        case .builtIn where isFailure: classification = .builtIn(.rejected, nil)
        case .declared, .builtIn: break
        }
        return FailedAttempt(classification, endpoint, progress.account)
    }
}
