extension ServiceBinding {
    /// The same client without a server: the stub for a command's type carries the command out.
    package func stubbed(
        by stubs: [ObjectIdentifier: any CommandStub], events: [ObjectIdentifier: any Sendable] = [:]
    ) -> ServiceBinding {
        var binding = ServiceBinding(route: route.stubbed(by: stubs, events: events), session: session)
        binding.responders = responders
        binding.options = options
        return binding
    }
}

extension CommandRun {
    /// Carries the command out with its stub, in place of a server.
    @inline(never)
    func respondWithStub() async -> Arrival {
        guard let stub = call.route.stubs?[ObjectIdentifier(type(of: call.command))] else {
            return .ended(missingStub())
        }
        if Task.isCancelled { return .ended(cancelled().ending(state.summary)) }
        state.summary.attempts = 1
        let result = await stub.carryOut(call.command)
        if Task.isCancelled { return .ended(cancelled().ending(state.summary)) }
        switch result {
        case .response(let response)?:
            return .found(FoundResponse(Reply(value: response), otherwise: missingStub()))
        case .failure(let failure)?: return .ended(ending(WrittenFailure(failure, of: endpoint)))
        case nil: return .ended(missingStub())
        }
    }

    private func missingStub() -> Ending {
        let kind = CommandFault.Kind.invalidRequest
        let name = "\(endpoint.service.name).\(endpoint.name)"
        let context = FailureContext(
            FailureContext.Facts(
                name: kind.rawValue, category: kind.category, applied: .never, message: "\(name) has no stub.",
                messageKey: MessageKey.none, summary: state.summary,
                brokenFields: [BrokenField(name: name, reason: "must have a stub")]))
        return .fault(CommandFault(kind, context))
    }

    /// The command's ending after a failure of its stub. As with a server's response, the contract decides on the name, the
    /// category, the text and whether the command was carried out.
    private func ending(_ failure: WrittenFailure) -> Ending {
        state.summary.note(failure.context)
        switch failure.cause {
        case .declared(let name):
            let rows = endpoint.table.rows.filter { $0.verdict == .error(name) }
            let fitting = rows.first { row in failure.context.status.map { row.statuses?.contains($0) ?? true } ?? true
            }
            guard let row = fitting ?? rows.first else { break }
            state.summary.evidence = .responded
            let context = FailedAttempt(.declared(row, nil), endpoint, state.summary).context(state.summary)
            return .declared(name, ErrorMatch(context: context, given: failure.data))
        case .builtIn(let kind):
            return FailedAttempt(.builtIn(kind, failure.context.decodingError), endpoint, state.summary)
                .ending(state.summary)
        case .unconfirmed(let cause, let key):
            state.summary.evidence = .sent
            if endpoint.effect == .keyed {
                state.key = IdempotencyKey(key ?? JSONText.of(environment.chance.uuid()))
            }
            let failed = FailedAttempt(.builtIn(cause, nil), endpoint, state.summary)
            return .unconfirmed(makeReceipt(failed))
        case nil: break
        }
        return .fault(CommandFault(.rejected, failure.context))
    }
}

extension AttemptSummary {
    /// Takes over what a stub says about the response that it replaces.
    fileprivate mutating func note(_ context: FailureContext) {
        status = context.status
        code = context.code
        headers = context.headers
        body = context.body
        retryAfter = context.retryAfter
        underlying = context.underlying
        url = context.url
        hasServiceForm = true
        evidence = context.applied == .maybe && context.status == nil ? .sent : context.evidence
        let isDefault = CommandFault.Kind(rawValue: context.name)?.message == context.message
        serverMessage = context.serverMessage ?? (context.message.isEmpty || isDefault ? nil : context.message)
    }
}
