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
            change.renamed { "The command \($0) is called \($1) in Swift." }
        },
        .unlisted(["contract.endpoints.*"], [.changed], "Each key of an endpoint is compared."),
        .harmless(["endpoint.group"], [.added], "The command is also found under its own name."),
        .verdict(["endpoint.group"]) { change in
            .source("The client has no command \(change.name) under \(change.before) anymore.")
        },
        .verdict(["endpoint.swift", "error.swift", "event.swift", "type.swift", "field.swift"]) { $0.swiftName },
        .unlisted(
            ["endpoint.doc", "endpoint.examples.*", "endpoint.examples.*.*", "field.example"],
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
        .harmless(
            ["deprecation.text", "deprecation.sunset"], "At most the text of the compiler's warning changes."),
    ]

    private static let requests: [VerdictRule] = [
        .verdict(["endpoint.target"]) { change in target(change) },
        .unlisted(["frame.name", "frame.reply"], "The frame of an endpoint is compared as its target."),
        .verdict(["endpoint.server"]) { _ in
            .wire("Apps from before this change send the request to the other origin.", .both)
        },
    ]

    private static let responses: [VerdictRule] = [
        .verdict(["endpoint.response"], [.changed]) { change in
            if change.hasOnlyHeaders { return headers(change) }
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
            change.renamed { "The outcome \($0) is called \($1) in Swift." }
        },
        .unlisted(["endpoint.outcomes.*"], [.changed], "Each key of an outcome is compared."),
        .verdict(["outcome.when"]) { change in
            ChangeVerdict(
                wire: .breaks("Apps from before this change recognize \(change.name) by \(change.before)."),
                behavior: .breaks("These apps take the outcome for another result, and go on as after that one."),
                direction: .both)
        },
        .unlisted(["outcome.doc"], "Only people read it."),
        .verdict(["endpoint.delivery"]) { delivery($0) },
        .verdict(["stream.stream", "stream.end", "stream.name"]) { _ in
            .wire("Apps from before this change read the stream in its old form.", .both)
        },
        .verdict(["stream.failures.*"]) { _ in
            .behavior(
                "Apps from before this change take an event with a failure for an element, or the reverse.", .both)
        },
        .verdict(["stream.idle"]) { _ in
            .warning("Apps from before this change open the stream again at other times.", .oldApp)
        },
        .verdict(["stream.reopen"]) { change in
            let sentence = "Apps from before this change open the stream again at other times."
            guard let old = change.endpoint.old?.stream, let new = change.endpoint.new?.stream, new.format != .frames,
                (old.reopening == .always) != (new.reopening == .always)
            else { return .warning(sentence, .oldApp) }
            return ChangeVerdict(
                source: loop(over: change, isTold: new.reopening == .always), behavior: .warns(sentence),
                direction: .oldApp)
        },
        .verdict(["stream.position"], [.added, .removed]) { change in
            let isAdded = change.edit.edit == .added
            return ChangeVerdict(
                source: loop(over: change, isTold: !isAdded),
                behavior: .warns(
                    isAdded
                        ? "Apps from before this change still miss elements after a lost connection."
                        : "Apps from after this change miss elements after a lost connection."),
                direction: isAdded ? .oldApp : .newApp)
        },
        .verdict(["stream.position", "stream.resume"], [.changed, .renamed]) { _ in
            .behavior(
                "Apps from before and after this change miss elements after a lost connection, or get them twice.",
                .both)
        },
        .unlisted(["stream.resume"], [.added, .removed], "It comes and goes with `position`, which has the verdict."),
        .verdict(["stream.cancel"]) { _ in
            .warning(
                "Apps from before and after this change may get elements after they have ended the stream.", .both)
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
        .verdict(["paginate.more", "paginate.past"]) { _ in
            .warning("Apps from before and after this change know the last page by different signs.")
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
                "paginate.last",
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
                "Apps from before and after this change treat a link to another origin differently.",
                .newApp)
        },
    ]

    /// What a loop over a stream gets that tells where elements may be missing, or no longer does.
    private static func loop(over change: Situation, isTold: Bool) -> ChangeVerdict.Judgment {
        let name = (change.edit.place.dropFirst().first ?? "").asCode
        return .breaks(
            isTold
                ? "A loop over \(name) gets an `EventOrGap` in place of the elements themselves."
                : "A loop over \(name) gets the elements themselves in place of an `EventOrGap`.")
    }

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

    // MARK: Responses

    private static func delivery(_ change: Situation) -> ChangeVerdict {
        func kind(_ node: ComparedNode?) -> String {
            switch node?.text {
            case "none": "none"
            case nil where node == nil, "reply": "reply"
            default: "stream"
            }
        }
        switch (kind(change.edit.old), kind(change.edit.new)) {
        case ("none", "reply"):
            return .wire(
                "Apps from after this change wait for a reply to \(change.name), which servers from before it do not send.",
                .newApp)
        case ("reply", "none"):
            return .wire(
                "Apps from before this change wait for a reply to \(change.name), which the server no longer sends.",
                .oldApp)
        default:
            return ChangeVerdict(
                source: .breaks("A call of \(change.name) gives its result in another way."),
                wire: .breaks("Apps from before this change wait for the response in its old form."),
                direction: .both)
        }
    }

    // MARK: Requests

    /// Parameters of a path have no name on the wire, and a value in Swift.
    private static func target(_ change: Situation) -> ChangeVerdict {
        let (old, new) = (change.edit.old?.text ?? "", change.edit.new?.text ?? "")
        let endpoints = (old: change.endpoint.old, new: change.endpoint.new)
        if let one = endpoints.old?.frame, let other = endpoints.new?.frame, one.kind.value == other.kind.value,
            change.old.reply(to: one) == change.new.reply(to: other)
        {
            return .none
        }
        if let one = endpoints.old?.frame, let other = endpoints.new?.frame, one.kind.value == other.kind.value {
            // What apps send is the same.
            let replies = (change.old.reply(to: one).asCode, change.new.reply(to: other).asCode)
            return .wire(
                "Apps from before this change wait for \(replies.0) as the reply, and the server sends \(replies.1).",
                .both)
        }
        let (before, after) = (TargetSpelling(old), TargetSpelling(new))
        var verdict = ChangeVerdict.none
        if before.wire({ _ in "" }) != after.wire({ _ in "" }) {
            if !change.hasSameURLs(endpoints.old, endpoints.new) {
                verdict = .wire(
                    "Apps from before this change send \(change.before), and the server expects \(change.after).", .both
                )
            }
        } else {
            verdict = zip(before.parameters, after.parameters).reduce(verdict) {
                $0.joined(with: FieldVerdicts.inPath($1.0.type, $1.1.type, change))
            }
        }
        if verdict == .none, let moved = before.moved(in: after) {
            verdict = .wire(
                "Apps from before this change send \(moved.name.asCode) where the server expects \(moved.other.asCode).",
                .both)
        }
        func inputs(_ target: TargetSpelling, _ types: TypeTable) -> [String] {
            target.parameters.map { "\($0.name): \(change.swiftType($0.type, types))" }
        }
        /// A parameter of the path may have been another input, or become one.
        func others(_ fields: [FieldDefinition]?, _ types: TypeTable) -> Set<String> {
            Set((fields ?? []).map { "\($0.name.value): \(change.swiftType($0.type.unwrapped.spelling, types))" })
        }
        // A path has no room for a value that a call leaves out.
        let passedBefore = endpoints.old?.inputs.filter { !$0.type.isOptional && $0.defaultValue == nil }
        let (passed, wanted) = (inputs(before, change.old.types), inputs(after, change.new.types))
        let (left, came) = (Set(passed).subtracting(wanted), Set(wanted).subtracting(passed))
        if !left.isSubset(of: others(endpoints.new?.inputs, change.new.types))
            || !came.isSubset(of: others(passedBefore, change.old.types))
        {
            verdict.source = .breaks("A call of \(change.name) has to pass other parameters of the path.")
        } else if passed != wanted, Set(passed) == Set(wanted) {
            verdict.source = .breaks(
                "A call of \(change.name) has to pass the parameters of the path in another order.")
        } else if !left.isEmpty || !came.isEmpty {
            let order = change.inputOrder
            let names = (before.parameters + after.parameters).lazy.map(\.name)
            if let moved = names.compactMap({ order.displaced($0) }).first {
                verdict.source = .breaks(
                    "A call has to pass \(moved.first.asCode) before \(moved.second.asCode).")
            }
        }
        return verdict
    }

    /// The headers of a response without a payload are the result of a call. Each of them has a change of its own.
    private static func headers(_ change: Situation) -> ChangeVerdict {
        .source(
            change.payload(change.edit.new) == nil
                ? "A call of \(change.name) gives nothing anymore."
                : "A call of \(change.name) gives the headers of the response, and code that expects no result no longer compiles."
        )
    }
}

extension Situation {
    /// The payload of a response; nil for a response without one.
    fileprivate func payload(_ response: ComparedNode?) -> ComparedNode? {
        response?["type"] ?? response?["fields"] ?? response?["encoding"] ?? response?["headers"]
    }

    /// Whether one response is empty, and the other one has nothing but headers.
    fileprivate var hasOnlyHeaders: Bool {
        let responses = (edit.old, edit.new)
        guard (payload(responses.0) == nil) != (payload(responses.1) == nil) else { return false }
        return payload(responses.0) == responses.0?["headers"] && payload(responses.1) == responses.1?["headers"]
    }
}

extension EndpointDefinition {
    /// The inputs of a request that are not in its path.
    fileprivate var inputs: [FieldDefinition] {
        let inputs = query + headers + cookies
        if case .fields(let fields)? = body?.content { return inputs + fields }
        return inputs
    }
}
