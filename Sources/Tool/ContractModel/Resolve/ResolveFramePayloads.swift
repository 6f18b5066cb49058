import Diagnostics

// Where the connection has no member for the payload, the members of the payload are beside kind and id. So none of them has their name.
extension Resolution {
    mutating func checkPayloads(
        of endpoint: EndpointDefinition, beside connection: ConnectionDefinition, _ envelope: EnvelopeDefinition?
    ) {
        guard connection.payload == nil else { return }
        let name = endpoint.name.value
        switch endpoint.body?.content {
        case .fields(let fields): reportClash(of: fields, with: connection)
        case .type(let type, let range): checkBeside(connection, type, at: range, "the body of `\(name)`")
        case .bytes, nil: break
        }
        if case .field(let key)? = endpoint.idempotencyKey?.place, connection.members.contains(key.value) {
            reportClash(key.value, "carries the idempotency key", at: key.range)
        }
        // An envelope leads to a payload inside the frame.
        guard envelope?.data == nil else { return }
        for outcome in endpoint.outcomes {
            checkBeside(connection, outcome.data, "the data of `\(outcome.name.value)`")
        }
        if envelope?.list != nil, isList(endpoint.response.value) { return }
        switch endpoint.response.value {
        case .fields(let fields): reportClash(of: fields, with: connection)
        case .type(let type, _, _):
            checkBeside(connection, type, at: endpoint.response.range, "the response of `\(name)`")
        case .none, .bytes: break
        }
    }

    /// Checks what endpoints have in common: their envelopes, and the errors that come without one.
    mutating func checkSharedPayloads(
        beside connection: ConnectionDefinition, _ endpoints: [ResolvedEndpoint], _ errors: [ErrorDefinition],
        _ envelopes: [EnvelopeDefinition]
    ) {
        guard connection.payload == nil else { return }
        var bare: Set<String> = []
        for endpoint in endpoints {
            let envelope = envelopes.first { $0.name.value == endpoint.envelope }
            if envelope?.data == nil { bare.formUnion(endpoint.errors) }
        }
        for error in errors where bare.contains(error.name.value) {
            checkBeside(connection, error.data, "the data of `\(error.name.value)`")
        }
        for envelope in envelopes {
            for path in [envelope.data, envelope.list, envelope.code, envelope.error, envelope.message] {
                guard let path, let first = path.value.keys.first, connection.members.contains(first) else { continue }
                reportClash(first, "is a part of the envelope `\(envelope.name.value)`", at: path.range)
            }
        }
    }

    private func isList(_ response: ResponseDefinition) -> Bool {
        guard case .type(let type, _, _) = response else { return false }
        return expanded(type.unwrapped)?.isList == true
    }

    private mutating func checkBeside(_ connection: ConnectionDefinition, _ data: ErrorData?, _ what: String) {
        switch data {
        case .fields(let fields): reportClash(of: fields, with: connection)
        case .type(let type, let range): checkBeside(connection, type, at: range, what)
        case nil: break
        }
    }

    /// Reports fields that would be a second member with the name of the kind or the id.
    mutating func reportClash(of fields: [FieldDefinition], with connection: ConnectionDefinition) {
        guard connection.payload == nil else { return }
        for field in fields {
            if field.holdsOtherMembers {
                reportOpen("the payload", at: field.name.range)
            } else if connection.members.contains(field.wireName) {
                reportClash(field.wireName, "is a field of the payload", at: field.name.range)
            }
        }
    }

    private mutating func reportClash(_ member: String, _ what: String, at range: SourceRange) {
        let isKind = member == contract.connection?.kindMember
        report(
            .frameMemberClash,
            "`\(member)` has the \(isKind ? "kind" : "id") of a frame, and \(what) too", at: range,
            help: "add `payload: data` to the connection, or give one of them another name")
    }

    /// Reports a payload that takes all members: kind and id would be two of them.
    private mutating func reportOpen(_ what: String, at range: SourceRange) {
        report(
            .frameMemberClash,
            "\(what) has `additionalProperties`, and the kind and the id of a frame would be among them", at: range,
            help: "add `payload: data` to the connection")
    }

    /// Checks that a payload of one type has named members where it is beside kind and id.
    mutating func checkBeside(
        _ connection: ConnectionDefinition, _ type: TypeReference, at range: SourceRange, _ what: String
    ) {
        guard connection.payload == nil, let expanded = expanded(type) else { return }
        guard case .named(let name) = expanded, let definition = self.type(name.value) else {
            if case .named = expanded { return }  // unknown types are reported elsewhere
            return reportNotObject(type, at: range, what)
        }
        var members = PayloadMembers()
        switch definition.form {
        case .structure, .union: add(name.value, to: &members, depth: 0)
        case .enumeration, .alias: members.isObject = false
        }
        guard members.isObject else { return reportNotObject(type, at: range, what) }
        for member in connection.members where members.names.contains(member) {
            reportClash(member, "is a member of `\(type.spelling)`", at: range)
        }
        if members.isOpen { reportOpen("`\(type.spelling)`", at: range) }
    }

    private mutating func reportNotObject(_ type: TypeReference, at range: SourceRange, _ what: String) {
        report(
            .framePayloadNotObject,
            "\(what) is `\(type.spelling)`, which cannot be beside the kind and the id of a frame", at: range,
            help: "add `payload: data` to the connection, or write fields")
    }

    /// The members that the values of a type can have.
    private struct PayloadMembers {
        var names: Set<String> = []
        /// Whether a value can have members with any name.
        var isOpen = false
        var isObject = true
        var types: Set<String> = []
    }

    /// Adds the members of a structure, or of all cases of a union.
    private func add(_ typeName: String, to members: inout PayloadMembers, depth: Int) {
        guard depth < UnionDefinition.deepest, members.types.insert(typeName).inserted else { return }
        switch type(typeName)?.form {
        case .structure(let fields)?:
            for field in fields {
                if field.holdsOtherMembers { members.isOpen = true } else { members.names.insert(field.wireName) }
            }
        case .union(let union)?:
            if union.isByKind { members.isObject = false }
            if let discriminator = union.discriminator { members.names.insert(discriminator.value) }
            for item in union.cases {
                if case .key = union.distinction { members.names.insert(item.name.value) }
                if case .named(let name)? = expanded(item.type.unwrapped)?.unwrapped {
                    add(name.value, to: &members, depth: depth + 1)
                }
            }
        case .enumeration?, .alias?, nil: break
        }
    }
}

extension ConnectionDefinition {
    /// The members of a frame that the payload cannot have beside them.
    var members: [String] { [kindMember, correlationMember] }
}
