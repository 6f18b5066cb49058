import ContractModel

/// The verdicts of what the requests of a service have in common: servers, parameters, limits.
enum ServiceVerdicts {
    static let rules: [VerdictRule] = head + servers + trust + gateways + common + limits

    private static let head: [VerdictRule] = [
        .unlisted(["contract.errand"], "The version of the language is not a part of the service."),
        .unlisted(["contract.service"], "The services that are compared have the same name."),
        .unlisted(["contract.version"], "The version says which changes are allowed, and changes nothing itself."),
        .harmless(["contract.stability"], "The stability says which changes to expect, and changes nothing itself."),
        .unlisted(["contract.doc", "envelope.doc"], "Only people read it."),
        .unlisted(["contract.imports.*"], "Imported definitions are compared where they are used."),
        .unlisted(
            [
                "defaults.envelope", "defaults.timeout", "defaults.deadline", "defaults.patience", "defaults.session",
                "defaults.credentials", "defaults.retry", "defaults.priority",
                "defaults.redirects", "defaults.compression", "defaults.naming", "defaults.reading",
                "contract.defaults",
            ],
            "Each endpoint and each field that has it is compared, and one change names all of them."),
        .unlisted(["contract.groups.*"], [.changed], "Only people read the description of a group."),
        .harmless(["contract.groups.*"], [.added], "The client gets one more property."),
        .verdict(["contract.groups.*"], [.renamed]) { change in
            change.renamed { "The property \($0) of the client is called \($1)." }
        },
        .verdict(["contract.groups.*"], [.removed]) { change in
            .source("The client has no property \(change.name) anymore.")
        },
    ]

    private static let servers: [VerdictRule] = [
        .harmless(
            ["contract.servers.*", "contract.servers.*.*"], [.added], "No app uses a server before it is there."),
        .verdict(["contract.servers.*"], [.renamed]) { change in
            change.renamed { "The server \($0) is called \($1) in Swift." }
        },
        .verdict(["contract.servers.*"], [.removed]) { change in
            ChangeVerdict(
                source: .breaks("An app that names the server \(change.name) no longer compiles."),
                wire: .breaks("Apps from before this change still send their requests to the server \(change.name)."),
                direction: .oldApp)
        },
        .verdict(["contract.servers.*.*"], [.removed, .renamed]) { change in
            .wire("Apps from before this change still send requests to the URL that is gone.", .oldApp)
        },
        .verdict(["contract.servers.*", "contract.servers.*.*"], [.changed]) { change in
            let place = change.edit.places.new
            let role = place.count > 2 && place[2] != "url" ? place[2] : nil
            var verdict = ChangeVerdict(source: variables(change))
            if place.count > 1, change.hasSameURLs(onServer: place[1], role: role) { return verdict }
            verdict.wire = .breaks("Apps from before this change still send their requests to \(change.before).")
            verdict.direction = .oldApp
            return verdict
        },
        .verdict(["contract.servers"]) { change in
            .behavior(
                "Apps from after this change that name no server use \(change.after), and those from before it use \(change.before).",
                .newApp
            ).ofAppAlone
        },
        .verdict(["contract.roles.*"], [.added]) { change in
            .source("An app that makes a server of its own has to pass the URL of \(change.name).")
        },
        .verdict(["contract.roles.*"], [.removed]) { change in
            .source("An app that passes the URL of \(change.name) to a server of its own no longer compiles.")
        },
        .harmless(["contract.roles.*"], "The endpoints and servers that use the role have changes of their own."),
        .verdict(["role.sends.*"], [.added]) { change in
            guard isMissed(change) else {
                return .warning("Apps from after this change also send \(change.after) to the other origin.", .newApp)
            }
            return .wire(
                "Apps from before this change do not send \(change.after) to the other origin, which asks for it.",
                .oldApp)
        },
        .verdict(["role.sends.*"], [.removed]) { change in
            .wire(
                "Apps from after this change no longer send \(change.before) to the other origin, which may refuse them.",
                .newApp)
        },
    ]

    private static let trust: [VerdictRule] = [
        .unlisted(["contract.trust.*"], [.renamed], "The server has a change of its own."),
        .verdict(["contract.trust.*", "trust.pins.*"], [.added]) { change in
            .warning(
                "Apps from after this change send nothing to \(change.name) while the server has none of the keys that they know.",
                .newApp)
        },
        .verdict(["trust.pins.*"], [.removed]) { change in
            .warning(
                "Apps from after this change send nothing to a server with the key of \(change.before), and apps from before it know no newer key.",
                .both)
        },
        .verdict(["contract.trust.*"], [.removed]) { _ in
            .warning("Apps from before this change still send nothing to the server if it has another key.", .oldApp)
        },
        .verdict(["trust.until"]) { _ in
            .warning("Apps from before this change compare the server's key until another day.", .oldApp)
        },
    ]

    private static let gateways: [VerdictRule] = [
        .unlisted(["contract.gateways.*"], [.renamed], "The server has a change of its own."),
        .unlisted(["gateway.roles.*"], [.renamed], "The role has a change of its own."),
        .harmless(
            ["contract.gateways.*", "gateway.url", "gateway.roles.*"], [.added],
            "Apps from before this change take no response for a proof."),
        .verdict(["contract.gateways.*", "gateway.url", "gateway.roles.*"], [.changed, .removed]) { _ in
            .warning(
                "Apps from before this change still take responses of the gateways that they know for a proof that the server did nothing.",
                .oldApp)
        },
    ]

    /// Whether another origin asks for what its role sends now, and apps from before the change leave it out. A session and credentials
    /// are compared at each endpoint.
    private static func isMissed(_ change: Situation) -> Bool {
        guard change.edit.places.new.count > 1 else { return false }
        let role = change.edit.places.new[1]
        guard change.endpointPairs.contains(where: { $0.new.server?.value == role }) else { return false }
        switch change.edit.new?.text {
        case "signature": return change.new.contract.signing != nil
        case "common":
            let common = ["query", "headers", "parameters"].flatMap { change.new.tree["common"]?[$0]?.parts ?? [] }
            return common.contains { change.isRequired($0.node) }
        default: return false
        }
    }

    /// The variables of a URL are the arguments of its function in Swift. A URL without variables is a constant.
    private static func variables(_ change: Situation) -> ChangeVerdict.Judgment {
        func names(_ url: ComparedNode?) -> [Substring] {
            (url?.text ?? "").split(separator: "{").dropFirst().compactMap { $0.split(separator: "=").first }
        }
        let (old, new) = (names(change.edit.old), names(change.edit.new))
        let kept = new.filter(old.contains)
        guard old.isEmpty != new.isEmpty || kept != old else { return .none }
        return .breaks("An app that names the server has to pass other variables of its URL.")
    }

    private static let common: [VerdictRule] = [
        .verdict(LanguageSlots.common, [.added]) { change in
            guard change.isRequired(change.edit.new) || change.edit.new?["const"] != nil else { return .none }
            let isOfApp = change.edit.new?.isMadeByClient != true
            let source: ChangeVerdict.Judgment =
                isOfApp ? .breaks("An app has to pass \(change.name) when it makes the client.") : .none
            if let inputs = change.endpointInputs { return change.carried(byAll: inputs, source: source) }
            return ChangeVerdict(
                source: source,
                wire: .breaks("Apps from before this change send no \(change.name), which the server needs."),
                direction: .oldApp)
        },
        .verdict(LanguageSlots.common, [.removed]) { change in
            let isOfApp = change.edit.old?.isMadeByClient != true
            let source: ChangeVerdict.Judgment =
                isOfApp ? .breaks("An app that passes \(change.name) to the client no longer compiles.") : .none
            if let inputs = change.endpointInputs { return change.carried(byAll: inputs, source: source) }
            return ChangeVerdict(
                source: source,
                wire: .breaks("Apps from after this change no longer send \(change.name) to servers from before it."),
                direction: .newApp)
        },
        .verdict(LanguageSlots.common, [.renamed]) { change in
            // The client fills the others in, and does not declare them.
            guard change.edit.newOwner?.isMadeByClient != true else { return .none }
            return change.renamed { "The common parameter \($0) is called \($1) in Swift." }
        },
        .verdict(LanguageSlots.common, [.changed]) { FieldVerdicts.moved($0) },
        .verdict(["commonField.const", "commonField.each"], [.added]) { change in
            let wasOfApp = change.edit.oldOwner?.isMadeByClient != true
            return ChangeVerdict(
                source: wasOfApp
                    ? .breaks("An app that passes \(change.name) to the client no longer compiles.") : .none,
                wire: .breaks("Apps from before this change send \(change.name) in the old way."),
                direction: .oldApp)
        },
        .verdict(["commonField.const", "commonField.each"], [.removed]) { change in
            let isOfApp = change.edit.newOwner?.isMadeByClient != true
            return isOfApp
                ? .source("An app has to pass \(change.name) when it makes the client.") : .none
        },
        .verdict(["commonField.const", "commonField.each"]) { change in
            .wire("Apps from before this change still send the value \(change.before).", .oldApp)
        },
        .unlisted(
            ["commonField.type"], [.added, .removed], "A value that the app does not pass has no type of its own."),
        .verdict(["commonField.type"], [.changed, .renamed]) { FieldVerdicts.sent($0) },
        .unlisted(["contract.common"], "Each parameter is compared."),
        .verdict(ArgumentOrder.ofClient.map { String($0.dropLast(2)) }) { change in
            .source("An app has to pass \(change.after) in this order when it makes the client or a server.")
        },
    ]

    private static let limits: [VerdictRule] = [
        .verdict(
            [
                "contract.rateLimit", "rateLimit.reset", "rateLimit.unit", "rateLimit.remaining",
            ]
        ) { _ in
            .warning(
                "Apps from before this change do not know when the server's limit ends, and send requests before it does.",
                .oldApp)
        }
    ]
}
