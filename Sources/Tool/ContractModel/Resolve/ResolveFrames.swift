import Diagnostics

// What a frame carries, how its replies come, and which commands need one reply.
extension Resolution {
    // MARK: Delivery

    /// Checks what the delivery of an endpoint excludes, over HTTP and over a connection.
    mutating func checkDelivery(of endpoint: EndpointDefinition) {
        guard let delivery = endpoint.delivery?.value else { return }
        switch delivery {
        case .reply: break
        case .stream: checkStream(of: endpoint)
        case .none where endpoint.frame == nil:
            report(
                .httpWithoutDelivery, "`delivery: none` is only valid for a frame, because HTTP always responds",
                at: endpoint.delivery?.range ?? endpoint.name.range,
                help: "write `response: none` for a response without a payload")
        case .none: checkNoReply(of: endpoint)
        }
    }

    private mutating func checkStream(of endpoint: EndpointDefinition) {
        let place = endpoint.delivery?.range ?? endpoint.name.range
        let (name, help) = (endpoint.name.value, "write the type of one element, such as `response: {text: string}`")
        switch endpoint.response.value {
        case .bytes:
            let instead =
                endpoint.frame == nil
                ? ", or remove `delivery` and read the bytes as they come" : "; raw bytes are a field of type `bytes`"
            report(
                .streamWithoutElements,
                "the elements of a stream are JSON, and `bytes` is what a whole response of `\(name)` would be",
                at: endpoint.response.range, notes: [DiagnosticNote("the stream", at: place)], help: help + instead)
        case .none:
            report(
                .streamWithoutElements,
                endpoint.hasResponse
                    ? "the elements of a stream need a type, and the `response` of `\(name)` has none"
                    : "`\(name)` is a stream, but has no `response` with the type of its elements",
                at: endpoint.hasResponse ? endpoint.response.range : place, help: help)
        case .type, .fields: break
        }
        if let outcome = endpoint.outcomes.first {
            report(
                .streamWithOutcomes, "a stream has many elements, so an outcome cannot be its result",
                at: outcome.name.range, notes: [DiagnosticNote("the delivery", at: place)],
                help: "make it an error of the endpoint, or a case of a union that is the element")
        }
    }

    private mutating func checkNoReply(of endpoint: EndpointDefinition) {
        func refuse(_ what: String, at range: SourceRange) {
            report(
                .replyWithoutDelivery, "`\(endpoint.name.value)` has no reply, so it cannot have \(what)", at: range,
                help: "remove it, or remove `delivery: none`")
        }
        if let effect = endpoint.declaredEffect, endpoint.effect == .read {
            report(
                .replyWithoutDelivery, "`\(endpoint.name.value)` has no reply, so there is nothing that it could read",
                at: effect.range, notes: endpoint.delivery.map { [DiagnosticNote("the delivery", at: $0.range)] } ?? [],
                help: "write `effect: idempotent` if the frame may be sent twice, or remove `delivery: none`")
        }
        if case .none = endpoint.response.value {} else { refuse("a `response`", at: endpoint.response.range) }
        if let outcome = endpoint.outcomes.first { refuse("outcomes", at: outcome.name.range) }
        if let confirm = endpoint.confirm { refuse("a confirmation", at: confirm.endpoint.range) }
        for name in endpoint.errors {
            guard case .found(let found) = scope.error(name.value), found.definition.builtIn == nil,
                found.definition.conditions.allSatisfy({ $0.close.isEmpty && $0.transport.isEmpty })
            else { continue }
            refuse("the error `\(name.value)`, which a reply says", at: name.range)
        }
    }

    // MARK: Frames

    mutating func check(_ frame: FrameTarget, of endpoint: EndpointDefinition, _ envelope: EnvelopeDefinition?) {
        if endpoint.declaredEffect == nil {
            report(
                .frameWithoutEffect,
                "`\(endpoint.name.value)` has no `effect`, and a frame has no method to infer it from",
                at: frame.kind.range,
                help: "write `effect: read`, `idempotent`, `once`, or `{keyed: {field: key}}`")
        }
        if endpoint.effect == .keyed {
            if case .field? = endpoint.idempotencyKey?.place {
            } else {
                report(
                    .keyedFrameWithoutField, "a frame has no headers, so the idempotency key needs a field",
                    at: endpoint.declaredEffect?.range ?? frame.kind.range,
                    help: "write `effect: {keyed: {field: key}}`")
            }
        }
        if let body = endpoint.body, body.encoding != .json || body.contentType != nil {
            report(
                .httpKeyAtFrame, "the payload of a frame is JSON, so its body has no other encoding or media type",
                at: body.range, help: "write `body: {name: string}`; raw bytes are a field of type `bytes`")
        }
        if case .bytes = endpoint.response.value, endpoint.delivery?.value != .stream {
            report(
                .httpKeyAtFrame, "the payload of a frame is JSON, so a reply cannot be raw bytes",
                at: endpoint.response.range, help: "write a field of type `bytes`, which is Base64 in JSON")
        }
        if let stream = endpoint.stream {
            if stream.format != .frames {
                report(
                    .httpKeyAtFrame, "`stream: \(stream.format.rawValue)` is about a response of HTTP",
                    at: endpoint.delivery?.range ?? frame.kind.range, help: "write `stream: frames`")
            }
            checkPosition(in: stream, of: endpoint)
        }
        guard let connection = contract.connection else { return }
        checkPayloads(of: endpoint, beside: connection, envelope)
    }

    // MARK: Positions

    private mutating func checkPosition(in stream: StreamDefinition, of endpoint: EndpointDefinition) {
        guard let position = stream.position, let resume = stream.resume else { return }
        let fields: [FieldDefinition] =
            switch endpoint.response.value {
            case .fields(let fields): fields
            case .type(let type, _, _): structureFields(type) ?? []
            case .none, .bytes: []
            }
        guard let element = fields.first(where: { $0.name.value == position.value }) else {
            reportMissing(
                .unknownPath, "field of an element called", position, among: fields.map(\.name.value),
                help: "write a field of the `response`")
            return
        }
        guard let type = expanded(element.type), type == .primitive(.string) || isWholeNumber(type) else {
            report(
                .positionMismatch,
                "`\(position.value)` is a `\(element.type.spelling)`, and a position is an integer or a text",
                at: position.range, notes: [DiagnosticNote("the field", at: element.name.range)],
                help: "write `int` or `string`, not optional")
            return
        }
        let inputs: [FieldDefinition] = if case .fields(let own)? = endpoint.body?.content { own } else { [] }
        guard let input = inputs.first(where: { $0.name.value == resume.value }) else {
            reportMissing(
                .unknownInput, "input of `\(endpoint.name.value)` called", resume, among: inputs.map(\.name.value),
                help: "add `\(resume.value): \(element.type.spelling)?` to the `body`")
            return
        }
        guard input.type.isOptional, !input.distinguishesNull, expanded(input.type.unwrapped) == type else {
            report(
                .positionMismatch,
                "`\(resume.value)` is a `\(input.type.spelling)`, and takes the position `\(position.value)` of type `\(element.type.spelling)`",
                at: resume.range, notes: [DiagnosticNote("the input", at: input.name.range)],
                help: "write `\(resume.value): \(element.type.spelling)?`")
            return
        }
    }

    private func isWholeNumber(_ type: TypeReference) -> Bool {
        if case .primitive(let primitive) = type { primitive.isWholeNumber } else { false }
    }

    // MARK: Sessions

    /// Reports a token that is presented by a frame in a contract that has none.
    mutating func checkAttached(_ placement: Located<SessionDefinition.Placement>, _ session: SessionDefinition) {
        guard placement.value == .attached, session.attach == nil, let from = session.from else { return }
        report(
            .frameKeyAtRequest,
            "`\(from.value)` presents its token with a command on its own connection, so this contract cannot share it",
            at: from.range, notes: [DiagnosticNote("its `attach`", at: placement.range)],
            help: contract.connection == nil
                ? "add `header: Authorization` with `format: \"Bearer {token}\"`"
                : "add `attach: NAME` with an endpoint of this contract, or `header: Authorization`")
    }

    /// The input that takes the token: the one that the endpoint has.
    mutating func attachInput(of endpoint: ResolvedEndpoint, _ name: Located<String>) -> String? {
        if endpoint.effect.isUnsafe {
            report(
                .attachWithEffect,
                "`\(endpoint.name.value)` is sent on every new connection, so its effect cannot be `\(endpoint.effect.rawValue)`",
                at: name.range, notes: [DiagnosticNote("the endpoint", at: endpoint.name.range)],
                help: "write `effect: idempotent`")
        }
        let inputs = endpoint.inputs
        guard inputs.count == 1, let input = inputs.first, expanded(input.type) == .primitive(.string),
            input.isSensitive
        else {
            report(
                .attachNotOneToken,
                "`\(endpoint.name.value)` must have exactly one input, a sensitive text for the token", at: name.range,
                notes: [DiagnosticNote("the endpoint", at: endpoint.name.range)],
                help: "write `body: {token: {type: string, sensitive: true}}`")
            return nil
        }
        return input.name.value
    }

    /// Checks that the commands of a session have the reply that the session depends on.
    mutating func checkSessionReplies(_ session: ResolvedSession?, _ endpoints: [ResolvedEndpoint]) {
        guard let session else { return }
        let roles = [
            (session.login, "starts the session", false), (session.refresh, "renews the session", false),
            (session.attach, "presents the token", false), (session.logout, "ends the session", true),
        ]
        for (name, role, isLogout) in roles {
            guard let name, let endpoint = endpoints.first(where: { $0.name.value == name }),
                let delivery = endpoint.definition.delivery, delivery.value != .reply
            else { continue }
            if delivery.value == Delivery.none, isLogout { continue }
            report(
                .sessionWithoutReply,
                "`\(name)` \(role), so it needs one reply, and not \(delivery.value == .stream ? "a stream" : "none")",
                at: delivery.range, help: "remove `delivery`")
        }
    }
}
