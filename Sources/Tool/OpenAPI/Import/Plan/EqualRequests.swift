import ContractModel

/// Keeps one of several endpoints whose requests a server cannot tell apart, as the rule `ambiguous-paths` says it.
struct EqualRequests {
    let types: TypePlanner
    let findings: ImportFindings

    /// Removes the endpoints that send the same request as an earlier one, and returns their names.
    func remove(from plan: inout ContractPlan) -> [String] {
        var known: [Request: String] = [:]
        var lost: [String] = []
        var kept: [PlannedEndpoint] = []
        for var endpoint in plan.endpoints {
            if known[request(of: endpoint)] != nil { sendConstants(of: &endpoint) }
            if let other = known[request(of: endpoint)] {
                findings.add(
                    .openAPIEndpointLost,
                    "`\(endpoint.name)` is left out, because it sends the same request as `\(other)`",
                    at: endpoint.element)
                lost.append(endpoint.name)
            } else {
                known[request(of: endpoint)] = endpoint.name
                kept.append(endpoint)
            }
        }
        plan.endpoints = kept
        return lost
    }

    // MARK: Requests

    /// What a server can tell requests apart by.
    private struct Request: Hashable {
        var server: String?
        var method: HTTPMethod
        var shape: String
        var inputs: Inputs
        var body: Body?
        /// Which media type of streams it asks for.
        var stream: StreamDefinition.Format?
    }

    private struct Inputs: Hashable {
        /// The names of what each request contains.
        var names = Set<String>()
        var constants: [String: DefaultValue.Spelling] = [:]
    }

    private struct Body: Hashable {
        var encoding: BodyDefinition.Encoding
        var contentType: String?
        var inputs = Inputs()
        /// The type of a body that is not an object with known fields.
        var type: PlannedType?
    }

    private func request(of endpoint: PlannedEndpoint) -> Request {
        Request(
            server: endpoint.server, method: endpoint.method, shape: PathShape.of(endpoint.path),
            inputs: inputs((endpoint.query + endpoint.headers + endpoint.cookies).filter { !$0.isNumberedPage }),
            body: endpoint.body.map(body), stream: endpoint.stream?.format)
    }

    private func inputs(_ fields: [PlannedField]) -> Inputs {
        var inputs = Inputs()
        for field in fields where !field.isOptional {
            if field.defaultValue == nil {
                inputs.names.insert(field.wire)
            } else if field.isConstant {
                inputs.constants[field.wire] = field.defaultValue?.spelling
            }
        }
        return inputs
    }

    private func body(_ body: PlannedEndpoint.Body) -> Body {
        var result = Body(encoding: body.encoding, contentType: body.contentType)
        switch body.content {
        case nil: break
        case .fields(let fields)?: result.inputs = inputs(fields)
        case .type(let type)?:
            if let entry = structure(type), case .structure(let fields) = entry.form {
                result.inputs = inputs(fields)
            } else {
                result.type = type
            }
        }
        return result
    }

    /// The structure that a type is, also under other names.
    private func structure(_ type: PlannedType) -> PlannedTypeEntry? {
        guard let number = types.target(of: type), case .structure = types.entries[number].form else { return nil }
        return types.entries[number]
    }

    // MARK: Constants

    /// Sends the constants of a body that the document makes optional: `{stream: {const: true}}`. Only these tell the request
    /// apart from that of another operation with the same path.
    private func sendConstants(of endpoint: inout PlannedEndpoint) {
        switch endpoint.body?.content {
        case nil: break
        case .fields(var fields)?:
            Self.send(&fields)
            endpoint.body?.content = .fields(fields)
        case .type(let type)?:
            guard let entry = structure(type), case .structure(var fields) = entry.form else { return }
            Self.send(&fields)
            entry.form = .structure(fields)
        }
    }

    private static func send(_ fields: inout [PlannedField]) {
        for position in fields.indices {
            guard let constant = fields[position].constant, !fields[position].isConstant else { continue }
            fields[position].alwaysSend(constant)
        }
    }
}

extension PlannedField {
    /// Makes it a constant that each request contains.
    mutating func alwaysSend(_ constant: DefaultValue) {
        // The enum of an optional constant has no other case to choose.
        if case .named = type { type = .word(constant.spelling?.isQuoted == true ? "string" : "int") }
        defaultValue = constant
        (isConstant, isOptional) = (true, false)
        nullable = nil
    }

    /// Whether it is a constant number in a query, which lint takes for the number of a page.
    fileprivate var isNumberedPage: Bool { isConstant && type != .word("string") && type != .word("bool") }
}

extension DefaultValue {
    /// The text of a default, which is the same for the same value.
    struct Spelling: Hashable {
        var text: String
        var isQuoted: Bool
    }

    var spelling: Spelling? {
        if case .text(let text, let isQuoted) = self { Spelling(text: text, isQuoted: isQuoted) } else { nil }
    }
}
