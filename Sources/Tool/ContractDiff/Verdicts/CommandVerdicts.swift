import ContractModel

/// The verdicts of how commands are carried out: sessions, effects, retries and time.
enum CommandVerdicts {
    static let rules: [VerdictRule] = identity + effects + times + transfers

    private static let identity: [VerdictRule] = [
        .verdict(["endpoint.session"]) { change in
            switch (change.edit.old?.text, change.edit.new?.text) {
            case (_, "required"):
                ChangeVerdict(
                    source: .warns("A command that needed no login now asks for one."),
                    wire: .breaks("Apps from before this change may send no token, and the server refuses them."),
                    behavior: .breaks("Users of these apps see a login, or a failure, where there was none."),
                    direction: .oldApp)
            case ("required", _):
                ChangeVerdict(
                    wire: .warns("Apps from after this change may send no token, which servers from before it refuse."),
                    behavior: .warns("Apps from before this change still ask for a login."), direction: .both)
            default: .warning("Apps from before this change send the token, or leave it out, as before.", .oldApp)
            }
        },
        .verdict(["endpoint.credentials"]) { change in
            let (old, new) = (change.credentials.old, change.credentials.new)
            guard !new.takesAll(of: old) else {
                return old.takesAll(of: new)
                    ? .warning("Apps from after this change may carry another of their credentials.", .newApp)
                    : ChangeVerdict(
                        wire: .warns(
                            "Apps from after this change may carry \(change.after), and servers from before it want \(change.before)."
                        ),
                        direction: .newApp)
            }
            return ChangeVerdict(
                source: .warns("An app may have to pass another credential when it makes the client."),
                wire: .breaks(
                    "Apps from before this change carry \(change.before), and the server wants \(change.after)."),
                behavior: .breaks("The server refuses the commands of these apps until they are updated."),
                direction: .oldApp)
        },
    ]

    private static let effects: [VerdictRule] = [
        .verdict(["endpoint.effect"]) { change in effect(change) },
        .unlisted(["effect.keyed"], "The effect is compared, and each setting of the key."),
        .verdict(["idempotencyKey.header", "idempotencyKey.field"]) { _ in
            ChangeVerdict(
                wire: .breaks("Apps from before this change send the key where the server no longer looks for it."),
                behavior: .breaks(
                    "These apps send the command again after a timeout, and the server carries it out twice."),
                direction: .both)
        },
        .verdict(["idempotencyKey.lifetime"]) { change in
            let time = change.edit.old == nil ? "as long as they send it again" : change.before
            return .warning(
                "Apps from before this change count on a server that remembers a key for \(time).", .oldApp)
        },
        .verdict(["endpoint.confirm"], [.removed]) { _ in
            .behavior(
                "Apps from after this change no longer find out whether a command without an answer took effect.",
                .newApp
            ).ofAppAlone
        },
        .harmless(
            ["endpoint.confirm"], [.added, .changed, .renamed],
            "Apps from after this change find out more, with an endpoint that is compared itself."),
        .verdict(["confirm.endpoint", "confirm.with.*", "confirm.found"]) { _ in
            .warning("Apps from before and after this change settle a command without an answer in different ways.")
        },
        .verdict(["endpoint.durable"], [.removed]) { _ in
            .behavior(
                "Apps from after this change do not send the commands that they kept on the disk before it.", .newApp
            )
            .ofAppAlone
        },
        .harmless(["endpoint.durable"], [.added, .renamed], "An outbox keeps only what an app gives it."),
        .verdict(["endpoint.durable"], [.changed]) { change in
            guard change.edit.old?[KeptRequest.form] != change.edit.new?[KeptRequest.form] else {
                // A seal is of no harm where no input is sensitive anymore.
                guard change.edit.new?[KeptRequest.sensitive] != nil else { return .none }
                return .warning(
                    "Apps from after this change whose outbox has no seal cannot keep \(change.name), because an input is sensitive.",
                    .newApp
                ).ofAppAlone
            }
            return .behavior(
                "Apps from after this change end the commands that they kept on the disk before it as `obsolete`, because the request of \(change.name) is another one.",
                .newApp
            ).ofAppAlone
        },
        .verdict(["durable.lifetime", "durable.lane"]) { _ in
            .warning(
                "Apps from after this change send kept commands in another order, or give them up at another time.",
                .newApp
            ).ofAppAlone
        },
    ]

    private static let timeLimits = ["endpoint.timeout", "timeout.any", "timeout.constrained", "endpoint.deadline"]

    private static let times: [VerdictRule] = [
        .verdict(["endpoint.retry", "retry.attempts", "retry.base", "retry.cap"]) { RetryVerdicts.verdict($0) },
        .verdict(timeLimits, [.changed]) { change in
            .warning(
                "Apps from before this change give up after \(change.before), and apps from after it after \(change.after)."
            )
        },
        .verdict(timeLimits, [.added, .renamed]) { change in
            .warning("Apps from after this change give up after \(change.after).", .newApp)
        },
        .verdict(timeLimits, [.removed]) { change in
            .warning("Apps from before this change give up after \(change.before).", .oldApp)
        },
        .verdict(["endpoint.patience"]) { _ in
            .warning(
                "Apps from after this change wait longer or shorter for the network, a login or a person.", .newApp
            ).ofAppAlone
        },
        .verdict(["endpoint.priority"]) { _ in
            .warning("Apps from after this change send the command earlier or later than others.", .newApp).ofAppAlone
        },
        .verdict(["endpoint.redirects"]) { _ in
            .warning(
                "Apps from before and after this change follow another number of redirects, and fail where the server has more."
            )
        },
        .verdict(["endpoint.share"], [.added]) { _ in
            .warning("Apps from after this change let equal reads that are under way share one request.", .newApp)
        },
        .verdict(["endpoint.share"], [.removed, .changed]) { _ in
            .warning("Apps from after this change send a request for each of several equal reads.", .newApp)
        },
        .verdict(["endpoint.cache"], [.added]) { _ in
            .warning(
                "Apps from after this change show a response for as long as its headers say, without asking the server.",
                .newApp
            ).ofAppAlone
        },
        .verdict(["endpoint.cache", "cache.http"]) { _ in
            .warning(
                "Apps from after this change ask the server each time, and show nothing without a network.", .newApp
            )
            .ofAppAlone
        },
        .verdict(["cache.offline"]) { _ in
            .warning(
                "Apps from after this change show a stale response for a longer or shorter time without a network.",
                .newApp
            ).ofAppAlone
        },
        .harmless(
            ["endpoint.clears.*"], [.added], "Apps from after this change ask the server again after the command."),
        .verdict(["endpoint.clears.*"], [.removed, .changed, .renamed]) { change in
            let command = (change.edit.place.dropFirst().first ?? "").asCode
            return ChangeVerdict.warning(
                "Apps from after this change may show what \(change.name) responded before \(command), until that is stale.",
                .newApp
            ).ofAppAlone
        },
        .verdict(["endpoint.network"]) { _ in
            .warning("Apps from after this change wait for another network before they send the command.", .newApp)
                .ofAppAlone
        },
    ]

    private static let transfers: [VerdictRule] = [
        .verdict(["endpoint.status"]) { change in
            guard let old = change.endpoint.old.map(usualStatus), let new = change.endpoint.new.map(usualStatus),
                old != new
            else { return .none }
            return .warning(
                "Apps take any success, as before. Clients that others have made may take only the status \(old), and get \(new).",
                .oldApp)
        },
        .verdict(["endpoint.compression"], [.added, .changed]) { _ in
            ChangeVerdict(
                wire: .breaks(
                    "Apps from after this change compress the body, which a server from before it may not read."),
                direction: .newApp)
        },
        .verdict(["endpoint.compression"], [.removed]) { _ in
            .wire(
                "Apps from before this change still compress the body, which the server may not read anymore.", .oldApp)
        },
        .verdict(["compression.encoding"]) { _ in
            .wire("Apps from before this change compress the body with the old coding.", .both)
        },
        .verdict(["compression.minimumSize"]) { _ in
            .warning("Apps from after this change compress bodies from another size on.", .newApp)
        },
        .verdict(["endpoint.checksum"], [.added]) { _ in
            .wire(
                "Apps from after this change refuse the bytes of a server from before it, which sends no checksum.",
                .newApp)
        },
        .verdict(["endpoint.checksum"], [.removed]) { _ in
            .wire("Apps from before this change refuse bytes for which the server sends no checksum anymore.", .oldApp)
        },
        .verdict(["endpoint.checksum", "checksum.algorithm", "checksum.header", "checksum.encoding"]) { _ in
            .wire("Apps from before this change refuse bytes whose checksum is elsewhere, or of another kind.", .both)
        },
    ]

    private static func usualStatus(of endpoint: EndpointDefinition) -> Int {
        let isEmpty = if case .none = endpoint.response.value { true } else { false }
        return endpoint.status?.value ?? EndpointDefinition.usualStatus(hasBody: !isEmpty, of: endpoint.method)
    }

    // MARK: Effects

    /// How many times a command may be sent: the greater, the more often.
    private static func freedom(_ effect: Effect) -> Int {
        switch effect {
        case .once: 0
        case .keyed: 1
        case .idempotent: 2
        case .read: 3
        }
    }

    private static func effect(_ change: Situation) -> ChangeVerdict {
        guard let old = change.endpoint.old?.effect, let new = change.endpoint.new?.effect else { return .none }
        var verdict = sending(old, new, change)
        switch (old.isUnsafe, new.isUnsafe) {
        case (false, true):
            verdict.source = .breaks("A `switch` over the failures of \(change.name) needs the case `unconfirmed`.")
        case (true, false):
            verdict.source = .breaks("The failure of \(change.name) has no case `unconfirmed` anymore.")
        default: break
        }
        return verdict
    }

    /// How often apps send the command before and after the change.
    private static func sending(_ old: Effect, _ new: Effect, _ change: Situation) -> ChangeVerdict {
        switch (old, new) {
        case (.read, .idempotent), (.idempotent, .read):
            return .warning(
                "Both send \(change.name) again after a failure; only the failure of a write may say that it was carried out."
            )
        case (.keyed, .once), (.keyed, .idempotent), (.keyed, .read):
            guard new == .once else {
                return .behavior(
                    "Apps from after this change send \(change.name) again without a key, and a server from before it carries it out twice.",
                    .newApp)
            }
            return .behavior(
                "Apps from before this change send \(change.name) again after a timeout, and a server that no longer keeps the key carries it out twice.",
                .oldApp)
        case (_, .keyed) where old != .once:
            return .behavior(
                "Apps from before this change send \(change.name) again without a key, and the server carries it out twice.",
                .oldApp)
        case _ where freedom(new) < freedom(old):
            return .behavior(
                "Apps from before this change send \(change.name) again after a timeout, and the server carries it out twice.",
                .oldApp)
        default:
            return .behavior(
                "Apps from after this change send \(change.name) again after a timeout, and a server from before it carries it out twice.",
                .newApp)
        }
    }
}
