import Diagnostics
import YAMLTree

// Definitions that an edit did not touch, where they stand since lines before them changed.

extension SourceRange {
    func moved(_ shift: TextShift) -> SourceRange {
        SourceRange(
            file: file, start: start.moved(lines: shift.lines, bytes: shift.bytes),
            end: end.moved(lines: shift.lines, bytes: shift.bytes))
    }
}

extension Located {
    func moved(_ shift: TextShift) -> Located { Located(value, at: range.moved(shift)) }

    func moved(_ shift: TextShift, _ inner: (Value, TextShift) -> Value) -> Located {
        Located(inner(value, shift), at: range.moved(shift))
    }
}

extension TypeDefinition {
    func moved(_ shift: TextShift) -> TypeDefinition {
        var type = self
        type.name = name.moved(shift)
        type.swiftName = swiftName?.moved(shift)
        switch form {
        case .structure(let fields): type.form = .structure(fields.map { $0.moved(shift) })
        case .enumeration(var definition):
            definition.cases = definition.cases.map {
                .init(name: $0.name.moved(shift), wireValue: $0.wireValue.moved(shift))
            }
            type.form = .enumeration(definition)
        case .union(let union):
            type.form = .union(
                UnionDefinition(
                    discriminator: union.discriminator.moved(shift),
                    cases: union.cases.map { .init(name: $0.name.moved(shift), type: $0.type.moved(shift)) }
                ))
        case .alias(let target, let constraints): type.form = .alias(target.moved(shift), constraints.moved(shift))
        }
        return type
    }
}

extension EndpointDefinition {
    func moved(_ shift: TextShift) -> EndpointDefinition {
        var endpoint = self
        endpoint.name = name.moved(shift)
        switch target {
        case .http(let method, let path): endpoint.target = .http(method, path.moved(shift) { $0.moved($1) })
        case .frame(let name): endpoint.target = .frame(name.moved(shift))
        }
        endpoint.query = query.map { $0.moved(shift) }
        endpoint.headers = headers.map { $0.moved(shift) }
        endpoint.body = body?.moved(shift)
        endpoint.response = response.moved(shift) { $0.moved($1) }
        endpoint.envelope = envelope?.moved(shift)
        endpoint.session = session?.moved(shift)
        endpoint.declaredEffect = declaredEffect?.moved(shift)
        endpoint.idempotencyKey = idempotencyKey.map { IdempotencyKeyDefinition(lifetime: $0.lifetime?.moved(shift)) }
        endpoint.confirm = confirm?.moved(shift)
        endpoint.timeout = timeout?.moved(shift)
        endpoint.deadline = deadline?.moved(shift)
        endpoint.patience = patience?.moved(shift)
        endpoint.retry = retry?.moved(shift)
        endpoint.errors = errors.map { $0.moved(shift) }
        endpoint.outcomes = outcomes.map { $0.moved(shift) }
        endpoint.delivery = delivery?.moved(shift)
        endpoint.durable = durable?.moved(shift)
        endpoint.pagination = pagination?.moved(shift)
        endpoint.examples = examples.map { $0.moved(shift) }
        endpoint.swiftName = swiftName?.moved(shift)
        return endpoint
    }
}

// MARK: What they are made of

extension FieldDefinition {
    func moved(_ shift: TextShift) -> FieldDefinition {
        let options = options.map { old in
            var options = old
            options.declaredWireName = old.declaredWireName?.moved(shift)
            options.swiftName = old.swiftName?.moved(shift)
            options.defaultValue = old.defaultValue?.moved(shift)
            options.contentType = old.contentType?.moved(shift)
            options.constraints = old.constraints.moved(shift)
            return options
        }
        return FieldDefinition(
            name: name.moved(shift), type: type.moved(shift), typeRange: typeRange.moved(shift), wireName: wireName,
            options: options)
    }
}

extension TypeReference {
    fileprivate func moved(_ shift: TextShift) -> TypeReference {
        switch self {
        case .primitive: self
        case .named(let name): .named(name.moved(shift))
        case .optional(let inner): inner.primitive == nil ? .optional(inner.moved(shift)) : self
        case .list(let inner): .list(inner.moved(shift))
        case .map(let inner): .map(inner.moved(shift))
        }
    }
}

extension Constraints {
    fileprivate func moved(_ shift: TextShift) -> Constraints {
        guard !isEmpty else { return self }
        var constraints = self
        constraints.range = range?.moved(shift)
        constraints.length = length?.moved(shift)
        constraints.pattern = pattern?.moved(shift)
        constraints.items = items?.moved(shift)
        return constraints
    }
}

extension PathTemplate {
    fileprivate func moved(_ shift: TextShift) -> PathTemplate {
        switch self {
        case .wholeURL(let field): .wholeURL(field.moved(shift))
        case .path(let parts):
            .path(
                parts.map { part in
                    if case .parameter(let field) = part { .parameter(field.moved(shift)) } else { part }
                })
        }
    }
}

extension BodyDefinition {
    fileprivate func moved(_ shift: TextShift) -> BodyDefinition {
        let content: Content =
            switch content {
            case .fields(let fields): .fields(fields.map { $0.moved(shift) })
            case .type(let type, let range): .type(type.moved(shift), range.moved(shift))
            case .bytes: content
            }
        return BodyDefinition(encoding: encoding, content: content, range: range.moved(shift))
    }
}

extension ResponseDefinition {
    fileprivate func moved(_ shift: TextShift) -> ResponseDefinition {
        switch self {
        case .none, .bytes: self
        case .type(let type, let skips, let single):
            .type(type.moved(shift), skipsInvalid: skips, acceptsSingle: single)
        case .fields(let fields): .fields(fields.map { $0.moved(shift) })
        }
    }
}

extension ConfirmDefinition {
    fileprivate func moved(_ shift: TextShift) -> ConfirmDefinition {
        ConfirmDefinition(
            endpoint: endpoint.moved(shift), arguments: arguments.map { ($0.name.moved(shift), $0.value.moved(shift)) },
            found: found?.moved(shift))
    }
}

extension OutcomeDefinition {
    fileprivate func moved(_ shift: TextShift) -> OutcomeDefinition {
        var outcome = self
        outcome.name = name.moved(shift)
        outcome.conditions = conditions.map { $0.moved(shift) }
        switch data {
        case .fields(let fields): outcome.data = .fields(fields.map { $0.moved(shift) })
        case .type(let type, let range): outcome.data = .type(type.moved(shift), range.moved(shift))
        case nil: break
        }
        return outcome
    }
}

extension Condition {
    fileprivate func moved(_ shift: TextShift) -> Condition {
        var condition = self
        condition.transport = transport.map { $0.moved(shift) }
        condition.statuses = statuses.map { $0.moved(shift) }
        condition.codes = codes.map { $0.moved(shift) }
        condition.body = body.map { BodyMatch(path: $0.path.moved(shift), text: $0.text.moved(shift)) }
        condition.range = range.moved(shift)
        return condition
    }
}

extension ExampleDefinition {
    fileprivate func moved(_ shift: TextShift) -> ExampleDefinition {
        ExampleDefinition(
            name: name.moved(shift), request: request?.moved(shift), response: response?.moved(shift),
            cases: cases.map { ($0.name.moved(shift), $0.data.moved(shift)) })
    }
}

extension ExampleValue {
    fileprivate func moved(_ shift: TextShift) -> ExampleValue {
        switch self {
        case .scalar(let text, let isQuoted, let range): .scalar(text: text, isQuoted: isQuoted, range.moved(shift))
        case .list(let values, let range): .list(values.map { $0.moved(shift) }, range.moved(shift))
        case .object(let pairs, let range):
            .object(pairs.map { ($0.key.moved(shift), $0.value.moved(shift)) }, range.moved(shift))
        }
    }
}
