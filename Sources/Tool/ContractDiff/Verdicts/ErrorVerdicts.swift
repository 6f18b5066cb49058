import ContractModel

/// The verdicts of errors: which there are, what recognizes them, and what follows from them.
enum ErrorVerdicts {
    static let rules: [VerdictRule] = lists + definitions

    private static let lists: [VerdictRule] = [
        .verdict(["endpoint.errors.*"], [.added]) { change in
            ChangeVerdict(
                source: change.isInsideShared
                    ? .none : .breaks("A `catch` for each failure needs one for \(change.name)."),
                behavior: .warns("Apps from before this change take \(change.name) for an error of another kind."),
                direction: .oldApp)
        },
        .verdict(["endpoint.errors.*"], [.changed]) { change in owner(change) },
        .verdict(["endpoint.errors.*"], [.removed, .renamed]) { change in
            ChangeVerdict(
                source: change.isInsideShared ? .none : .breaks("The failure has no case \(change.name) anymore."),
                behavior: .warns("Apps from after this change take \(change.name) for an error of another kind."),
                direction: .newApp)
        },
        .verdict(["defaults.errors.*"], [.added]) { change in
            .source("A `switch` over the failures in `.shared` needs a case for \(change.name).")
        },
        .verdict(["defaults.errors.*"], [.removed]) { change in
            .source("The failures in `.shared` have no case \(change.name) anymore.")
        },
        .harmless(["contract.errors.*"], [.added], "The endpoints that can fail with it have changes of their own."),
        .verdict(["contract.errors.*"], [.removed]) { change in
            ChangeVerdict(
                source: .breaks("The client has no error \(change.name) anymore."),
                behavior: .warns("Apps from after this change take such a response for an error of another kind."),
                direction: .newApp)
        },
        .verdict(["contract.errors.*"], [.renamed]) { change in
            change.renamed { "The error \($0) is called \($1) in Swift." }.joined(
                with: .warning("Logs and metrics name the error \(change.after) from now on.", .newApp))
        },
        .unlisted(["contract.errors.*"], [.changed], "Each key of an error is compared."),
    ]

    private static let definitions: [VerdictRule] = [
        .verdict(["error.category"]) { change in category(change) },
        .verdict(["error.when"]) { change in
            ChangeVerdict(
                wire: .breaks("Apps from before this change recognize \(change.name) by \(change.before)."),
                behavior: .breaks("These apps take \(change.name) for another result, and do what that one asks for."),
                direction: .both)
        },
        .unlisted(
            [
                "condition.transport.*", "condition.close.*", "condition.status.*", "condition.code.*",
                "condition.body.*", "condition.header.*", "condition.text", "outcomeCondition.status.*",
                "outcomeCondition.code.*", "outcomeCondition.body.*", "outcomeCondition.header.*",
                "outcomeCondition.text",
            ], "A condition is compared as a whole, with what it recognizes."),
        .verdict(["error.data", "outcome.data", "event.data"], [.added]) { change in
            ChangeVerdict(
                source: change.edit.slot == "error.data"
                    ? .breaks(
                        "The failure \(change.name) is a `FailureDetails` with the data, and no `FailureContext`.")
                    : .none,
                wire: .warns("Apps from after this change look for data that servers from before it do not send."),
                direction: .newApp)
        },
        .verdict(["event.data"], [.removed]) { change in
            ChangeVerdict(
                source: .breaks("An app that reads the data of \(change.name) no longer compiles."),
                wire: .breaks("Apps from before this change cannot read the event \(change.name)."), direction: .oldApp)
        },
        .verdict(["error.data", "outcome.data"], [.removed]) { change in
            ChangeVerdict(
                source: .breaks("An app that reads the data of \(change.name) no longer compiles."),
                wire: .breaks("Apps from before this change recognize \(change.name), and find no data in it."),
                direction: .oldApp)
        },
        .verdict(["error.data", "outcome.data", "event.data"], [.changed, .renamed]) { change in
            if change.edit.relation != .other { return FieldVerdicts.received(change) }
            return ChangeVerdict(
                source: .breaks("The data of \(change.name) is another type."),
                wire: .breaks("Apps from before this change cannot read the data of \(change.name)."), direction: .both)
        },
        .harmless(["error.message"], "Only the text that people read changes, in apps from after this change."),
        .verdict(["error.retry"]) { RetryVerdicts.verdict($0) },
        .verdict(["error.applied"]) { change in applied(change) },
        .verdict(["error.renew"]) { change in
            change.edit.new?.text == "false"
                ? .behavior(
                    "Apps from before this change ask for a login after \(change.name), which does not help.", .oldApp)
                : .behavior("Apps from after this change ask for a login after \(change.name).", .newApp).ofAppAlone
        },
        .verdict(["error.settles"]) { change in settles(change) },
        .unlisted(["settles.success"], "It has one value, and the key is compared as a whole."),
        .unlisted(["error.doc"], "Only people read it."),
    ]

    /// What follows from another moment at which an error is a success.
    private static func settles(_ change: Situation) -> ChangeVerdict {
        guard let new = change.edit.new else {
            return .warning(
                "Apps from after this change fail with \(change.name) where a command was done already.", .newApp
            ).ofAppAlone
        }
        if new.text?.contains("payload") == true {
            return .warning("Apps from after this change read the success from the body of \(change.name).", .newApp)
        }
        return new.text == "success"
            ? .warning(
                "Apps from after this change take \(change.name) for a success only if an earlier attempt of the command may have been carried out.",
                .newApp)
            : .warning(
                "Apps from after this change take \(change.name) for a success at every attempt, the first one included.",
                .newApp)
    }

    /// What follows from an error that the endpoint lists instead of `defaults`, or the reverse.
    private static func owner(_ change: Situation) -> ChangeVerdict {
        let isShared = change.edit.new?.text == "defaults"
        let command = change.edit.places.new.count > 1 ? "`\(change.edit.places.new[1])`" : ""
        var verdict = ChangeVerdict.source(
            isShared
                ? "The failure of \(command) has \(change.name) inside of `.shared`, and not as a case of its own."
                : "The failure of \(command) has \(change.name) as a case of its own, and not inside of `.shared`.")
        guard change.endpoint.new?.effect.isUnsafe == true,
            change.new.error(change.edit.places.new.last ?? "")?.category.value == .nonRetryable
        else { return verdict }
        verdict.behavior = .warns(
            isShared
                ? "After an attempt without an answer, \(change.name) no longer settles what became of \(command), which ends as `unconfirmed`."
                : "After an attempt without an answer, \(change.name) now settles what became of \(command), which ended as `unconfirmed`."
        )
        verdict.direction = .newApp
        return verdict
    }

    /// What follows from another word of an error about whether the command was carried out.
    private static func applied(_ change: Situation) -> ChangeVerdict {
        let places = change.edit.places
        guard places.old.count > 1, places.new.count > 1, let old = change.old.error(places.old[1]),
            let new = change.new.error(places.new[1])
        else { return .none }
        let users = change.new.contract.endpoints.filter { endpoint in
            new.builtIn != nil || endpoint.errors.contains { $0.value == new.name.value }
        }
        func isSettled(_ endpoint: EndpointDefinition) -> Bool {
            new.category.value == .nonRetryable && isFinal(new, at: endpoint, change.new)
        }
        let affected = users.filter { $0.effect != .read && answers(old, $0.request) != answers(new, $0.request) }
        let open = affected.filter { $0.effect.isUnsafe && !isSettled($0) }
        guard let write = open.first(where: { $0.effect == .once }) ?? open.first else {
            // The command is sent again, or is over, in any case. Only its failure says another thing.
            guard !affected.isEmpty else { return .none }
            return .warning(
                "The failure `\(new.name.value)` tells an app another thing about whether the server did anything.")
        }
        let name = write.name.value
        guard new.category.value != .nonRetryable else {
            return .behavior(
                "Apps from before and after this change differ in whether `\(name)` ends as `unconfirmed` after \(change.name)."
            )
        }
        guard affected.contains(where: { $0.effect == .once }) else {
            // The server knows the key, so nothing is carried out twice.
            return .warning(
                "Apps from before and after this change differ in whether `\(name)` ends as `unconfirmed` if each attempt fails with \(change.name)."
            )
        }
        if answers(new, write.request) == [.never] {
            return .behavior(
                "Apps from after this change send `\(name)` again after \(change.name), and a server that did carry it out does so twice.",
                .newApp)
        }
        if answers(old, write.request) == [.never] {
            return .behavior(
                "Apps from before this change send `\(name)` again after \(change.name), and the server carries it out twice.",
                .oldApp)
        }
        return .behavior("Apps from before and after this change differ in whether a command may have taken effect.")
    }

    /// What an error says about whether such a request was carried out, in any of its conditions.
    private static func answers(_ error: ErrorDefinition, _ request: RequestKind) -> Set<Applied> {
        if let declared = error.declaredApplied?.value { return [declared] }
        if let builtIn = error.builtIn { return [builtIn.applied(status: nil, to: request)] }
        return Set(error.conditions.flatMap { $0.parts(of: request).map(\.applied) })
    }

    /// What follows from an error with another category.
    private static func category(_ change: Situation) -> ChangeVerdict {
        let name = change.name
        switch (change.edit.old?.text, change.edit.new?.text) {
        case ("requiresLogout", _):
            return .behavior("Apps from before this change end the session after \(name), a surprise logout.", .oldApp)
        case (_, "requiresLogout"):
            return .behavior(
                "Apps from after this change end the session after \(name), and their users have to log in again.",
                .newApp)
        case ("retryable", _): return repetition(of: change, isOld: true)
        default: return repetition(of: change, isOld: false)
        }
    }

    /// What follows from an error after which only apps of one version send a command again.
    ///
    /// - Parameter isOld: whether those from before the change do.
    private static func repetition(of change: Situation, isOld: Bool) -> ChangeVerdict {
        let apps = isOld ? "Apps from before this change" : "Apps from after this change"
        let direction: ChangeVerdict.Direction = isOld ? .oldApp : .newApp
        let several = ChangeVerdict.behavior(
            "\(apps) send a command again after \(change.name), each of them several times.", direction)
        let places = change.edit.places
        guard places.old.count > 1, places.new.count > 1, let old = change.old.error(places.old[1]),
            let new = change.new.error(places.new[1])
        else { return several }
        let users = change.endpointPairs.filter { endpoint in
            new.builtIn != nil || endpoint.new.errors.contains { $0.value == new.name.value }
        }
        // An error of a connection is not one of an endpoint.
        guard !users.isEmpty else { return several }
        let (error, other) = isOld ? (old, new) : (new, old)
        let repeated = users.map { isOld ? $0.old : $0.new }.filter { isSentAgain($0, after: error) }
        let writes = repeated.filter { endpoint in
            // A server that did nothing does nothing twice.
            endpoint.effect == .once && answers(error, endpoint.request) != answers(other, endpoint.request)
                && answers(other, endpoint.request) != [.never]
        }
        if let write = writes.first?.name.value {
            return .behavior(
                isOld
                    ? "\(apps) send `\(write)` again after \(change.name), and the server may carry it out twice."
                    : "\(apps) send `\(write)` again after \(change.name), and a server that did carry it out does so twice.",
                direction)
        }
        guard repeated.isEmpty else { return several }
        let settled = users.first { endpoint in
            let (final, version) = isOld ? (endpoint.new, change.new) : (endpoint.old, change.old)
            return final.effect.isUnsafe && answers(other, final.request) != [.never]
                && isFinal(other, at: final, version)
        }
        guard let name = settled?.new.name.value else {
            return .warning(
                "No app sends a command again after \(change.name), but apps from before and after this change report it with different categories."
            )
        }
        return .behavior(
            isOld
                ? "Apps from before this change end `\(name)` as `unconfirmed` after \(change.name), and those from after it with the failure itself."
                : "Apps from after this change end `\(name)` as `unconfirmed` after \(change.name), and those from before it with the failure itself."
        )
    }

    /// Whether a client sends the command of an endpoint again after a retryable error.
    private static func isSentAgain(_ endpoint: EndpointDefinition, after error: ErrorDefinition) -> Bool {
        let retry = error.retry?.value ?? endpoint.settings.retry?.value
        if let retry, retry.rule.attempts < 2 { return false }
        switch error.builtIn {
        // They end a command in any category.
        case .invalidRequest?, .bodyChanged?, .sessionEnded?, .unconfirmed?, .cancelled?: return false
        // A command that was not sent was not carried out.
        case .localStorageFull?, .localFault?, .offline?, .unreachable?, .connectionLost?, .timedOut?, .insecure?:
            return true
        case .throttled?, .requestTimeout?, .unavailable?, .serverFault?, .unauthenticated?, .rejected?, .malformed?,
            nil:
            break
        }
        let isOfTransport = error.conditions.contains { !$0.transport.isEmpty }
        return endpoint.effect != .once || isOfTransport || answers(error, endpoint.request).contains(.never)
    }

    /// Whether a nonretryable error settles what became of the command of an endpoint, because the endpoint lists it itself.
    private static func isFinal(
        _ error: ErrorDefinition, at endpoint: EndpointDefinition, _ version: ContractVersion
    ) -> Bool {
        !error.conditions.contains { !$0.transport.isEmpty }
            && version.places.has(["endpoints", endpoint.name.value, "errors", error.name.value])
    }
}

extension ContractVersion {
    /// The error with a name: one of the contract, or a built-in one as it is without a declaration.
    fileprivate func error(_ name: String) -> ErrorDefinition? {
        if let declared = contract.errors.first(where: { $0.name.value == name }) { return declared }
        return BuiltInError(rawValue: name).map { builtIn in
            let range = contract.service.range
            return ErrorDefinition(
                name: Located(name, at: range), category: Located(builtIn.category, at: range))
        }
    }
}
