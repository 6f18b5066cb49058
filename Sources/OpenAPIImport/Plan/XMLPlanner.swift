import ContractModel

/// Gives the fields of documents in XML their places: attributes, wrapped lists and namespaces, as the `xml` objects of a document
/// have them.
///
/// A type has one wire name for each field. An endpoint whose types occur in JSON too, and would have other wire names in XML, gets
/// its document as bytes.
struct XMLPlanner {
    let types: TypePlanner
    let findings: ImportFindings

    /// - Parameter errors: the types of errors, which are JSON.
    func settle(_ plan: inout ContractPlan, beside errors: [Int]) {
        guard plan.endpoints.contains(where: \.usesXML) else { return }
        let json = reached(from: errors + plan.endpoints.flatMap { numbers(of: $0, inXML: false) })
        for position in plan.endpoints.indices where plan.endpoints[position].usesXML {
            refuse(&plan.endpoints[position], json)
        }
        for number in reached(from: plan.endpoints.flatMap { numbers(of: $0, inXML: true) }) {
            guard case .structure(let fields) = types.entries[number].form else { continue }
            types.entries[number].form = .structure(fields.map(placed))
        }
        for position in plan.endpoints.indices {
            if plan.endpoints[position].body?.encoding == .xml,
                case .fields(let fields)? = plan.endpoints[position].body?.content
            {
                plan.endpoints[position].body?.content = .fields(fields.map(placed))
            }
            if plan.endpoints[position].xmlResponse != nil,
                case .content(.fields(let fields)) = plan.endpoints[position].response
            {
                plan.endpoints[position].response = .content(.fields(fields.map(placed)))
            }
        }
    }

    // MARK: Which endpoints

    private func numbers(of endpoint: PlannedEndpoint, inXML: Bool) -> [Int] {
        var numbers: [Int] = []
        if let body = endpoint.body, (body.encoding == .xml) == inXML { numbers += body.content?.numbers ?? [] }
        if (endpoint.xmlResponse != nil) == inXML, case .content(let content) = endpoint.response {
            numbers += content.numbers
        }
        if !inXML { numbers += endpoint.outcomes.flatMap { $0.data?.numbers ?? [] } }
        return numbers
    }

    private func reached(from numbers: [Int]) -> Set<Int> {
        var seen: Set<Int> = []
        var open = numbers
        while let number = open.popLast() {
            if seen.insert(number).inserted { open += types.entries[number].numbers }
        }
        return seen
    }

    /// Makes bytes of documents that XML or the contract cannot express.
    private func refuse(_ endpoint: inout PlannedEndpoint, _ json: Set<Int>) {
        if let place = endpoint.xmlResponse, case .content(let content) = endpoint.response,
            let reason = problem(of: content, json)
        {
            findings.add(
                .openAPIMediaLost, "the XML is read as bytes, which the app has to parse, because \(reason)", at: place)
            endpoint.response = .bytes
            endpoint.xmlResponse = nil
        }
        if let body = endpoint.body, body.encoding == .xml, let content = body.content,
            let reason = problem(of: content, json)
        {
            findings.add(
                .openAPIMediaLost, "the XML is sent as bytes, which the app has to create, because \(reason)",
                at: endpoint.element)
            endpoint.body = .init(encoding: .bytes, content: nil, contentType: body.contentType ?? "application/xml")
        }
    }

    private func problem(of content: PlannedEndpoint.Content, _ json: Set<Int>) -> String? {
        if case .fields(let fields) = content, let problem = problem(of: fields) { return problem }
        for number in reached(from: content.numbers).sorted() {
            switch types.entries[number].form {
            case .structure(let fields):
                if json.contains(number), fields.contains(where: { placed($0).xmlWire != $0.wire && $0.schema != nil })
                {
                    return "JSON has the same types with other names"
                }
                if let problem = problem(of: fields) { return problem }
            case .union(.kind, _): return "a union tells its cases by the kind of the JSON value"
            case .alias(.list(.list), _): return "it has a list inside a list"
            case .union, .enumeration, .alias: break
            }
        }
        return nil
    }

    private func problem(of fields: [PlannedField]) -> String? {
        for field in fields {
            if field.holdsOtherMembers { return "a type keeps members that it does not declare" }
            let wire = placed(field).xmlWire ?? field.wire
            guard let place = XMLPlace(wire) else { return "`\(wire)` is no name in XML" }
            if case .list(.list) = field.type.required { return "it has a list inside a list" }
            if case .attribute = place, !isScalar(field.type.required) {
                return "the attribute `\(wire)` is not one value"
            }
        }
        return nil
    }

    private func isScalar(_ type: PlannedType) -> Bool {
        switch type {
        case .word(let word): return word != "json" && word != "file"
        case .named(let number):
            switch types.entries[number].form {
            case .enumeration: return true
            case .alias(let target, _): return isScalar(target.required)
            case .structure, .union: return false
            }
        case .list, .map, .optional: return false
        }
    }

    // MARK: Names

    /// The name of the element that a schema describes; nil if the document gives it none.
    static func element(of schema: Element, _ documents: DocumentSet) -> String? {
        let target = documents.followed(schema) ?? schema
        if let name = name(in: target["xml"]) { return name }
        // A schema with a name of its own is an element of that name.
        let tokens = target.tokens
        guard tokens.count == 3 && tokens[1] == "schemas" || tokens.count == 2 && tokens[0] == "definitions" else {
            return nil
        }
        return tokens.last.map { qualified($0, target["xml"]) }
    }

    private static func name(in xml: Element?) -> String? { xml?.text("name").map { qualified($0, xml) } }

    private static func qualified(_ name: String, _ xml: Element?) -> String {
        xml?.text("namespace").map { "{\($0)}\(name)" } ?? name
    }

    /// The field with the wire name of its place.
    private func placed(_ field: PlannedField) -> PlannedField {
        guard let schema = field.schema else { return field }
        let target = types.documents.followed(schema) ?? schema
        let xml = schema["xml"] ?? target["xml"]
        var name = Self.qualified(xml?.text("name") ?? field.wire, xml)
        if case .list = field.type.required {
            let items = target["items"].map { types.documents.followed($0) ?? $0 }
            let inner = Self.name(in: items?["xml"])
            if xml?.flag("wrapped") == true { name += "/" + (inner ?? name) } else { name = inner ?? field.wire }
        } else if xml?.flag("attribute") == true {
            name = "@" + name
        }
        var field = field
        field.xmlWire = name
        return field
    }
}

extension PlannedType {
    /// Without an outer optional.
    fileprivate var required: PlannedType {
        if case .optional(let inner) = self { return inner.required }
        return self
    }
}

extension PlannedEndpoint {
    /// Whether it receives or sends XML.
    var usesXML: Bool { xmlResponse != nil || body?.encoding == .xml }
}
