import ContractModel

/// The shapes of the documents in XML that an endpoint reads and sends.
///
/// The runtime translates a document into the JSON that the generated code reads. The shapes say where XML has less: which
/// elements are lists, and which texts are numbers.
struct XMLPlan {
    private let contract: ResolvedContract
    private let types: Expression
    private let hasTypes: Bool

    init(_ context: EmissionContext) {
        contract = context.contract
        types = context.inside("XMLShapes").member("types")
        hasTypes = !context.usage.inXML.isEmpty
    }

    /// The description of an endpoint's documents; nil if it has none.
    func description(of endpoint: ResolvedEndpoint) -> Expression? {
        guard endpoint.usesXML else { return nil }
        var arguments = [Argument(SwiftType.named("SystemXML").make([]))]
        if hasTypes { arguments.append(Argument("types", types)) }
        if endpoint.isXMLResponse {
            let envelope = endpoint.envelope.flatMap { contract.envelope(named: $0) }
            arguments.append(Argument("response", response(of: endpoint, envelope)))
            let data = self.data(of: endpoint, envelope)
            if !data.isEmpty { arguments.append(Argument("data", .dictionary(data))) }
        }
        if let body = endpoint.body, body.encoding == .xml, let element = body.element {
            let values = [Argument(.string(element.value)), Argument(shape(of: body))]
            arguments.append(Argument("body", SwiftType.named("XMLBody").make(values)))
        }
        return SwiftType.named("XMLDescription").make(arguments)
    }

    /// The types of the contract that documents in XML have, as members of a table.
    static func types(_ context: EmissionContext) -> [Expression] {
        let used = context.usage.inXML
        let plan = XMLPlan(context)
        return context.contract.types.filter { used.contains($0.name.value) }.compactMap { type in
            plan.shape(of: type).map { plan.member(type.name.value, $0, isOptional: false) }
        }
    }

    // MARK: Documents

    private func response(of endpoint: ResolvedEndpoint, _ envelope: EnvelopeDefinition?) -> Expression {
        switch endpoint.response.value {
        case .type(let type, _, _):
            let own = contract.shape(of: type)
            let shape = own.wrapped
            let isList = if case .list = shape { true } else { false }
            let path = isList ? envelope?.list ?? envelope?.data : envelope?.data
            return nested(expression(shape), at: path, isOptional: own.isOptional)
        case .fields(let fields): return nested(object(fields), at: envelope?.data)
        case .none, .bytes: return .implicit("any")
        }
    }

    private func data(
        of endpoint: ResolvedEndpoint, _ envelope: EnvelopeDefinition?
    ) -> [(key: String, value: Expression)] {
        let outcomes = endpoint.outcomes.map { ($0.name.value, $0.data) }
        let errors = endpoint.errors.map { ($0, contract.error(named: $0)?.data) }
        return (outcomes + errors).compactMap { name, data -> (key: String, value: Expression)? in
            switch data {
            case .fields(let fields)?: return (name, nested(object(fields), at: envelope?.data))
            case .type(let type, _)?:
                let shape = contract.shape(of: type)
                return (name, nested(expression(shape), at: envelope?.data, isOptional: shape.isOptional))
            case nil: return nil
            }
        }
    }

    private func shape(of body: BodyDefinition) -> Expression {
        switch body.content {
        case .fields(let fields): object(fields)
        case .type(let type, _): expression(contract.shape(of: type))
        case .bytes: .implicit("any")
        }
    }

    /// The shape of a document that has a value at a path.
    private func nested(
        _ shape: Expression, at path: Located<FieldPath>?, isOptional: Bool = true
    ) -> Expression {
        (path?.value.keys ?? []).reversed().reduce(shape) { inner, key in
            .implicit("object", .array([member(key, inner, isOptional: isOptional)]))
        }
    }

    // MARK: Shapes

    private func shape(of type: TypeDefinition) -> Expression? {
        switch type.form {
        case .structure(let fields): return object(fields)
        case .union(let union):
            let cases = union.cases.map { ($0.name.value, expression(contract.shape(of: $0.type))) }
            guard let key = union.discriminator?.value else {
                return .implicit("choice", .array(cases.map { member($0.0, $0.1, isOptional: false) }))
            }
            let value = member(key, .implicit(union.hasNumbers ? "number" : "token"), isOptional: false)
            return .implicit(
                "union", [Argument("by", value), Argument(.dictionary(cases.map { (key: $0.0, value: $0.1) }))])
        case .enumeration, .alias: return nil
        }
    }

    private func object(_ fields: [FieldDefinition]) -> Expression {
        let members = fields.map { field in
            member(field.wireName, expression(contract.shape(of: field)), isOptional: !field.isRequired)
        }
        return .implicit("object", .array(members))
    }

    /// - Parameter isOptional: whether a list may be absent. It says nothing about other shapes.
    private func member(_ name: String, _ shape: Expression, isOptional: Bool) -> Expression {
        var arguments = [Argument(.string(name)), Argument(shape)]
        if isOptional, case .call(.implicit("list"), _) = shape { arguments.append(Argument("optional", .bool(true))) }
        return SwiftType.named("XMLMember").make(arguments)
    }

    private func expression(_ shape: Shape) -> Expression {
        switch shape {
        case .primitive(let primitive): .implicit(Self.word(of: primitive))
        case .instant(let forms): .implicit(forms.tellsNumbers ? "number" : "token")
        case .enumeration(let name): .implicit(contract.hasNumbers(inEnumeration: name) ? "number" : "token")
        case .structure(let name), .union(let name): .implicit("type", .string(name))
        case .optional(let inner): expression(inner)
        case .list(let element): .implicit("list", expression(element))
        case .map(let value): .implicit("map", expression(value))
        }
    }

    private static func word(of primitive: Primitive) -> String {
        switch primitive {
        case .string: "text"
        case .bool: "bool"
        case .timestamp, .date, .dateOrTimestamp, .uuid, .url: "token"
        case .bytes: "bytes"
        case .json, .file: "any"
        case .int, .int32, .int64, .uint, .double, .float, .decimal, .timestampUnix, .timestampMilliseconds: "number"
        }
    }
}
