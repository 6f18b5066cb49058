import ErrandJSON

extension CommandRun {
    /// Continues after an open response has failed. It is opened again if that is decided, as for every failed attempt, and if the
    /// server can continue after the last element.
    func goOn(after failure: FailedAttempt, _ reading: StreamReading) {
        reading.close()
        note(reading)
        // An element that cannot be read comes again where the stream goes on.
        fail(failure.isAccident ? failure.refused() : failure)
    }

    /// Continues a download after a response that brought a legal part of the requested bytes (RFC 9110 section 15.3.7). The
    /// response isn't a failure, so it costs no attempt.
    func goOn(afterPart reading: StreamReading) {
        reading.close()
        note(reading)
        state.handle(.continued(isPart: true))
    }

    /// Asks for the whole response once more.
    func restart() { state.handle(.continued(isPart: false)) }

    /// Notes what an open stream came to, for the decision on what comes next.
    @inline(never)
    private func note(_ reading: StreamReading) {
        if reading.hasDelivered {
            state.hasDelivered = true
            state.lastEventID = reading.lastID
        }
        let canGoOn =
            switch reading.description.reopening {
            case .never: false
            case .resume:
                !state.hasDelivered || state.lastEventID != nil || state.position != nil
                    || call.command is any UnpositionedCommand
            case .always: true
            }
        if !canGoOn { state.isBodyConsumed = true }
        state.reopeningPause = reading.retry ?? state.reopeningPause
        state.summary.retryAfter = state.reopeningPause
        noteMinute(of: reading)
        if state.isReopening, reading.hasNewElements { state.renewPatience() }
        reading.add(
            to: &state.advance, at: environment.time.now, isPaid: state.isPaid, isReopening: state.isReopening)
        // The responses were a success, so they cost no tokens.
        guard let tokens = state.renewAttempts(), let host = state.host else { return }
        dispatcher.budget.restore(for: host, count: tokens)
    }

    /// Notes the success of a stream or a transfer that has ended well.
    func noteWholeResponse() {
        call.noteWrite()
        call.observation?.settle(.success)
        deposit()
        // The end of a long transfer is short, and comes from a server that has been shown to work.
        guard state.isLongTransfer, let host = state.host else { return }
        dispatcher.budget.restore(for: host, count: state.advance.tokens + (state.isPaid ? 1 : 0))
    }

    /// Notes each minute in which open responses have brought something new.
    @inline(never)
    private func noteMinute(of reading: StreamReading) {
        let now = environment.time.now
        if reading.takeNews() { minute.hasNews = true }
        guard let begun = minute.begun else {
            minute.begun = now
            return
        }
        guard minute.hasNews, now - begun >= .seconds(60) else { return }
        minute = (now, false)
        deposit()
    }

    /// Reads on, until another element arrives or the response has ended.
    func read(_ reading: StreamReading) async {
        noteMinute(of: reading)
        let early = LockedState<StreamReading.EarlyEnd?> { nil }
        let body = reading.opened.body
        // A connection is watched as a whole.
        let timer =
            reading.description.format == .frames
            ? nil
            : dispatcher.timeLimits.set(at: environment.time.now + reading.description.idle) {
                early.withLock { $0 = $0 ?? .idle }
                body.cancel()
            }
        let watch = session.watch(membership) {
            early.withLock { $0 = $0 ?? .sessionEnded }
            body.cancel()
        }
        let result: Result<[UInt8]?, TransportFault>
        do throws(TransportFault) {
            result = .success(try await body.next())
        } catch {
            result = .failure(error)
        }
        if let timer { dispatcher.timeLimits.drop(timer) }
        session.unwatch(watch)
        note(result, early.withLock { $0 }, reading)
    }

    @inline(never)
    private func note(
        _ result: Result<[UInt8]?, TransportFault>, _ early: StreamReading.EarlyEnd?, _ reading: StreamReading
    ) {
        if Task.isCancelled { return reading.hold(failure(for: .cancelled)) }
        switch early {
        case .sessionEnded: return reading.hold(outlived())
        case .idle: return reading.hold(failure(for: .timeout))
        case nil: break
        }
        switch result {
        case .success(let chunk?): reading.append(chunk)
        case .success(nil):
            // A stream without the end that the contract declares was truncated, and so was one that ends in an element.
            let isWhole =
                reading.description.format == .frames
                || reading.description.end == nil && reading.description.reopening != .always && !reading.isCut
            guard isWhole || reading.opened.head.status == 204 || reading.opened.head.status == 205 else {
                return reading.hold(failure(for: .lost))
            }
            reading.noteEnd()
        case .failure(let fault):
            if let payload = fault.connection?.failure {
                var response = TransportResponse(status: 200, body: payload)
                response.frame = .failure
                return reading.hold(failure(of: response))
            }
            var held = TransportFault(fault.kind, evidence: .sent, underlying: fault.underlying)
            held.connection = fault.connection
            reading.hold(state.note(held))
        }
    }

    /// The failure for what ended an open stream.
    func failure(for fault: TransportFault.Kind, underlying: (any Error)? = nil) -> FailedAttempt {
        state.note(TransportFault(fault, evidence: .sent, underlying: underlying))
    }

    /// The failure that the last frame of a subscription is.
    private func failure(of response: TransportResponse) -> FailedAttempt {
        do throws(ClassifiedError) {
            _ = try Classifier.classify(
                response, endpoint, redactor ?? ResponseRedactor(nil), &state.summary, isElement: true)
            return FailedAttempt(.builtIn(.rejected, nil), endpoint, state.summary)
        } catch {
            return FailedAttempt(error, endpoint, state.summary)
        }
    }

    /// The failure for an element that is longer than allowed.
    func failOversized() -> FailedAttempt {
        state.summary.evidence = .responded
        return FailedAttempt(.builtIn(.malformed, nil), endpoint, state.summary)
    }

    /// Classifies one element like a whole response, and reads it.
    ///
    /// - Parameter load: reads the element, and says whether there is one.
    /// - Throws: the failure that the element is.
    @inline(never)
    func read(
        _ item: StreamItem, of reading: StreamReading, _ load: (inout JSONReader) -> Bool
    ) throws(FailedAttempt) {
        let stream = reading.description
        let isFailure = stream.failures.contains(item.name)
        let response = TransportResponse(
            status: reading.opened.head.status, body: item.data(naming: stream.nameMember))
        do throws(ClassifiedError) {
            try Classifier.readElement(
                response, endpoint, redactor ?? ResponseRedactor(nil), &state.summary, with: load)
            if isFailure { throw .builtIn(.rejected, nil) }
        } catch {
            throw fail(error, isFailure: isFailure)
        }
    }

    @inline(never)
    private func fail(_ error: ClassifiedError, isFailure: Bool) -> FailedAttempt {
        switch error {
        case .builtIn where isFailure: FailedAttempt(.builtIn(.rejected, nil), endpoint, state.summary)
        case .builtIn, .declared: FailedAttempt(error, endpoint, state.summary)
        }
    }
}
