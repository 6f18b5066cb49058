import ContractModel

/// The verdicts of endpoints: what is sent, what comes back, and the names.
enum EndpointVerdicts {
    static let rules: [VerdictRule] = names + requests + responses

    private static let names: [VerdictRule] = [
        .harmless(["contract.endpoints.*"], [.added], "No app calls an endpoint before it is there."),
        .verdict(["contract.endpoints.*"], [.removed]) { change in
            ChangeVerdict(
                source: .breaks("The client has no command \(change.name) anymore."),
                wire: .breaks(
                    "Apps from before this change still send \(change.name), and the server does not know it."),
                direction: .oldApp)
        },
        .verdict(["contract.endpoints.*"], [.renamed]) { change in
            .source("The command \(change.before) is called \(change.after) in Swift.")
        },
        .unlisted(["contract.endpoints.*"], [.changed], "Each key of an endpoint is compared."),
        .harmless(["endpoint.group"], [.added], "The command is also found under its own name."),
        .verdict(["endpoint.group"]) { change in
            .source("The client has no command \(change.name) under \(change.before) anymore.")
        },
        .verdict(["endpoint.swift", "error.swift", "event.swift", "type.swift", "field.swift"]) { change in
            switch (change.edit.old, change.edit.new) {
            case (nil, _): .source("The Swift name is \(change.after), and no longer follows from the contract's.")
            case (_, nil): .source("The Swift name follows from the contract's, and is no longer \(change.before).")
            default: .source("The Swift name changes from \(change.before) to \(change.after).")
            }
        },
        .unlisted(
            ["endpoint.doc", "endpoint.examples.*", "endpoint.examples.*.*"],
            "Only people, tests and the simulated server read it."),
        .verdict(
            [
                "endpoint.deprecated", "error.deprecated", "event.deprecated", "type.deprecated", "field.deprecated",
            ], [.added]
        ) { change in
            ChangeVerdict(source: .warns("An app that uses \(change.name) compiles with a warning."))
        },
        .harmless(
            [
                "endpoint.deprecated", "error.deprecated", "event.deprecated", "type.deprecated", "field.deprecated",
            ], [.removed, .changed, .renamed], "At most the text of the compiler's warning changes."),
    ]

    private static let requests: [VerdictRule] = [
        .verdict(["endpoint.target"]) { change in target(change) },
        .unlisted(["frame.name", "frame.reply"], "The frame of an endpoint is compared as its target."),
        .verdict(["endpoint.server"]) { _ in
            .wire("Apps from before this change send the request to the other origin.", .both)
        },
        .verdict(["endpoint.body"], [.added]) { change in
            guard needsBody(change.edit.new, change) else { return .none }
            return ChangeVerdict(
                source: .breaks("A call of \(change.name) has to pass the body."),
                wire: .breaks("Apps from before this change send no body, which the server needs."),
                direction: .oldApp)
        },
        .verdict(["endpoint.body"], [.removed, .changed]) { change in
            let isNeeded = needsBody(change.edit.old, change)
            return ChangeVerdict(
                source: .breaks("A call of \(change.name) that passes the body no longer compiles."),
                wire: isNeeded
                    ? .breaks("Apps from after this change send no body to servers from before it.")
                    : .warns("Apps from before this change may still send a body, which the server does not expect."),
                direction: isNeeded ? .newApp : .oldApp)
        },
        .verdict(["body.type"]) { FieldVerdicts.sent($0) },
        .verdict(["body.encoding", "body.contentType", "body.element", "body.nesting"]) { change in
            .wire("Apps from before this change encode the body in the old way, which the server does not read.", .both)
        },
    ]

    private static let responses: [VerdictRule] = [
        .verdict(["endpoint.response"], [.changed]) { change in
            let isGone = change.payload(change.edit.new) == nil
            if !isGone, change.payload(change.edit.old) != nil {
                return ChangeVerdict(
                    source: .breaks(
                        "A call of \(change.name) gives another result: bytes in place of values, or the reverse."),
                    wire: .breaks("Apps from before this change read the response in the old form, and fail."),
                    direction: .both)
            }
            return ChangeVerdict(
                source: .breaks(
                    isGone
                        ? "A call of \(change.name) gives nothing anymore."
                        : "A call of \(change.name) gives a result, and code that expects none no longer compiles."),
                wire: isGone
                    ? .breaks("Apps from before this change wait for a payload that does not come.")
                    : .warns("Apps from after this change need a payload that servers from before it do not send."),
                direction: isGone ? .oldApp : .newApp)
        },
        .unlisted(["endpoint.response"], "Each part of a response is compared."),
        .verdict(["response.type"]) { FieldVerdicts.received($0) },
        .verdict(["response.encoding"]) { _ in
            .wire("Apps from before this change read the response in the old encoding, and fail.", .both)
        },
        .verdict(["response.skipInvalid"], [.added]) { _ in
            .warning("Apps from after this change leave out elements that they cannot read, and do not fail.", .newApp)
        },
        .verdict(["response.skipInvalid"], [.removed, .changed]) { _ in
            .warning("Apps from after this change fail because of one element that they cannot read.", .newApp)
        },
        .harmless(["response.single"], [.added], "Apps from after this change read more than before."),
        .verdict(["response.single"], [.removed, .changed]) { _ in
            .wire("Apps from after this change do not read one object in place of a list.", .newApp)
        },
        .verdict(["endpoint.outcomes.*"], [.added]) { change in
            ChangeVerdict(
                source: .breaks("A `switch` over the results needs a case for \(change.name)."),
                behavior: .breaks(
                    "Apps from before this change take the outcome \(change.name) for \(mistaken(change.endpoint.new, change))."
                ),
                direction: .oldApp)
        },
        .verdict(["endpoint.outcomes.*"], [.removed]) { change in
            ChangeVerdict(
                source: .breaks("The results have no case \(change.name) anymore."),
                wire: .breaks(
                    "Apps from after this change take the outcome \(change.name) of servers from before it for \(mistaken(change.endpoint.old, change))."
                ),
                direction: .newApp)
        },
        .verdict(["endpoint.outcomes.*"], [.renamed]) { change in
            .source("The outcome \(change.before) is called \(change.after) in Swift.")
        },
        .unlisted(["endpoint.outcomes.*"], [.changed], "Each key of an outcome is compared."),
        .verdict(["outcome.when"]) { change in
            ChangeVerdict(
                wire: .breaks("Apps from before this change recognize \(change.name) by \(change.before)."),
                behavior: .breaks("These apps take the outcome for another result, and go on as after that one."),
                direction: .both)
        },
        .unlisted(["outcome.doc"], "Only people read it."),
        .verdict(["endpoint.delivery"]) { change in
            ChangeVerdict(
                source: .breaks("A call of \(change.name) gives its result in another way."),
                wire: .breaks("Apps from before this change wait for the response in its old form."),
                direction: .both)
        },
        .verdict(["stream.stream", "stream.end", "stream.name"]) { _ in
            .wire("Apps from before this change read the stream in its old form.", .both)
        },
        .verdict(["stream.failures.*"]) { _ in
            .behavior(
                "Apps from before this change take an event with a failure for an element, or the reverse.", .both)
        },
        .verdict(["stream.idle", "stream.reopen"]) { _ in
            .warning("Apps from before this change open the stream again at other times.", .oldApp)
        },
        .verdict(["stream.position", "stream.resume"]) { _ in
            .behavior("After a lost connection, apps miss elements or get them twice.", .both)
        },
        .verdict(["stream.cancel"]) { _ in
            .warning("The server goes on to send elements to apps that no longer want them.", .both)
        },
        .harmless(["endpoint.paginate"], [.added], "The client also has a sequence over the pages."),
        .verdict(["endpoint.paginate"], [.removed, .changed]) { change in
            ChangeVerdict(
                source: .breaks("The client has no sequence over the pages of \(change.name) anymore."),
                wire: .warns(
                    "Apps from before this change still ask for each page, and a server without pages sends the same elements for all of them."
                ),
                direction: .oldApp)
        },
        .verdict(["paginate.items"]) { _ in
            ChangeVerdict(
                source: .warns("Code that goes through the pages itself has to follow."),
                wire: .breaks("Apps from before this change look for the elements of a page in the old place."),
                direction: .both)
        },
        .verdict(
            [
                "paginate.page", "paginate.offset", "paginate.cursor", "paginate.link", "paginate.next",
                "paginate.last", "paginate.more",
            ]
        ) { change in
            ChangeVerdict(
                source: .warns("Code that counts the pages itself has to follow."),
                wire: .breaks(
                    "Apps from before this change look for the next page in the old place, and stop or never end."),
                direction: .both)
        },
        .verdict(["paginate.size", "paginate.total"]) { _ in
            .warning("Apps from before and after this change know the last page by different signs.")
        },
        .verdict(["paginate.foreign"]) { _ in
            .warning(
                "Apps from after this change follow a link to another origin that apps from before it refuse, or the reverse.",
                .newApp)
        },
    ]

    /// What apps that do not know an outcome take it for, by the statuses that it has.
    private static func mistaken(_ endpoint: EndpointDefinition?, _ change: Situation) -> String {
        let conditions = endpoint?.outcomes.first { $0.name.value == change.edit.place.last }?.conditions ?? []
        let statuses = conditions.flatMap { $0.statuses.map(\.value) }
        guard conditions.allSatisfy({ !$0.statuses.isEmpty }), endpoint?.settings.envelope == nil else {
            return "another result"
        }
        if statuses.allSatisfy({ $0.lowerBound >= 400 }) { return "a failure" }
        return statuses.allSatisfy { $0.upperBound < 300 } ? "the usual response" : "another result"
    }

    // MARK: Requests

    /// Parameters of a path have no name on the wire, and a value in Swift.
    private static func target(_ change: Situation) -> ChangeVerdict {
        let (old, new) = (change.edit.old?.text ?? "", change.edit.new?.text ?? "")
        let (before, after) = (TargetSpelling(old), TargetSpelling(new))
        func expanded(_ type: String, _ types: TypeTable) -> String {
            TypeReference(spelling: type).map { types.expanded($0).spelling } ?? type
        }
        var verdict = ChangeVerdict.none
        if before.wire({ expanded($0, change.old.types) }) != after.wire({ expanded($0, change.new.types) }) {
            verdict = .wire(
                "Apps from before this change send \(change.before), and the server expects \(change.after).", .both)
        }
        func inputs(_ target: TargetSpelling, _ types: TypeTable) -> [String] {
            target.parameters.map { "\($0.name): \(Situation.swiftType(expanded($0.type, types)))" }.sorted()
        }
        if inputs(before, change.old.types) != inputs(after, change.new.types) {
            verdict.source = .breaks("A call of \(change.name) has to pass other parameters of the path.")
        }
        return verdict
    }

    /// Whether a server needs the body: one of its fields has to be there.
    private static func needsBody(_ body: ComparedNode?, _ change: Situation) -> Bool {
        guard let body else { return false }
        if let type = body["type"]?.text { return TypeReference(spelling: type)?.isOptional != true }
        guard case .entries(let fields)? = body["fields"] else { return true }
        return fields.contains { change.isRequired($0.node) }
    }
}

extension Situation {
    /// The payload of a response; nil for a response without one.
    fileprivate func payload(_ response: ComparedNode?) -> ComparedNode? {
        response?["type"] ?? response?["fields"] ?? response?["encoding"]
    }
}
