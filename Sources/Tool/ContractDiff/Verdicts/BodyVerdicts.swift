import ContractModel

/// The verdicts of the bodies of requests.
enum BodyVerdicts {
    static let rules: [VerdictRule] = [
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
        .verdict(["body.nesting"]) { change in
            let versions = [(change.endpoint.old, change.old), (change.endpoint.new, change.new)]
            guard versions.contains(where: { nests($0, $1) }) else { return .none }
            return .wire(
                "Apps from before this change send the inner values of \(change.name) in parts of the old form.", .both)
        },
        .verdict(["body.encoding"]) { change in
            let isOfBytes = (change.edit.old?.text == "bytes", change.edit.new?.text == "bytes")
            var verdict = encoded(change)
            if isOfBytes.0 != isOfBytes.1 {
                verdict.source = .breaks("A call of \(change.name) passes bytes in place of values, or the reverse.")
            }
            return verdict
        },
        .verdict(["body.contentType"]) { encoded($0) },
        .verdict(["body.element"]) { _ in .wire(otherEncoding, .both) },
    ]

    /// The verdict for another encoding of a body. The server of a document may take the old one beside it.
    private static func encoded(_ change: Situation) -> ChangeVerdict {
        func body(_ version: ContractVersion, _ place: [String]) -> DocumentFacts.Body? {
            place.count > 1 ? version.facts?.bodies[place[1]] : nil
        }
        guard let old = body(change.old, change.edit.places.old), let new = body(change.new, change.edit.places.new),
            new.all.contains(old.sent)
        else { return .wire(otherEncoding, .both) }
        guard !old.all.contains(new.sent) else { return .none }
        return ChangeVerdict(
            wire: .warns(
                "Apps from after this change send `\(new.sent)`, which servers from before it do not read."),
            direction: .newApp)
    }

    private static let otherEncoding =
        "Apps from before this change encode the body in the old way, which the server does not read."

    /// Whether a multipart body has values other than files, single ones and lists of these.
    private static func nests(_ endpoint: EndpointDefinition?, _ version: ContractVersion) -> Bool {
        guard case .fields(let fields)? = endpoint?.body?.content else { return true }
        func isSingle(_ type: TypeReference) -> Bool {
            switch type {
            case .primitive(let primitive): return primitive != .json
            case .named(let name):
                if case .enumeration? = version.type(named: name.value)?.form { return true }
                return false
            case .optional, .list, .map: return false
            }
        }
        return fields.contains { field in
            var type = version.types.expanded(field.type).unwrapped
            if case .list(let element) = type { type = element }
            return !isSingle(type)
        }
    }

    /// Whether a server needs the body: one of its fields has to be there.
    private static func needsBody(_ body: ComparedNode?, _ change: Situation) -> Bool {
        guard let body else { return false }
        if let type = body["type"]?.text { return TypeReference(spelling: type)?.isOptional != true }
        guard case .entries(let fields)? = body["fields"] else { return true }
        return fields.contains { change.isRequired($0.node) }
    }
}
