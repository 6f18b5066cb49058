import ContractModel

/// The statements that write a command's inputs into its request: calls of `RequestEncoder`.
struct RequestStatements {
    private let context: EmissionContext
    private let request = Expression.name("request")
    private let value = Expression.name("value")

    init(_ context: EmissionContext) {
        self.context = context
    }

    /// The body of `encode(into:)`.
    func body(of endpoint: ResolvedEndpoint) -> [Statement] {
        var statements: [Statement] = []
        if let path = endpoint.path { statements += pathStatements(path) }
        for field in endpoint.query { statements.append(text(field, "query")) }
        for field in endpoint.headers { statements.append(text(field, "header")) }
        for field in endpoint.cookies { statements.append(text(field, "cookie")) }
        if let body = endpoint.body { statements += bodyStatements(body) }
        return statements
    }

    /// The statement for a common parameter.
    func common(_ parameter: CommonParameter, as place: String) -> Statement {
        func write(_ value: Expression) -> Statement {
            .expression(request.method(place, named(parameter.field, value)))
        }
        switch parameter.source {
        case .app where place == "parameter": return self.parameter(parameter.field)
        case .app: return text(parameter.field, place)
        case .constant(let text): return write(.string(text))
        case .each(.uuid): return write(request.method("uuid"))
        case .each(.timestamp):
            let shape = context.contract.shape(of: parameter.field)
            return write(TextExpressions.value(.member(request, "timestamp"), of: shape))
        }
    }

    /// A common parameter, whose place is known only when the request is made: in the query it is text, in a JSON body a value.
    private func parameter(_ field: FieldDefinition) -> Statement {
        let shape = context.contract.shape(of: field)
        let property = property(field)
        let subject = shape.isOptional ? value : property
        var arguments = [Argument(.string(field.wireName))]
        if case .list(let element) = shape.wrapped {
            let mapped = TextExpressions.conversion(.parameter(0), of: element)
            arguments.append(Argument("list", mapped.map { subject.method("map", closure: $0) } ?? subject))
        } else {
            arguments.append(Argument(TextExpressions.value(subject, of: shape.wrapped)))
        }
        let call = Statement.expression(request.method("parameter", arguments + sensitive(field)))
        return shape.isOptional ? .binding(name: "value", property, [call]) : call
    }

    // MARK: Path

    private func pathStatements(_ path: PathTemplate) -> [Statement] {
        switch path {
        case .wholeURL(let field):
            return [.expression(request.method("wholeURL", [Argument(property(field))] + sensitive(field)))]
        case .path(let parts):
            return parts.map { part in
                switch part {
                case .text(let text):
                    return .expression(request.method("path", .string(PercentText.path(text))))
                case .parameter(let field):
                    let shape = context.contract.shape(of: field)
                    guard case .list(let element) = shape else {
                        let text = TextExpressions.value(property(field), of: shape)
                        return .expression(request.method("segment", [Argument(text)] + sensitive(field)))
                    }
                    let list = Argument("joined", texts(of: property(field), element))
                    return .expression(request.method("segment", [list] + sensitive(field)))
                }
            }
        }
    }

    // MARK: Text

    /// A field as text under its name: a query parameter, a header, a field of a form. A list is one for each element.
    private func text(_ field: FieldDefinition, _ call: String, of owner: Expression? = nil) -> Statement {
        let shape = context.contract.shape(of: field)
        let property = property(field, of: owner)
        if let joining = field.joining?.value { return joined(field, by: joining, call, property, shape) }
        func write(_ expression: Expression, _ shape: Shape) -> Statement {
            .expression(request.method(call, named(field, TextExpressions.value(expression, of: shape))))
        }
        switch (shape, shape.wrapped) {
        case (.optional, .list(let element)):
            return .loop(name: "value", in: property.or(.array([])), [write(value, element)])
        case (_, .list(let element)): return .loop(name: "value", in: property, [write(value, element)])
        case (.optional, let inner): return .binding(name: "value", property, [write(value, inner)])
        default: return write(property, shape)
        }
    }

    /// A list as one text.
    private func joined(
        _ field: FieldDefinition, by joining: Joining, _ call: String, _ property: Expression, _ shape: Shape
    ) -> Statement {
        var list = shape.isOptional ? value : property
        if case .list(let element) = shape.wrapped { list = texts(of: list, element) }
        let arguments = [
            Argument(.string(field.wireName)), Argument("joined", list), Argument("by", .implicit(joining.rawValue)),
        ]
        let write = Statement.expression(request.method(call, arguments + sensitive(field)))
        return shape.isOptional ? .binding(name: "value", property, [write]) : write
    }

    /// A list with its elements as values of a request.
    private func texts(of list: Expression, _ element: Shape) -> Expression {
        TextExpressions.conversion(.parameter(0), of: element).map { list.method("map", closure: $0) } ?? list
    }

    // MARK: Body

    private func bodyStatements(_ body: BodyDefinition) -> [Statement] {
        // A document in XML is written as JSON, which the runtime translates.
        guard let type = body.statedMediaType else { return contentStatements(body) }
        return [.expression(request.method("contentType", .string(type)))] + contentStatements(body)
    }

    private func contentStatements(_ body: BodyDefinition) -> [Statement] {
        let encoding = body.encoding == .xml ? .json : body.encoding
        var arguments = [Argument(.implicit(encoding.rawValue))]
        if body.nesting != .json { arguments.append(Argument("nesting", .implicit(body.nesting.rawValue))) }
        let begin = Statement.expression(request.method("beginBody", arguments))
        let whole = Expression.member(.own, "body")
        switch body.content {
        case .bytes(let contentType):
            let arguments = [Argument(whole), Argument("contentType", .string(contentType))]
            return [.expression(request.method("body", arguments))]
        case .fields(let fields): return [begin] + fields.map { field($0, encoding) }
        case .type(let type, _):
            let shape = context.contract.shape(of: type)
            if body.isDocument { return [wholeJSON(whole, shape)] }
            let fields = context.contract.structureFields(shape)
            guard shape.isOptional else { return [begin] + fields.map { field($0, encoding, of: whole) } }
            let statements = [begin] + fields.map { field($0, encoding, of: .name("body")) }
            return [.binding(name: "body", whole, statements)]
        }
    }

    private func wholeJSON(_ body: Expression, _ shape: Shape) -> Statement {
        let write = context.writes.value(
            shape.isOptional ? value : body, of: shape.wrapped, writer: .parameter(0))
        let call = Statement.call(.member(request, "bodyJSON"), write)
        return shape.isOptional ? .binding(name: "value", body, [call]) : call
    }

    private func field(
        _ field: FieldDefinition, _ encoding: BodyDefinition.Encoding, of owner: Expression? = nil
    ) -> Statement {
        let shape = context.contract.shape(of: field)
        let property = property(field, of: owner)
        switch shape.wrapped {
        case .list(.primitive(.file)):
            let files = shape.isOptional ? property.or(.array([])) : property
            return .loop(name: "value", in: files, [file(field, value)])
        case .list(let element) where encoding != .json && element.isText && !field.isJSONPart:
            return text(field, "field", of: owner)
        default: break
        }
        func write(_ expression: Expression) -> Statement {
            if case .primitive(.file) = shape.wrapped { return file(field, expression) }
            return self.write(field, expression, shape.wrapped, encoding)
        }
        if field.nullable != nil {
            let null = Expression.parameter(0).method("writeNull")
            let writeNull = Statement.call(request.method("field", .string(field.wireName)), .expression(null))
            return field.writesNull
                ? .binding(name: "value", property, [write(value)], otherwise: [writeNull])
                : .nullable(property, null: [writeNull], value: [write(value)])
        }
        return shape.isOptional ? .binding(name: "value", property, [write(value)]) : write(property)
    }

    private func write(
        _ field: FieldDefinition, _ expression: Expression, _ shape: Shape, _ encoding: BodyDefinition.Encoding
    ) -> Statement {
        let isText =
            switch shape {
            case .enumeration: true
            case .instant: encoding != .json
            case .primitive(.json): false
            case .primitive(let primitive): encoding != .json || primitive.isSelfDescribing || primitive == .bytes
            default: false
            }
        if isText {
            return .expression(request.method("field", named(field, TextExpressions.value(expression, of: shape))))
        }
        let arguments = [Argument(.string(field.wireName))] + contentType(field) + sensitive(field)
        let begin = request.method("field", arguments)
        return .call(begin, context.writes.value(expression, of: shape, writer: .parameter(0)))
    }

    private func file(_ field: FieldDefinition, _ expression: Expression) -> Statement {
        let arguments = [Argument(.string(field.wireName)), Argument(expression)] + contentType(field)
        return .expression(request.method("file", arguments))
    }

    // MARK: Parts

    /// The arguments that write a value under the field's name.
    private func named(_ field: FieldDefinition, _ value: Expression) -> [Argument] {
        [Argument(.string(field.wireName)), Argument(value)] + contentType(field) + sensitive(field)
    }

    private func contentType(_ field: FieldDefinition) -> [Argument] {
        field.contentType.map { [Argument("contentType", .string($0.value))] } ?? []
    }

    private func sensitive(_ field: FieldDefinition) -> [Argument] {
        field.isSensitive ? [Argument("sensitive", .bool(true))] : []
    }

    /// The value of an input, or of a field of the type that the body is.
    private func property(_ field: FieldDefinition, of owner: Expression? = nil) -> Expression {
        // A deprecated input is kept under another name, see `MemberList`. A body's type keeps its own to itself.
        if owner == nil, field.deprecated != nil { return .member(.own, field.hiddenProperty) }
        return .member(owner ?? .own, field.property)
    }
}

extension ResolvedContract {
    /// The fields of a structure; none for anything else.
    func structureFields(_ shape: Shape) -> [FieldDefinition] {
        guard case .structure(let name) = shape.wrapped, case .structure(let fields)? = type(named: name)?.form else {
            return []
        }
        return fields
    }
}

extension Shape {
    /// Whether it is a single value that a request sends as text.
    fileprivate var isText: Bool {
        switch self {
        case .enumeration, .instant: true
        case .primitive(let primitive): primitive != .json && primitive != .file
        case .structure, .union, .optional, .list, .map: false
        }
    }
}
